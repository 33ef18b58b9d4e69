import AisleCatalog
import AisleCore
import AisleReporting
import ArgumentParser

struct ChainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chain", abstract: "Show which strategies decide, and what chose them.",
    discussion: """
      Examples:
        aisle chain show
        aisle chain show --chain 'keyword>=0.6'
      """,
    subcommands: [ShowChain.self], defaultSubcommand: ShowChain.self)
}

struct ShowChain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the store, the chain, and the policy in use, and what set each.",
    discussion: """
      Prints one line per setting with its name, its value, and what set it: an option, a variable, a line of aisle.yaml, or the \
      default. Then prints one line per strategy, in the order they are asked. In a pipe, columns are separated by tabs.

      Examples:
        aisle chain show
        aisle chain show --config ./aisle.yaml

      Exit codes: 0 done; 2 the configuration or the chain has errors; 64 usage.
      """)

  @OptionGroup var chain: ChainOptions

  @MainActor
  func run() async throws {
    let settled = try chain.settle()
    let opened = try settled.open {
      Descriptor.standardError.tell(Style.visible("aisle: \($0); continuing without corrections") + "\n")
    }
    var rows = [
      ["configuration", settled.configuration?.path ?? "none", ""],
      ["store", settled.store.value, settled.store.origin],
      ["taxonomies", settled.locator.description, ""],
      ["chain", settled.chain.value.text, settled.chain.origin],
      ["corrections", settled.corrections.value ?? "off", settled.corrections.origin],
      ["policy", settled.policy.value.rawValue, settled.policy.origin],
    ]
    for (place, link) in opened.chain.chain.links.enumerated() {
      let isWeighed = opened.chain.chain.weighs(place)
      let sure = isWeighed ? "weighed" : link.threshold > 0 ? "final at confidence \(link.threshold) or more" : "final"
      rows.append(["\(place + 1)", opened.chain.names[place], "\(link.strategy.metadata.summary); \(sure)"])
    }
    rows.append([
      "\(opened.chain.names.count + 1)", "none",
      "items that no strategy decides go to \(opened.taxonomy[opened.taxonomy.fallback].name)",
    ])
    try TextTable.write(rows)
  }
}
