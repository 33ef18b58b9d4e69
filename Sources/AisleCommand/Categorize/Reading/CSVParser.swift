import AisleCore

/// Comma-separated rows (RFC 4180): fields may be quoted, and a quoted one may hold commas, doubled quotes and line ends.
struct CSVParser: RecordParser {
  /// The item's column, from 0.
  let column: Int
  /// How many columns the header has.
  let columnCount: Int

  func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
    var scan = RecordScan()
    var end = 0
    var seen = 0
    while seen < limit, let next = firstRecordEnd(UnsafeBufferPointer(rebasing: bytes[end...]), &scan) {
      end += next
      seen += 1
      scan = RecordScan()
    }
    return end
  }

  func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int? {
    var offset = 0
    if scan.pendingQuote, let next = bytes.first {
      scan.pendingQuote = false
      if next == UInt8(ascii: "\"") { offset = 1 } else { scan.isQuoted = false }
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x0A { scan.lines += 1 }
      if scan.isQuoted {
        guard byte == UInt8(ascii: "\"") else { continue }
        if offset == bytes.count {
          scan.pendingQuote = true
        } else if bytes[offset] == byte {
          offset += 1
        } else {
          scan.isQuoted = false
        }
      } else {
        switch byte {
        case 0x0A:
          scan.beginsField = true
          return offset
        case UInt8(ascii: ","): scan.beginsField = true
        case UInt8(ascii: "\"") where scan.beginsField: (scan.isQuoted, scan.beginsField) = (true, false)
        default: scan.beginsField = false
        }
      }
    }
    return nil
  }

  func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    var start = 0
    var line = 0
    while start < count {
      let row = text.withUnsafeBufferPointer { CSVRow($0, start: start, end: count) }
      let place = list.records.count
      list.records.append(
        Record(
          start: UInt32(start), length: UInt32(row.end - start), terminator: UInt8(row.next - row.end)))
      if let fault = fault(of: row) {
        list.faults[place] = RecordFault(
          line: line, message: fault, missingFields: row.isUnclosed ? 0 : max(0, columnCount - row.fields.count))
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
      } else if row.end == start {
        list.blanks.insert(place)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
      } else {
        let field = row.fields[column]
        if let value = field.decoded(text) {
          list.extents.append(appendDecoded(value, to: &text))
        } else {
          list.extents.append(Batch.Extent(start: UInt32(field.start), length: UInt32(field.end - field.start)))
        }
      }
      line += row.lines
      start = row.next
    }
    list.lineCount = line
  }

  private func fault(of row: CSVRow) -> String? {
    if row.isUnclosed { return CSVRow.unclosed }
    if row.end > row.start, row.fields.count != columnCount {
      return
        "has \(row.fields.count) field\(row.fields.count == 1 ? "" : "s") but the header has \(columnCount); quote fields that contain commas"
    }
    return nil
  }
}

/// One row, cut into fields.
struct CSVRow {
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
  static let unclosed = "a quoted field is not closed, or has text after its closing quote; double each quote inside a field"

  let start: Int
  /// The end of the row without its line end.
  private(set) var end: Int
  /// Where the next row begins.
  private(set) var next: Int
  private(set) var lines = 1
  private(set) var isUnclosed = false
  private(set) var fields: [Field] = []

  init(_ text: UnsafeBufferPointer<UInt8>, start: Int, end limit: Int) {
    self.start = start
    (end, next) = (limit, limit)
    var offset = start
    while true {
      var field = Field(start: offset, end: offset)
      if offset < limit, text[offset] == UInt8(ascii: "\"") {
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
      while offset < limit, text[offset] != UInt8(ascii: ","), text[offset] != 0x0A { offset += 1 }
      if !field.isQuoted {
        field.end = offset
      } else if offset > resume, !isLineEnd(text, resume, offset, limit: limit) {
        isUnclosed = true
      }
      if offset < limit, text[offset] == UInt8(ascii: ",") {
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
