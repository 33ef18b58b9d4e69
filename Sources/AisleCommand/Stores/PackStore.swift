import AisleCatalog
import AisleCore
import AisleFiles
import ArgumentParser
import FlatFiles

/// Writes a store into one file, for the libraries that read no YAML.
struct PackStore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Write a store, indexed, into one file for the C and Python libraries.",
    discussion: """
      The libraries have the stores that are compiled in. To open another one, or one with changed files, they need it packed: read, \
      checked, and indexed. The file works only with this version of aisle; write it again after an update and after a change to the \
      store.

      A model that was trained for the folder, or for the store's language, is packed with it.

      Examples:
        aisle stores pack --store corner --output corner.aisle
        aisle stores pack --taxonomies ~/my-stores -o kroger.aisle

      Exit codes: 0 done; 2 the store has errors, or the file cannot be written; 64 usage.
      """)

  @Option(
    help: ArgumentHelp(
      "The store's id (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; an existing one is replaced.", valueName: "file"))
  var output: String

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    let configuration = try stores.configuration()
    let locator = try stores.locate(configuration)
    let id = ChainChoice.store(store, configuration).value
    if case .builtIn = locator.source, locator.stores.contains(id) {
      throw CommandFailure(description: "store `\(id)` is compiled into the libraries too; open it by its id")
    }
    let context = try locator.context(id)
    let taxonomy = context.taxonomy
    let files = WatchedFiles(locator: locator, corpus: [], languages: taxonomy.languages.map(\.id)).inputs
    try FileWriter.check(output, replacesNoneOf: files + [configuration?.path].compactMap(\.self))
    guard let index = context.keywords?.image() else { throw CommandFailure(description: "store `\(id)` has no index") }
    let model = try context.trainedModel().map { [$0.text.block] } ?? []
    let bytes = PackedStore.bytes(of: taxonomy.image() + index + model)
    try FileWriter.replace(output, with: bytes)
    Descriptor.standardError.tell("\(output): \(taxonomy.store), \(ByteSize.text(bytes.count))\n")
  }
}
