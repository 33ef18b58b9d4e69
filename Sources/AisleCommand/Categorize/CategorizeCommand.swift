import AisleCatalog
import AisleCore
import AisleFiles
import AisleItems
public import ArgumentParser
public import KeywordStrategy

extension OutputFormat: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
extension KeywordStrategy.Mode: ExpressibleByArgument {}

struct CategorizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "categorize", abstract: "Read items and write each one with its section.",
    discussion: """
      Reads standard input when no file is named; `-` stands for standard input among files. Writes one record for each record \
      that it reads, in the same order, with the bytes of the item unchanged. On a terminal, the output is a shopping list.

      Examples:
        printf 'oat milk\\n2 lbs chicken thighs\\n' | aisle categorize
        aisle categorize --item 'oat milk'
        aisle categorize --format list --explain groceries.txt
        aisle categorize --column name orders.csv
        aisle categorize --delimiter ';' --no-header --column 2 prices.csv
        aisle categorize --input-format jsonl --field product.name < items.jsonl
        aisle categorize --llm anthropic --max-cost 0.10 --summary groceries.txt

      Exit codes: 0 done; 2 a file could not be read, a store has errors, records were bad, or a language model left items \
      undecided (all other records are still written); 64 usage.
      """, aliases: ["categorise"])

  @Argument(help: "Files to read.", completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("Categorize this item instead of files. Repeatable.", valueName: "text"))
  var item: [String] = []

  @Option(
    help: ArgumentHelp(
      "Output format: tsv, jsonl, json, csv, list, or aisle.conf; --json is short for --format json.",
      discussion:
        """
        Default: list on a terminal; otherwise jsonl, json, or rows to match the input, and tsv (item, tab, section) for lines. \
        aisle.conf is CookLang's.
        """)
  )
  var format: OutputFormat?

  @OptionGroup var input: InputOptions

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The field or column that receives the section (default: section).", valueName: "name"))
  var target: String?

  @Flag(help: "Add the confidence, strategy, keyword, span, rule, file:line, and runner-up.")
  var explain = false

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  @Option(help: ArgumentHelp("How many cores to use, 1 to 256 (default: all).", valueName: "count"))
  var jobs: Int?

  @Option(help: "Use keywords alone, matched by phrase or by substring (the classic loop).")
  var mode: KeywordStrategy.Mode?

  @Flag(help: "Answer each record before the next one is read.")
  var lineBuffered = false

  @Flag(help: "Write a summary of the run to standard error.")
  var summary = false

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if !item.isEmpty {
      if !files.isEmpty { throw ValidationError("--item takes the place of files; use one of them.") }
      if input.inputFormat ?? .lines != .lines {
        throw ValidationError("--item is one line; it cannot be combined with --input-format.")
      }
      if item.contains(where: { $0.contains { $0.isNewline } }) {
        throw ValidationError("--item has a line break; give each item its own --item.")
      }
      if item.reduce(0, { $0 + $1.utf8.count + 1 }) > Categorization.mostItemBytes {
        throw ValidationError(
          "--item takes at most \(Categorization.mostItemBytes) bytes; put more items into a file, or pipe them in.")
      }
    }
    let setup = try input.setup(for: files)
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256, not \(jobs).") }
    if mode != nil, chain.chain != nil {
      throw ValidationError("--mode cannot be combined with --chain; write --chain 'keyword(mode=…)'.")
    }
    if target?.isEmpty == true { throw ValidationError("--as needs a name.") }
    let writesItem = setup.format == .lines || setup.format.isJSON && format == .csv
    let taken = Explanation.columns.dropFirst() + ["error", "record"] + (writesItem ? ["item"] : [])
    if let target, taken.contains(target) {
      throw ValidationError("--as \(target): the output already has a field with this name; choose another.")
    }
    if explain, format == .aisleConf {
      throw ValidationError("--explain: aisle.conf has no place for explanations; choose another --format.")
    }
    if target != nil, let format, format == .tsv || format.isGrouped {
      throw ValidationError("--as names a field or column of jsonl or csv output; \(format.rawValue) output has none.")
    }
    if target != nil, format == nil, setup.format == .lines {
      throw ValidationError("--as names a field or column of jsonl or csv output; add --format jsonl or --format csv.")
    }
    if target != nil, !setup.hasHeader, format?.isJSON != true {
      throw ValidationError(
        "--as names a column, and with --no-header no column has a name; drop one of them, or write --format jsonl.")
    }
  }

  /// What is to be done, without the argument parser's wrappers.
  var categorization: Categorization {
    get throws {
      Categorization(
        files: files, items: item, chain: chain.choice, model: model.given, format: format, input: try input.setup(for: files),
        target: target, explain: explain, jobs: jobs, mode: mode, lineBuffered: lineBuffered, summary: summary, color: color)
    }
  }

  @MainActor
  func run() async throws { try await (try categorization).run() }
}
