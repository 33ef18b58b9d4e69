import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser

struct StoresCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores", abstract: "List, show, check, and compare stores, and create new ones.",
    discussion: """
      A store is a file NAME.yaml in the taxonomies folder, beside the folder of shelves.

      Examples:
        aisle stores
        aisle stores show kroger --section Produce
        aisle stores check
        aisle stores new corner-shop
        aisle stores diff kroger walmart
        aisle stores add-section 'Pet Supplies'
        aisle stores pack --store corner --output corner.aisle
      """,
    subcommands: [
      ListStores.self, ShowStore.self, CheckStores.self, NewStore.self, DiffStores.self, AddSection.self, RenameSection.self,
      PackStore.self,
    ],
    defaultSubcommand: ListStores.self)
}

struct ListStores: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the stores.",
    discussion: """
      Prints one line per store: its id, its name, how many sections it has, and the language of its lists where that is not English. In \
      a pipe, columns are separated by tabs.

      Examples:
        aisle stores list
        aisle stores list --taxonomies ~/my-stores

      Exit codes: 0 done; 2 a store cannot be read; 64 usage.
      """)

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    let locator = try stores.locate()
    var rows: [[String]] = []
    var isBroken = false
    if locator.stores.isEmpty { throw Self.nothing(in: locator) }
    for store in locator.stores {
      let outline = locator.outline(of: store)
      guard let outline, outline.isSound else {
        rows.append([store, outline?.name ?? "", "broken: run `aisle stores check \(store)`"])
        isBroken = true
        continue
      }
      let languages = locator.languages(of: store).filter { $0 != Language.english }.joined(separator: ",")
      let sections = counted(outline.sections, "section")
      rows.append([store, outline.name, sections] + (languages.isEmpty ? [] : [languages]))
    }
    try TextTable.write(rows)
    if Descriptor.standardOutput.isTerminal { Descriptor.standardError.tell("from \(locator.description)\n") }
    if isBroken { throw ExitCode(2) }
  }

  /// That there are no stores, or that what looks like one is none for its name.
  static func nothing(in locator: StoreLocator) -> CommandFailure {
    CommandFailure(
      description: locator.misnamedFiles.first?.description
        ?? "\(locator.description): no stores there; a store is a file NAME.yaml")
  }
}

struct ShowStore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a store's sections and shelves, or a section's keywords.",
    discussion: """
      Examples:
        aisle stores show kroger
        aisle stores show kroger --section Produce

      Exit codes: 0 done; 2 the store cannot be read; 64 usage.
      """)

  @Argument(
    help: "The store's id (default: $AISLE_STORE, then the configuration, then kroger).", completion: NameCompletion.store)
  var store: String?

  @Option(
    help: ArgumentHelp("Show this section's keywords, with their files and lines.", valueName: "name"),
    completion: NameCompletion.section)
  var section: String?

  @OptionGroup var stores: StoreOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  @MainActor
  func run() async throws {
    let (taxonomy, _) = try stores.open(store)
    let style = color.style(for: .standardOutput, environment: Environment.all)
    if let section { return try showSection(section, taxonomy) }
    var text = ""
    for (place, section) in taxonomy.sections.enumerated() {
      let id = SectionID(rawValue: UInt16(place))
      let count = taxonomy.keywords.entries.count { Int($0.section) == place }
      let fallback = id == taxonomy.fallback ? ", the fallback section" : ""
      text += style.colored(Style.visible(section.name), section.color) + style.dim("  \(count) keywords\(fallback)") + "\n"
      let shelves = taxonomy.shelves.filter { $0.section == id }.map(\.name)
      for line in Table.wrapped(shelves, width: 96) { text += "  \(line)\n" }
    }
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }

  private func showSection(_ name: String, _ taxonomy: Taxonomy) throws {
    let names = taxonomy.sections.map(\.name)
    guard let place = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) else {
      let hint = DidYouMean.hint(name, among: names)
      throw CommandFailure(
        description:
          "no section `\(name)` in \(taxonomy.store)\(hint.isEmpty ? "; use one of \(DidYouMean.list(names))" : hint)")
    }
    let id = SectionID(rawValue: UInt16(place))
    let rows = taxonomy.keywords.filter { $0.section == id }.map { keyword in
      [
        keyword.strength.sign + keyword.text, keyword.shelf.map { taxonomy[$0].name } ?? "",
        "\(keyword.location.path):\(keyword.location.line)",
      ]
    }
    try TextTable.write(rows)
  }
}

