import ArgumentParser
import LLMStrategy

struct LLMCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "llm", abstract: "Manage language models: kept answers, request log, half-price batches, and prices.",
    discussion: """
      Examples:
        aisle llm log
        aisle llm cache list
        aisle llm batch submit groceries.txt
        aisle llm prices
      """, subcommands: [BatchCommand.self, CacheCommand.self, ListRequests.self, ListPrices.self])
}

struct ListPrices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prices", abstract: "Print what is known of models: their prices, sizes, and end dates.",
    discussion: """
      Providers change their prices and models. Correct a line under `models:` of `llm:` in aisle.yaml, or in a file that \
      --llm-prices names; what a line leaves out stays as it is. `aisle doctor` says what ends soon or has no price.

      Examples:
        aisle llm prices > prices.txt

      Exit codes: 0 done; 64 usage.
      """)

  func run() async throws {
    var text = ModelList.builtInText
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }
}
