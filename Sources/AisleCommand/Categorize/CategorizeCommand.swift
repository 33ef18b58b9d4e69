import AisleCatalog
import AisleCore
import AisleFiles
import AisleItems
public import ArgumentParser
public import KeywordStrategy

extension InputFormat: ExpressibleByArgument {}
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
        aisle categorize --input-format jsonl --field name < items.jsonl
        aisle categorize --llm anthropic --max-cost 0.10 --summary groceries.txt

      Exit codes: 0 done; 2 a file could not be read, a store has errors, records were bad, or a language model could not be \
      asked (all other records are still written); 64 usage.
      """, aliases: ["categorise"])

  @Argument(help: "Files to read.", completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("Categorize this item instead of files. Repeatable.", valueName: "text"))
  var item: [String] = []

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  @Option(
    help: ArgumentHelp(
      "Output format: tsv, jsonl, csv, or list.",
      discussion: "Default: list on a terminal; otherwise jsonl or csv to match the input, and tsv for lines."))
  var format: OutputFormat?

  @Option(help: "Input format: lines, jsonl, or csv (default: by the files' names, .csv, .jsonl, or .ndjson; else lines).")
  var inputFormat: InputFormat?

  @Option(help: ArgumentHelp("The field of each JSON line that holds the item (default: item).", valueName: "name"))
  var field: String?

  @Option(
    help: ArgumentHelp(
      "The CSV column that holds the item: its name, or its number counted from 1 (default: item).", valueName: "name"))
  var column: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The field or column that receives the section (default: section).", valueName: "name"))
  var target: String?

  @Flag(help: "Add the confidence, strategy, keyword, span, rule, file:line, and runner-up.")
  var explain = false

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

  /// The format that was named, or else that of the files' names.
  private var settledFormat: InputFormat { inputFormat ?? files.first.map { InputFormat(path: $0) } ?? .lines }

  func validate() throws {
    if !item.isEmpty {
      if !files.isEmpty { throw ValidationError("--item takes the place of files; use one of them.") }
      if inputFormat ?? .lines != .lines {
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
    if inputFormat == nil, let other = files.first(where: { InputFormat(path: $0) != settledFormat }) {
      throw ValidationError(
        "\(files[0]) is \(settledFormat.rawValue) by its name and \(other) is \(InputFormat(path: other).rawValue); say which with --input-format."
      )
    }
    let inputFormat = settledFormat
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256, not \(jobs).") }
    if mode != nil, chain.chain != nil {
      throw ValidationError("--mode cannot be combined with --chain; write --chain 'keyword(mode=…)'.")
    }
    if target?.isEmpty == true { throw ValidationError("--as needs a name.") }
    let writesItem = inputFormat == .lines || inputFormat == .jsonl && format == .csv
    let taken = Explanation.columns.dropFirst() + ["error", "record"] + (writesItem ? ["item"] : [])
    if let target, taken.contains(target) {
      throw ValidationError("--as \(target): the output already has a field with this name; choose another.")
    }
    if field != nil, inputFormat != .jsonl { throw ValidationError("--field needs jsonl input; add --input-format jsonl.") }
    if column != nil, inputFormat != .csv { throw ValidationError("--column needs csv input; add --input-format csv.") }
    if target != nil, let format, format == .tsv || format == .list {
      throw ValidationError("--as names a field or column of jsonl or csv output; \(format.rawValue) output has none.")
    }
  }

  /// What is to be done, without the argument parser's wrappers.
  var categorization: Categorization {
    Categorization(
      files: files, items: item, chain: chain.choice, model: model.given, format: format, inputFormat: settledFormat,
      field: field,
      column: column, target: target, explain: explain, jobs: jobs, mode: mode, lineBuffered: lineBuffered, summary: summary,
      color: color)
  }

  @MainActor
  func run() async throws { try await categorization.run() }
}