struct CheckStores: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report every error in the stores' files.",
    discussion: """
      Prints each error as `path:line:column: message` on standard output. Checks all stores if none is named.

      With --suspects, also prints lines that are not errors but may decide what they should not: keywords that only describe, \
      names that are in a different place from the longer names that end with them, and spellings that have two meanings.

      Examples:
        aisle stores check
        aisle stores check kroger --taxonomies ./taxonomies
        aisle stores check kroger --suspects

      Exit codes: 0 no errors; 1 errors found; 2 a file or folder cannot be read; 64 usage.
      """)

  @Argument(help: "The stores' ids.", completion: NameCompletion.store)
  var names: [String] = []

  @Flag(help: ArgumentHelp("Also print lines that are worth a second look, of Kroger if no store is named."))
  var suspects = false

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    let locator = try stores.locate()
    let ids = names.isEmpty ? locator.ownStores : names
    if ids.isEmpty { throw ListStores.nothing(in: locator) }
    var findings: Set<Finding> = names.isEmpty ? Set(locator.misnamedFiles) : []
    var doubts: Set<Finding> = []
    var english: String?
    for id in ids {
      let inspection = Result { () throws(FileError) in try locator.inspect(id) }
      // One that cannot be put together must not hide what is wrong with the others.
      if ids.count > 1, case .failure(let error) = inspection {
        findings.insert(Finding(SourceLocation(path: error.path), error.reason))
        continue
      }
      let (taxonomy, keywords, found) = try inspection.get()
      findings.formUnion(found)
      // Without a name, one store will do: the lines are shared.
      if suspects, !names.isEmpty || id == StoreLocator.standard || !ids.contains(StoreLocator.standard) && id == ids.first {
        doubts.formUnion(SuspectCheck.findings(in: taxonomy))
      }
      findings.formUnion(locator.straySpellings(of: keywords, in: taxonomy, beside: found))
      if english == nil, !taxonomy.languages.isEmpty {
        (english, findings) = (id, findings.union(try locator.sharedStraySpellings(id)))
      }
    }
    var text = [findings, doubts].flatMap { $0.sorted { ($0.location, $0.message) < ($1.location, $1.message) } }
      .map { Style.visible($0.description) + "\n" }.joined()
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    let what = ids.count == 1 ? ids[0] : "\(ids.count) stores"
    let count = countedOrNone(findings.count, "error")
    let look = !suspects ? "" : doubts.isEmpty ? ", no suspects" : ", \(counted(doubts.count, "suspect"))"
    let changes = ids.compactMap { id in locator.changes(in: id).map { (id, $0) } }
    // A store need not have every new shelf.
    let unplaced = changes.dropFirst().reduce(Set(changes.first?.1.unplaced ?? [])) { $0.intersection($1.1.unplaced) }
    let idle = unplaced.union(changes.flatMap(\.1.idle)).sorted { ($0.location, $0.message) < ($1.location, $1.message) }
    for finding in idle { Descriptor.standardError.tell("\(Style.visible("\(finding.location): note: \(finding.message)"))\n") }
    // What changes all stores alike takes one line.
    let alike = Dictionary(grouping: changes) { $0.1.description(of: [""]) }.values.map { ($0.map(\.0), $0[0].1) }
    for (stores, change) in alike.sorted(by: { $0.0[0] < $1.0[0] }) {
      Descriptor.standardError.tell(change.description(of: stores) + "\n")
    }
    Descriptor.standardError.tell("\(what): \(count)\(look)\n")
    if !findings.isEmpty { throw ExitCode(1) }
  }
}
