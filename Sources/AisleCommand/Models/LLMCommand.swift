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
    commandName: "prices", abstract: "Print model prices in the format that --llm-prices reads.",
    discussion: """
      Providers change their prices. Save the output, correct it, and name the file with --llm-prices or in aisle.yaml.

      Examples:
        aisle llm prices > prices.txt

      Exit codes: 0 done; 64 usage.
      """)

  func run() async throws {
    var text = PriceList.builtInText
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }
}
