import AisleCore

/// Comma-separated rows (RFC 4180): fields may be quoted, and a quoted one may hold commas, doubled quotes and line ends.
package struct CSVParser: RecordParser {
  /// The item's column, from 0.
  package let column: Int
  /// How many columns the header has.
  package let columnCount: Int

  /// Makes a parser of rows below a header.
  package init(column: Int, columnCount: Int) {
    self.column = column
    self.columnCount = columnCount
  }

  package func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
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

  package func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int? {
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

  package func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
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
