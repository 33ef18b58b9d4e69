import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleReporting
import ArgumentParser

/// Compares two stores.
struct DiffStores: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show how two stores differ.",
    discussion: """
      Shows sections side by side in walking order, the shelves that are in different sections, and the keywords and patterns that \
      only one store has. Two sections match if they have the same name or both are the fallback. Otherwise they match if at least \
      half of the shelves of one are in the other.

      With --items, also shows the items whose section differs, as decided by the default chain without corrections.

      With --format tsv, each row has a kind, from, to, and a detail. The kinds are section (with the number of shelves in common), \
      order (with the positions in walking order), shelf, keyword, pattern, and item.

      Examples:
        aisle stores diff kroger walmart
        aisle stores diff tesco sainsburys --format json
        aisle stores diff kroger aldi --items groceries.txt
        echo hummus | aisle stores diff kroger aldi --items -

      Exit codes: 0 done, with or without differences; 2 a store or the items cannot be read; 64 usage.
      """)

  @Argument(help: "The first store's id.", completion: NameCompletion.store)
  var first: String

  @Argument(help: "The second store's id.", completion: NameCompletion.store)
  var second: String

  @Option(help: "Output format: text, json, or tsv.")
  var format = DifferenceFormat.text

  @Option(
    help: ArgumentHelp("Also compare the items in this file, one per line; `-` reads standard input.", valueName: "file"),
    completion: .file())
  var items: String?

  @OptionGroup var stores: StoreOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  @MainActor
  func run() async throws {
    let chains = try [first, second].map { try open($0) }
    let difference = StoreDifference(from: chains[0].taxonomy, to: chains[1].taxonomy)
    var changes: [StoreDifference.Change]?
    if let items {
      let lines = try Self.lines(items)
      var sections: [[SectionID]] = []
      for chain in chains {
        var batch = Batch(lines, taxonomy: chain.taxonomy)
        try await Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain).ask(&batch)
        sections.append((0..<batch.count).map { batch.decisions[$0]?.section ?? chain.taxonomy.fallback })
      }
      changes = difference.changes(of: lines.indices.map { (lines[$0], sections[0][$0], sections[1][$0]) })
    }
    let reporter = DifferenceReporter(style: color.style(for: .standardOutput, environment: Environment.all))
    let output =
      switch format {
      case .text: Array(reporter.text(difference, items: changes).utf8)
      case .tsv: Array(reporter.tsv(difference, items: changes).utf8)
      case .json: reporter.json(difference, items: changes)
      }
    try output.withUnsafeBytes { try Descriptor.standardOutput.write($0) }
  }

  /// A store, and its default chain without corrections.
  @MainActor
  private func open(_ store: String) throws -> OpenedChain {
    try ChainChoice(
      store: store, chain: StrategyCatalog.defaultChain, policy: StrategyCatalog.defaultPolicy, db: "off", stores: stores.choice
    )
    .settle(model: nil).open(host: .evaluation)
  }

  private static func lines(_ path: String) throws -> [String] {
    let bytes = try JSONLines.contents(path)
    return bytes.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The formats that the difference of two stores is written in.
enum DifferenceFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
  case text, json, tsv
}
