import AisleItems
import ArgumentParser

extension InputFormat: ExpressibleByArgument {}

/// How the input lies in its files: shared by the commands that read items from files.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Input format: lines, jsonl, json, csv, or tsv.",
      discussion: "Default: by the files' names, .jsonl, .ndjson, .json, .csv, .tsv, or .tab; else lines."))
  var inputFormat: InputFormat?

  @Option(
    help: ArgumentHelp(
      "The field of each JSON object that holds the item; product.name is the field `name` of the object `product` (default: item).",
      valueName: "name"))
  var field: String?

  @Option(
    help: ArgumentHelp(
      "The column of csv or tsv that holds the item: its name, or its number counted from 1 (default: item).", valueName: "name"))
  var column: String?

  @Option(
    help: ArgumentHelp(
      "What separates the fields of csv: one ASCII character, or comma, semicolon, tab, or pipe (default: comma).",
      valueName: "char")
  )
  var delimiter: String?

  @Flag(help: "Row 1 of csv or tsv is a record, not a header; --column is a number (default: 1).")
  var noHeader = false

  /// What the options say of some files.
  ///
  /// - Throws: `ValidationError` where files are of several formats by their names, or an option does not suit the format.
  func setup(for files: [String]) throws -> InputSetup {
    var setup = try inputFormat.map { InputSetup(format: $0, isFormatNamed: true) } ?? InputSetup(files: files)
    if let field {
      guard setup.format.isJSON else {
        throw ValidationError("--field needs jsonl or json input; add --input-format jsonl or --input-format json.")
      }
      setup.field = field
    }
    guard setup.format.isTable || column == nil && !noHeader else {
      let option = column == nil ? "--no-header" : "--column"
      throw ValidationError("\(option) needs csv or tsv input; add --input-format csv or --input-format tsv.")
    }
    (setup.column, setup.hasHeader) = (column, !noHeader)
    if noHeader, let column, Int(column).map({ $0 > 0 }) != true {
      throw ValidationError(
        "--column must be a number counted from 1 with --no-header, not `\(column)`: without a header, no column has a name.")
    }
    if let delimiter {
      guard setup.format == .csv else { throw ValidationError("--delimiter needs csv input; add --input-format csv.") }
      setup.delimiter = try Self.byte(of: delimiter)
    }
    return setup
  }

  private static func byte(of delimiter: String) throws -> UInt8 {
    switch delimiter.lowercased() {
    case "comma": return UInt8(ascii: ",")
    case "semicolon": return UInt8(ascii: ";")
    case "tab", "\\t": return 0x09
    case "pipe": return UInt8(ascii: "|")
    default: break
    }
    guard delimiter.utf8.count == 1, let byte = delimiter.utf8.first, byte == 0x09 || 0x20..<0x7F ~= byte,
      byte != UInt8(ascii: "\"")
    else {
      throw ValidationError(
        "--delimiter must be one ASCII character other than a quotation mark, or comma, semicolon, tab, or pipe, not `\(delimiter)`."
      )
    }
    return byte
  }
}
