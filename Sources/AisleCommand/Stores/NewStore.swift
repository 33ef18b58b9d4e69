import AisleCatalog
import AisleCore
import AisleFiles
import ArgumentParser

/// Begins a store.
struct NewStore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a store: a file to edit, with every shelf in place.",
    discussion: """
      Writes NAME.yaml into the taxonomies folder: the sections of an ordinary supermarket, one shelf per line, with comments that \
      say what to change; or a copy of another store. The file passes `aisle stores check`. Existing files are never overwritten.

      With --extends, the file says only what differs from another store, and picks up its later changes. It needs no shelves of its own: \
      the file goes into the nearest taxonomies folder, or into a new one here.

      With --language, the store is read in those languages from then on.

      Examples:
        aisle stores new corner --extends kroger
        aisle stores new corner-shop
        aisle stores new my-kroger --from kroger
        aisle stores new joes --name "Joe's Market" --taxonomies ~/my-stores

      Exit codes: 0 done; 2 the store already exists, the store to copy does not, or the file cannot be written; 64 usage.
      """)

  /// What `--from` calls the template.
  static let template = "template"

  @Argument(help: ArgumentHelp("The store's id: a-z, 0-9, and hyphens.", valueName: "name"))
  var store: String

  @Option(
    help: ArgumentHelp("Start from a copy of this store, or from `template`.", valueName: "store"),
    completion: NameCompletion.storeOrTemplate)
  var from = template

  @Option(
    help: ArgumentHelp("Write only what differs from this store.", valueName: "store"), completion: NameCompletion.store)
  var extends: String?

  @Option(help: ArgumentHelp("The store's name as people write it (default: the id, capitalized).", valueName: "text"))
  var name: String?

  @Option(
    help: ArgumentHelp("Write to this file instead; `-` prints it.", valueName: "file"), completion: .file(extensions: ["yaml"]))
  var output: String?

  @OptionGroup var stores: StoreOptions

  func validate() throws {
    if !Shelf.isValid(name: store) {
      let fitting = Self.fitting(store)
      throw ValidationError(
        "A store's id has only a-z, 0-9, and hyphens, at most 64\(fitting.isEmpty ? "" : "; write `\(fitting)`").")
    }
    if store == Self.template { throw ValidationError("--from uses the name `\(store)` for the template; choose another name.") }
    if extends != nil, from != Self.template {
      throw ValidationError("--extends follows a store and --from copies one; use only one of them.")
    }
    if stores.language?.lowercased() == "auto" {
      throw ValidationError("A store's file names its languages; replace --language auto by their ids.")
    }
    if let name,
      name.allSatisfy(\.isWhitespace) || name.utf8.count > 100 || name.unicodeScalars.contains(where: { $0.value < 32 })
    {
      throw ValidationError("--name must have 1 to 100 bytes, not only spaces, and no control characters.")
    }
  }

  @MainActor
  func run() async throws {
    if let extends { return try extend(extends) }
    guard case .folder(let folder) = try stores.locate().source else {
      throw CommandFailure(
        description:
          "no taxonomies folder found, and a new store needs its shelves; name one with --taxonomies, or add --extends kroger, which needs none"
      )
    }
    if folder.isLayered {
      throw CommandFailure(
        description:
          "\(folder.path) has stores that extend others, and a complete store here would hide the stores they extend; use --extends, "
          + "or name another folder with --taxonomies")
    }
    let shown = name ?? Self.title(store)
    let text =
      from == Self.template
      ? StoreDraft.template(store, named: shown, in: folder)
      : try StoreDraft.copy(of: from, as: store, named: shown, in: folder)
    let bytes = Array(speaking(text).utf8)
    if output == "-" { return try bytes.withUnsafeBytes { try Descriptor.standardOutput.write($0) } }
    let home = "\(folder.path)/\(store).yaml"
    try FileWriter.make(output ?? home, with: bytes)
    let isHome = FileReader.resolved(output ?? home) == FileReader.resolved(home)
    Descriptor.standardError.tell(try isHome ? welcome(home, folder) : "\(output ?? home): move it to \(home) to use it\n")
  }

  /// A store's file with the languages that --language names, if any.
  private func speaking(_ text: String) -> String {
    guard let ids = stores.language.map(StoreChoice.ids) else { return text }
    let line = "language: \(ids.count == 1 ? ids[0] : "[\(ids.joined(separator: ", "))]")"
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("language:") }
    return lines.flatMap { $0.hasPrefix("name:") ? [$0, line[...]] : [$0] }.joined(separator: "\n")
  }

  /// Writes a store that extends another, in any folder.
  private func extend(_ base: String) throws {
    let configuration = try stores.configuration()
    // A folder that is not there yet has no store to extend.
    var choice = stores.choice
    if let folder = stores.taxonomies, !FileReader.isFolder(folder) { choice.taxonomies = nil }
    let locator = try choice.locate(configuration)
    let (taxonomy, _) = try locator.open(base)
    let text = StoreDraft.overlay(store, named: name ?? Self.title(store), extending: taxonomy)
    let bytes = Array(speaking(text).utf8)
    if output == "-" { return try bytes.withUnsafeBytes { try Descriptor.standardOutput.write($0) } }
    let folder = try stores.taxonomies ?? locator.folderForChanges().path
    let home = "\(folder)/\(store).yaml"
    if output == nil { try FileWriter.makeFolder(folder) }
    try FileWriter.make(output ?? home, with: bytes)
    let option = stores.taxonomies.map { " --taxonomies \($0.contains(" ") ? "'\($0)'" : $0)" } ?? ""
    Descriptor.standardError.tell(
      output.map { "\($0): move it to \(home) to use it\n" }
        ?? """
        \(home): extends \(base)
        next: list the sections that differ, and run
          aisle stores check \(store)\(option)
          aisle categorize --store \(store)\(option)
          aisle stores diff \(base) \(store)\(option)

        """)
  }

  /// What has been made, and what to do next.
  private func welcome(_ path: String, _ folder: TaxonomyFolder) throws -> String {
    let (taxonomy, _, findings) = try StoreLocator(source: .folder(folder)).inspect(store)
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    let option = stores.taxonomies.map { " --taxonomies \($0.contains(" ") ? "'\($0)'" : $0)" } ?? ""
    var text = "\(path): \(count(taxonomy.sections.count, "section", "sections")), "
    text += "\(count(taxonomy.shelves.count, "shelf", "shelves")), "
    text += findings.isEmpty ? "no errors\n" : "\(count(findings.count, "error", "errors")); run `aisle stores check \(store)`\n"
    text += "next: put the sections in walking order, move each shelf to its section, and run\n"
    for command in ["stores check \(store)", "categorize --store \(store)", "stores diff kroger \(store)"]
    where !command.contains("kroger") || (store != "kroger" && folder.stores.contains("kroger")) {
      text += "  aisle \(command)\(option)\n"
    }
    return text
  }

  /// `corner-shop` as people would write it: `Corner Shop`.
  private static func title(_ store: String) -> String {
    let words = store.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return words.isEmpty ? store : words.joined(separator: " ")
  }

  /// An id for a name that is none: `Joe's Märkte` is `joes-markte`.
  private static func fitting(_ name: String) -> String {
    let words = Normalizer.normalize(name).split(separator: " ").map { $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    let id = words.filter { !$0.isEmpty }.joined(separator: "-")
    return String(id.prefix(64))
  }
}
