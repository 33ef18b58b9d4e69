import AisleCatalog
import AisleCore
import AisleReporting
import ArgumentParser
import ProcessStrategy

struct StrategiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strategies", abstract: "List the strategies that a chain can name, and test programs.",
    discussion: """
      Examples:
        aisle strategies
        aisle strategies show keyword
        aisle strategies test -- ./my-strategy
      """,
    subcommands: [ListStrategies.self, ShowStrategy.self, TestStrategy.self], defaultSubcommand: ListStrategies.self)
}

struct ListStrategies: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the strategies, what each one does, and what it needs.",
    discussion: """
      Prints one line per strategy: its name, what it does, and what it needs. In a pipe, columns are separated by tabs.

      Examples:
        aisle strategies list

      Exit codes: 0 done; 2 the configuration has errors; 64 usage.
      """)

  @OptionGroup var chain: ChainOptions

  @MainActor
  func run() async throws {
    let catalog = try chain.settle().catalog
    try TextTable.write(catalog.kinds.map { [$0.id, $0.summary, $0.needs.isEmpty ? "" : "needs \($0.needs)"] })
  }
}

struct ShowStrategy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a strategy's rationale, options, rules, and examples.",
    discussion: """
      Examples:
        aisle strategies show keyword
        aisle strategies show keyword --examples 100

      Exit codes: 0 done; 2 no such strategy, or it cannot be created; 64 usage.
      """)

  @Argument(help: "The strategy's name.")
  var name: String

  @Option(help: ArgumentHelp("How many examples to show.", valueName: "count"))
  var examples = 12

  @OptionGroup var chain: ChainOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws { if examples < 0 { throw ValidationError("--examples must be 0 or more.") } }

  @MainActor
  func run() async throws {
    var settled = try chain.settle()
    settled.chain = Settled(value: try ChainSpecification(name), origin: "default")
    settled.showModel()
    let opened = try settled.open()
    guard let strategy = opened.chain.chain.links.first?.strategy, let id = settled.chain.value.links.first?.strategy,
      let kind = settled.catalog.kinds.first(where: { $0.id == id })
    else { return }
    // A program's own words are worth its start; what goes wrong is on standard error then.
    _ = try? await (strategy as? ProcessStrategy)?.introduce()
    try Interruption.check()
    let style = color.style(for: .standardOutput, environment: Environment.all)
    let metadata = strategy.metadata
    var text = style.bold(kind.id) + "  \(metadata.summary)\n\n"
    let words = metadata.rationale.split(whereSeparator: \.isWhitespace)
    for line in Table.wrapped(words, width: 92, mark: "") { text += "  \(line)\n" }
    if !kind.needs.isEmpty { text += "\n  needs \(kind.needs)\n" }
    text += Self.list(
      "options", kind.options.map { ("\($0.name)=\($0.values.isEmpty ? "…" : $0.values.joined(separator: "|"))", $0.summary) },
      style)
    text += Self.list("rules", metadata.rules.map { ($0.name, $0.summary) }, style)
    text += Self.list("examples", Self.spread(metadata.examples, examples).map { ($0.item, $0.section ?? "abstains") }, style)
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }

  /// Examples from all over the list.
  private static func spread(_ examples: [StrategyExample], _ count: Int) -> [StrategyExample] {
    guard examples.count > count else { return examples }
    return (0..<count).map { examples[$0 * examples.count / count] }
  }

  private static func list(_ title: String, _ rows: [(String, String)], _ style: Style) -> String {
    if rows.isEmpty { return "" }
    let width = min(rows.map(\.0.count).max() ?? 0, 40)
    return "\n\(style.dim(title))\n"
      + rows.map { "  \(Style.visible($0.0))\(String(repeating: " ", count: max(0, width - $0.0.count)))  \($0.1)\n" }.joined()
  }
}
