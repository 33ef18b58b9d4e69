import AisleCore
import AisleFiles
import AisleItems
import ArgumentParser

/// What the command line says about the input, and the parser that follows from it.
struct InputSetup: Sendable {
  var format = InputFormat.lines
  /// Whether the format was named, and does not come from the files' names.
  var isFormatNamed = false
  /// The field of JSON that holds the item.
  var field = "item"
  /// The column of a table that holds the item: its name or its number from 1. `nil` for `item`, and for the first of a table without
  /// a header.
  var column: String?
  /// What separates the fields of CSV; `nil` for commas.
  var delimiter: UInt8?
  /// Whether a table begins with a header row.
  var hasHeader = true
  /// The fields or columns that the output adds to what a record has, the section's first; records must not have them yet. Empty where the
  /// output has none of the record's.
  var added: [String] = []
  /// Whether columns become fields of JSON, so that each needs a name of its own.
  var needsDistinctColumns = false

  /// How a table's rows are cut into fields.
  var dialect: TableDialect { format == .tsv ? .tsv : delimiter.map { TableDialect(delimiter: $0) } ?? .csv }

  /// The parser for an input that begins with a row of a table, or with none.
  ///
  /// - Throws: `CommandFailure` when the header is not whole, lacks the item's column, has several of its name, or one that is added.
  func parser(for header: Header?, of input: String) throws -> any RecordParser {
    switch format {
    case .lines: return LineParser()
    case .jsonl: return JSONLineParser(field: field, added: added)
    case .json: return JSONArrayParser(field: field, added: added)
    case .csv, .tsv:
      guard let header else {
        // A table without a header may have no rows.
        if !hasHeader { return CSVParser(column: 0, columnCount: 1, dialect: dialect, hasHeader: false) }
        throw CommandFailure(
          description:
            "\(input):1: the file is empty; \(format.rawValue.uppercased()) needs a header row with the column `\(column ?? "item")`"
        )
      }
      let place = try itemPlace(in: header, of: input)
      return CSVParser(column: place, columnCount: header.columns.count, dialect: dialect, hasHeader: hasHeader)
    }
  }

  /// What to say of a header row that may be a record: a number finds its column in any row, so nothing else would tell.
  func remark(on header: Header?, of input: String) -> String? {
    guard let header, !header.isRecord, let column, !header.columns.contains(column), let number = Int(column),
      header.columns.indices.contains(number - 1)
    else { return nil }
    let name = header.columns[number - 1]
    return "\(input):1: `\(name)` is taken as the name of column \(number); if it is an item, add --no-header"
  }

  /// The item's column, counted from 0.
  private func itemPlace(in header: Header, of input: String) throws(CommandFailure) -> Int {
    let columns = header.columns
    func fault(_ message: String) -> CommandFailure { CommandFailure(description: "\(input):1: \(message)") }
    if header.isUnclosed, !header.isRecord { throw fault(CSVRow.unclosed) }
    if let name = added.first(where: columns.contains) {
      throw fault("there is already a column `\(name)`; \(ItemField.remedy(for: name, among: added))")
    }
    if needsDistinctColumns, let name = Self.repeated(columns) {
      throw fault("two columns are named `\(name)`; give each its own name for JSON output")
    }
    let column = column ?? (header.isRecord ? "1" : "item")
    let places = columns.indices.filter { columns[$0] == column }
    if places.count > 1 {
      let numbers = places.map { "\($0 + 1)" }.joined(separator: ", ")
      throw fault("\(places.count) columns are named `\(column)`: \(numbers); choose one by number with --column")
    }
    if let place = places.first { return place }
    let number = Int(column)
    if let number, columns.indices.contains(number - 1) { return number - 1 }
    if let remedy = otherDelimiter(in: header) { throw fault(remedy) }
    if number != nil {
      let count = columns.count == 1 ? "there is 1 column" : "there are \(columns.count) columns"
      throw fault("no column \(column); \(count)\(header.isRecord ? "" : ", counted from 1: " + DidYouMean.list(columns))")
    }
    // One that differs in blanks alone is surely meant.
    let same = columns.first { $0.trimmed.lowercased() == column.trimmed.lowercased() }
    let hint = same.map { "; did you mean `\($0)`?" } ?? DidYouMean.hint(column, among: columns)
    let list = DidYouMean.list(columns)
    throw fault(
      hint.isEmpty
        ? "no column `\(column)`; choose one of \(list) with --column, or add --no-header if row 1 is an item"
        : "no column `\(column)`\(hint) If not, choose one of \(list) with --column")
  }

  /// What separates fields in the tables that people have, and how --delimiter is told so.
  static let delimiters: [(byte: UInt8, name: String)] = [
    (0x09, "tab"), (UInt8(ascii: ";"), "';'"), (UInt8(ascii: "|"), "'|'"), (UInt8(ascii: ","), "','"),
  ]

  /// What to say of a row that is one field, and seems to be written with another delimiter.
  private func otherDelimiter(in header: Header) -> String? {
    guard header.columns.count == 1 else { return nil }
    let row = header.bytes
    guard let (byte, name) = Self.delimiters.first(where: { $0.byte != dialect.delimiter && row.contains($0.byte) }) else {
      return nil
    }
    let delimiters = TableDialect(delimiter: byte).delimiters
    let format = format == .csv ? "" : "--input-format csv "
    return "fields seem to be separated by \(delimiters), not by \(dialect.delimiters); add \(format)--delimiter \(name)"
  }

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}

extension InputSetup {
  /// What the names of files say, where nothing else is said.
  ///
  /// - Throws: `ValidationError` where they say several formats.
  init(files: [String]) throws(ValidationError) {
    self.init()
    // What is wrong with the others is said when they are opened. A word that is no file is likely the value of an unknown option.
    let known = files.filter { !InputMark.isForeign($0) && ($0.contains { $0 == "." || $0 == "-" } || FileReader.isFile($0)) }
    format = known.first.map { InputFormat(path: $0) } ?? .lines
    if let other = known.first(where: { InputFormat(path: $0) != format }) {
      throw ValidationError(
        "\(known[0]) is \(format.rawValue) by its name and \(other) is \(InputFormat(path: other).rawValue); "
          + "say which with --input-format.")
    }
  }
}
