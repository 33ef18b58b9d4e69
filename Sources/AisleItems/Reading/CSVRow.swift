/// One row, cut into fields.
package struct CSVRow {
  struct Field {
    var start: Int
    var end: Int
    var isQuoted = false
    var hasQuotes = false

    /// The value of a field that is not simply its bytes; `nil` when it is.
    func decoded(_ text: [UInt8]) -> [UInt8]? {
      guard isQuoted else { return nil }
      guard hasQuotes else { return Array(text[start..<end]) }
      var value: [UInt8] = []
      var offset = start
      while offset < end {
        value.append(text[offset])
        offset += text[offset] == UInt8(ascii: "\"") ? 2 : 1
      }
      return value
    }
  }

  /// What is wrong with a row that `isUnclosed`.
  package static let unclosed =
    "a quoted field is not closed, or has text after its closing quote; double each quote inside a field"

  let start: Int
  /// The end of the row without its line end.
  private(set) var end: Int
  /// Where the next row begins.
  private(set) var next: Int
  private(set) var lines = 1
  private(set) var isUnclosed = false
  private(set) var fields: [Field] = []

  init(_ text: UnsafeBufferPointer<UInt8>, start: Int, end limit: Int, dialect: TableDialect) {
    let (delimiter, hasQuotes) = (dialect.delimiter, dialect.hasQuotes)
    self.start = start
    (end, next) = (limit, limit)
    var offset = start
    while true {
      var field = Field(start: offset, end: offset)
      if hasQuotes, offset < limit, text[offset] == UInt8(ascii: "\"") {
        field.isQuoted = true
        field.start = offset + 1
        offset += 1
        var isClosed = false
        while offset < limit, !isClosed {
          if text[offset] == UInt8(ascii: "\"") {
            if offset + 1 < limit, text[offset + 1] == UInt8(ascii: "\"") {
              field.hasQuotes = true
              offset += 1
            } else {
              isClosed = true
            }
          } else if text[offset] == 0x0A {
            lines += 1
          }
          offset += 1
        }
        field.end = isClosed ? offset - 1 : offset
        if !isClosed { isUnclosed = true }
      }
      let resume = offset
      while offset < limit, text[offset] != delimiter, text[offset] != 0x0A { offset += 1 }
      if !field.isQuoted {
        field.end = offset
      } else if offset > resume, !isLineEnd(text, resume, offset, limit: limit) {
        isUnclosed = true
      }
      if offset < limit, text[offset] == delimiter {
        fields.append(field)
        offset += 1
        continue
      }
      end = offset
      if offset < limit {
        next = offset + 1
        if offset > start, text[offset - 1] == 0x0D {
          end = offset - 1
          if !field.isQuoted { field.end = max(field.start, end) }
        }
      }
      fields.append(field)
      return
    }
  }

  /// Whether what lies between two places is the return of a line end, which a newline follows.
  private func isLineEnd(_ text: UnsafeBufferPointer<UInt8>, _ from: Int, _ to: Int, limit: Int) -> Bool {
    to - from == 1 && text[from] == 0x0D && to < limit && text[to] == 0x0A
  }
}
