import AisleCatalog
import AisleCore
import AisleFiles
public import ArgumentParser
public import KeywordStrategy

extension InputFormat: ExpressibleByArgument {}
extension OutputFormat: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
extension KeywordStrategy.Mode: ExpressibleByArgument {}

struct CategorizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "categorize", abstract: "Read items, write each with its section.",
    discussion: """
      Reads standard input when no file is named; `-` names it among files. One record comes out for each record that goes in, in \
      order, with the item's bytes as they were. On a terminal the items are shown as a shopping list. A record of more than \
      256 KiB is not categorized. In csv it comes out quoted in the first column, as a row does that has too many fields or a quote \
      that is not closed, so that all rows have as many. What is written to a terminal has no control or invisible characters; in a \
      pipe or file the bytes stay. A file that the results go to is refused as input. A long list is kept in a file in TMPDIR.

      Examples:
        printf 'oat milk\\n2 lbs chicken thighs\\n' | aisle categorize
        aisle categorize --format list --explain groceries.txt
        aisle categorize --input-format csv --column name orders.csv
        aisle categorize --input-format jsonl --field name < items.jsonl
        aisle categorize --llm anthropic --max-cost 0.10 --summary groceries.txt

      Exit codes: 0 done; 2 a file could not be read, a store is broken, records were bad or a language model could not be asked \
      (everything else is still written); 64 usage.
      """, aliases: ["categorise"])

  @Argument(help: "Files to read.", completion: .file())
  var files: [String] = []

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  @Option(
    help: ArgumentHelp(
      "Output: tsv, jsonl, csv or list.",
      discussion: "Default: list on a terminal; else jsonl or csv for such input, tsv for lines."))
  var format: OutputFormat?

  @Option(help: "Input: lines, jsonl or csv.")
  var inputFormat = InputFormat.lines

  @Option(help: ArgumentHelp("The field of JSON lines that holds the item (default: item).", valueName: "name"))
  var field: String?

  @Option(
    help: ArgumentHelp(
      "The column of CSV that holds the item: its name, or its number from 1 (default: item).", valueName: "name"))
  var column: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The field or column that receives the section (default: section).", valueName: "name"))
  var target: String?

  @Flag(help: "Add confidence, strategy, keyword, span, rule, file:line and runner-up.")
  var explain = false

  @Option(help: ArgumentHelp("How many cores to use, 1 to 256. Default: all.", valueName: "count"))
  var jobs: Int?

  @Option(help: "How keywords match, when they alone decide: phrase, or substring (the classic way).")
  var mode: KeywordStrategy.Mode?

  @Flag(help: "Answer each record before reading the next.")
  var lineBuffered = false

  @Flag(help: "Say on standard error what was done.")
  var summary = false

  @Option(help: "Color: auto, always or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256, not \(jobs).") }
    if mode != nil, chain.chain != nil { throw ValidationError("--mode goes with no --chain; write --chain 'keyword(mode=…)'.") }
    if target?.isEmpty == true { throw ValidationError("--as needs a name.") }
    let writesItem = inputFormat == .lines || inputFormat == .jsonl && format == .csv
    let taken = Explanation.columns.dropFirst() + ["error", "record"] + (writesItem ? ["item"] : [])
    if let target, taken.contains(target) {
      throw ValidationError("--as \(target) is a name that results have already; choose another.")
    }
    if field != nil, inputFormat != .jsonl { throw ValidationError("--field needs --input-format jsonl.") }
    if column != nil, inputFormat != .csv { throw ValidationError("--column needs --input-format csv.") }
    if target != nil, let format, format == .tsv || format == .list {
      throw ValidationError("--as names a field or column of jsonl or csv output; \(format.rawValue) has no names.")
    }
  }

  /// What is to be done, without the argument parser's wrappers.
  var categorization: Categorization {
    Categorization(
      files: files, chain: chain.choice, model: model.given, format: format, inputFormat: inputFormat, field: field,
      column: column, target: target, explain: explain, jobs: jobs, mode: mode, lineBuffered: lineBuffered, summary: summary,
      color: color)
  }

  @MainActor
  func run() async throws { try await categorization.run() }
}
