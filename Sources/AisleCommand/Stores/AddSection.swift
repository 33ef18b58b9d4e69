import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser

/// Adds a section to a store.
struct AddSection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-section", abstract: "Add a section to a store, at its place in the walking order.",
    discussion: """
      Writes the section into the store's file, after the one that --after names; without it, before the fallback section at the end. \
      Corrections for the section, such as accepted suggestions of a language model, are used from then on.

      A store that has no file of yours, such as a compiled-in one, gets one in the nearest taxonomies folder, or in a new one here: \
      it extends the store and says only what differs. Prints the section, the one before it, and the file with the line.

      Examples:
        aisle stores add-section 'Pet Supplies'
        aisle stores add-section Hardware --after Snacks --store kroger

      Exit codes: 0 done; 2 the store has the section already, lacks the one before it, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The new section's name.")
  var name: String

  @Option(
    help: ArgumentHelp("The section that it follows (default: the last before the fallback section).", valueName: "section"),
    completion: NameCompletion.section)
  var after: String?

  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @OptionGroup var stores: StoreOptions

  func validate() throws {
    if name.allSatisfy({ $0 == " " }) || name.utf8.count > 100 || name.unicodeScalars.contains(where: { $0.value < 32 }) {
      throw ValidationError("A section's name must have 1 to 100 bytes, not only spaces, and no control characters.")
    }
  }

  @MainActor
  func run() async throws {
    let configuration = try stores.configuration()
    let id = ChainChoice.store(store, configuration).value
    let locator = try stores.locate(configuration)
    let (taxonomy, _) = try locator.open(id)
    let names = taxonomy.sections.map(\.name)
    if let there = names.first(where: { $0.lowercased() == name.lowercased() }) {
      throw CommandFailure(description: "\(id) has a section `\(there)` already")
    }
    let before = try after.map { try SectionName.find($0, in: taxonomy) } ?? Self.last(of: taxonomy)
    let (path, bytes) = try file(of: id, taxonomy, locator)
    let (changed, line) = try SectionInsertion(path: path, bytes: bytes, sections: names).adding(name, after: before)
    if case .folder(let folder) = locator.source, FileReader.isFile(path) {
      // Nothing is written that would not be read again.
      let (edited, _, findings) = try StoreLocator(source: .folder(folder.changing([path: changed]))).inspect(id)
      guard findings.isEmpty, edited.section(named: name) != nil else {
        throw CommandFailure(
          description: findings.first?.description ?? "\(path): the section cannot be added; add `- name: \(name)` to `sections`")
      }
    }
    try FileWriter.makeFolders(above: path)
    try FileWriter.replace(path, with: changed)
    try TextTable.write([[name, "after \(before)", "\(path):\(line)"].map(Style.visible)])
  }

  /// The section that a new one follows: the last before the fallback section where that is at the end, else the last.
  private static func last(of taxonomy: Taxonomy) -> String {
    let end = taxonomy.sections.count - 1
    let isFallback = Int(taxonomy.fallback.rawValue) == end
    return taxonomy.sections[isFallback && end > 0 ? end - 1 : end].name
  }

  /// The file that says what the store is, or one that will.
  private func file(of id: String, _ taxonomy: Taxonomy, _ locator: StoreLocator) throws -> (path: String, bytes: [UInt8]) {
    if case .folder(let folder) = locator.source, folder.stores.contains(id), !locator.isInstalled {
      let path = "\(folder.path)/\(id).yaml"
      return (path, try FileReader.read(path))
    }
    let text = """
      # Only what differs from \(id); everything else is inherited.
      store: \(id)
      name: \(StoreDraft.scalar(taxonomy.name))
      extends: \(id)

      """
    return ("\(try locator.folderForChanges().path)/\(id).yaml", Array(text.utf8))
  }
}
