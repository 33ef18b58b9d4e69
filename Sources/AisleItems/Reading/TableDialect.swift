/// How the rows of a table are cut into fields.
package struct TableDialect: Sendable, Hashable {
  /// The ASCII character between two fields.
  package let delimiter: UInt8
  /// Whether quotes around a field let it hold delimiters, doubled quotes, and line ends; else a field is all bytes between two
  /// delimiters.
  package let hasQuotes: Bool

  /// Comma-separated values (RFC 4180).
  package static let csv = TableDialect(delimiter: UInt8(ascii: ","))
  /// Tab-separated values (`text/tab-separated-values` of IANA).
  package static let tsv = TableDialect(delimiter: 0x09, hasQuotes: false)

  /// Makes a dialect of CSV with another delimiter.
  package init(delimiter: UInt8) { self.init(delimiter: delimiter, hasQuotes: true) }

  private init(delimiter: UInt8, hasQuotes: Bool) {
    self.delimiter = delimiter
    self.hasQuotes = hasQuotes
  }

  /// What delimiters are called in a message, such as `commas`.
  package var delimiters: String {
    switch delimiter {
    case UInt8(ascii: ","): "commas"
    case UInt8(ascii: ";"): "semicolons"
    case 0x09: "tabs"
    case UInt8(ascii: "|"): "vertical bars"
    default: "`\(Character(Unicode.Scalar(delimiter)))`"
    }
  }
}
