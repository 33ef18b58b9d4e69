import AisleCore
import AisleItems

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
    case .jsonl: return JSONLineParser(field: field, added: added, remedies: Self.remedies)
    case .csv:
      guard let header else {
        throw CommandFailure(description: "\(input):1: the file is empty; CSV needs a header row with the column `\(column)`")
      }
      if header.isUnclosed {
        throw CommandFailure(description: "\(input):1: \(CSVRow.unclosed)")
      }
      if let name = added.first(where: header.columns.contains) {
        throw CommandFailure(
          description: "\(input):1: there is already a column `\(name)`; \(Self.remedies.remedy(for: name, among: added))")
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
  /// What to do about fields and columns, with the options that do it.
  private static let remedies = {
    var remedies = FieldRemedies()
    remedies.missing = "name the item's field with --field"
    remedies.taken = "choose another name with --as"
    remedies.explained = "rename it, or drop --explain, which adds one"
    return remedies
  }()

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}
