import AisleCore

/// What the command line says about the input, and the parser that follows from it.
struct InputSetup: Sendable {
  let format: InputFormat
  /// The field of JSON lines that holds the item.
  let field: String
  /// The column of CSV that holds the item: its name or its number from 1.
  let column: String
  /// The fields or columns that the output adds to what a record has, the section's first; records must not have them yet. Empty where the
  /// output has none of the record's.
  let added: [String]
  /// Whether columns become fields of JSON, so that each needs a name of its own.
  var needsDistinctColumns = false

  /// Whether each input begins with a header row.
  var hasHeader: Bool { format == .csv }

  /// The parser for an input that begins with a header, or with none.
  ///
  /// - Throws: `CommandFailure` when the header is not whole, lacks the item's column, has several of its name, or one that is added.
  func parser(for header: Header?, of input: String) throws -> any RecordParser {
    switch format {
    case .lines: return LineParser()
    case .jsonl: return JSONLineParser(field: field, added: added)
    case .csv:
      guard let header else {
        throw CommandFailure(description: "\(input):1: the file is empty; CSV needs a header row with the column `\(column)`")
      }
      if header.isUnclosed {
        throw CommandFailure(description: "\(input):1: \(CSVRow.unclosed)")
      }
      if let name = added.first(where: header.columns.contains) {
        throw CommandFailure(
          description: "\(input):1: there is already a column `\(name)`; \(Self.remedy(for: name, among: added))")
      }
      if needsDistinctColumns, let name = Self.repeated(header.columns) {
        throw CommandFailure(description: "\(input):1: two columns are named `\(name)`; give each its own name for JSON output")
      }
      let places = header.columns.indices.filter { header.columns[$0] == column }
      if places.count > 1 {
        let numbers = places.map { "\($0 + 1)" }.joined(separator: ", ")
        throw CommandFailure(
          description: "\(input):1: \(places.count) columns are named `\(column)`: \(numbers); "
            + "choose one by number with --column")
      }
      if let place = places.first { return CSVParser(column: place, columnCount: header.columns.count) }
      if let number = Int(column), header.columns.indices.contains(number - 1) {
        return CSVParser(column: number - 1, columnCount: header.columns.count)
      }
      if Int(column) != nil {
        throw CommandFailure(
          description: "\(input):1: no column \(column); there are \(header.columns.count) columns, counted from 1: "
            + header.columns.joined(separator: ", "))
      }
      if header.columns.count == 1, let mark = [";", "\t", "|"].first(where: { header.columns[0].contains($0) }) {
        let name = mark == "\t" ? "a tab" : "`\(mark)`"
        throw CommandFailure(
          description: "\(input):1: fields are separated by \(name), not by commas; convert the file to CSV first")
      }
      let hint = DidYouMean.hint(column, among: header.columns)
      throw CommandFailure(
        description: "\(input):1: no column `\(column)`\(hint); name the item's column with --column: "
          + header.columns.joined(separator: ", "))
    }
  }
}

extension InputSetup {
  /// What to do about a name among those that are added, the section's first.
  static func remedy(for name: String, among added: [String]) -> String {
    name == added.first ? "choose another name with --as" : "rename it, or drop --explain, which adds one"
  }

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}

/// The first row of a CSV input.
struct Header: Sendable {
  /// The row as it was written, without its line end.
  let bytes: [UInt8]
  /// The row's line end.
  let lineEnd: String
  /// The names of the columns.
  let columns: [String]
  /// Whether a quoted name is not closed, so that the row took in what follows it.
  let isUnclosed: Bool

  /// How many lines the row takes.
  var lines: Int { 1 + bytes.count { $0 == 0x0A } }

  /// Reads a row; `nil` when it is empty.
  init?(row: [UInt8]) {
    var bytes = row
    if bytes.last == 0x0A { bytes.removeLast() }
    lineEnd = bytes.last == 0x0D ? "\r\n" : "\n"
    if bytes.last == 0x0D { bytes.removeLast() }
    let names = Array(bytes.dropFirst(Self.mark(of: bytes).count))
    guard !names.isEmpty else { return nil }
    self.bytes = bytes
    let row = names.withUnsafeBufferPointer { CSVRow($0, start: 0, end: names.count) }
    isUnclosed = row.isUnclosed
    columns = row.fields.map { String(decoding: $0.decoded(names) ?? Array(names[$0.start..<$0.end]), as: UTF8.self) }
  }

  /// The byte order mark that a row begins with; empty where there is none.
  static func mark(of row: [UInt8]) -> ArraySlice<UInt8> { row.starts(with: [0xEF, 0xBB, 0xBF]) ? row[..<3] : [] }
}
