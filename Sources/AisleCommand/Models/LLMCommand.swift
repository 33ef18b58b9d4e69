import ArgumentParser
import LLMStrategy

struct LLMCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "llm", abstract: "Language models: kept answers, the log of requests, batches at half price, prices.",
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
    commandName: "prices", abstract: "Show what models cost, in the form of a file that --llm-prices takes.",
    discussion: """
      Providers change their prices. Save the output, mend it, and name the file with --llm-prices or in aisle.yaml.

      Examples:
        aisle llm prices > prices.txt

      Exit codes: 0 done; 64 usage.
      """)

  func run() async throws {
    var text = PriceList.builtInText
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }
}
