import AisleCore

/// The first row of a table.
package struct Header: Sendable {
  /// The row as it was written, without its line end.
  package let bytes: [UInt8]
  /// The row's line end.
  package let lineEnd: String
  /// The names of the columns; their numbers, counted from 1, where the row is a record.
  package let columns: [String]
  /// Whether the table has no header, and the row is its first record.
  package let isRecord: Bool
  /// Whether a quoted name is not closed, so that the row took in what follows it.
  package let isUnclosed: Bool

  /// How many lines the row takes.
  package var lines: Int { 1 + bytes.count { $0 == 0x0A } }

  /// Reads a row; `nil` when it is empty.
  package init?(row: [UInt8], dialect: TableDialect, isRecord: Bool = false) {
    self.isRecord = isRecord
    var bytes = row
    if bytes.last == 0x0A { bytes.removeLast() }
    lineEnd = bytes.last == 0x0D ? "\r\n" : "\n"
    if bytes.last == 0x0D { bytes.removeLast() }
    let names = Array(bytes.dropFirst(Self.mark(of: bytes).count))
    guard !names.isEmpty else { return nil }
    self.bytes = bytes
    let row = names.withUnsafeBufferPointer { CSVRow($0, start: 0, end: names.count, dialect: dialect) }
    isUnclosed = row.isUnclosed
    columns = row.fields.enumerated().map { place, field in
      isRecord ? "\(place + 1)" : String(decoding: field.decoded(names) ?? Array(names[field.start..<field.end]), as: UTF8.self)
    }
  }

  /// The byte order mark that a row begins with; empty where there is none.
  package static func mark(of row: [UInt8]) -> ArraySlice<UInt8> { row.prefix(ByteOrderMark.length(in: row)) }
}
