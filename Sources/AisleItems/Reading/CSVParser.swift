import AisleCore

/// The rows of a table: of CSV (RFC 4180), where a quoted field may hold delimiters, doubled quotes and line ends, or of TSV.
package struct CSVParser: RecordParser {
  /// The item's column, from 0.
  package let column: Int
  /// How many columns the first row has.
  package let columnCount: Int
  /// How rows are cut into fields.
  package let dialect: TableDialect
  /// Whether the first row is a header.
  package let hasHeader: Bool

  /// Makes a parser of rows.
  package init(column: Int, columnCount: Int, dialect: TableDialect = .csv, hasHeader: Bool = true) {
    self.column = column
    self.columnCount = columnCount
    self.dialect = dialect
    self.hasHeader = hasHeader
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
    let (delimiter, hasQuotes) = (dialect.delimiter, dialect.hasQuotes)
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
        case delimiter: scan.beginsField = true
        case UInt8(ascii: "\"") where hasQuotes && scan.beginsField:
          (scan.isQuoted, scan.beginsField, scan.linesBeforeQuote) = (true, false, scan.lines)
        default: scan.beginsField = false
        }
      }
    }
    return nil
  }

  /// Where the first row of a text lies, with its line end; `nil` when it goes on. A byte order mark is in it. Blank lines may stand before
  /// one that is no header.
  package func firstRow(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var (start, end) = (0, ByteOrderMark.length(in: text))
    var scan = RecordScan()
    while let length = firstRecordEnd(UnsafeBufferPointer(rebasing: text[end...]), &scan) {
      end += length
      if hasHeader || text[start..<end].contains(where: { $0 != 0x0A && $0 != 0x0D }) { return start..<end }
      (start, scan) = (end, RecordScan())
    }
    return nil
  }

  package func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    var start = 0
    var line = 0
    while start < count {
      let row = text.withUnsafeBufferPointer { CSVRow($0, start: start, end: count, dialect: dialect) }
      let place = list.records.count
      list.records.append(
        Record(
          start: UInt32(start), length: UInt32(row.end - start), terminator: UInt8(row.next - row.end)))
      if !row.isUnclosed, row.end > row.start, row.fields.count < columnCount {
        list.missingFields[place] = columnCount - row.fields.count
      }
      if let fault = fault(of: row) {
        list.faults[place] = RecordFault(line: line, message: fault)
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
    // Cells at the end of a row may be left out, but not the item's.
    guard row.end > row.start, row.fields.count > columnCount || row.fields.count <= column else { return nil }
    let count =
      "this row has \(counted(row.fields.count, "field")), but the \(hasHeader ? "header" : "first row") has \(columnCount)"
    if row.fields.count <= column { return "\(count); add the item in column \(column + 1)" }
    let remedy =
      dialect.hasQuotes ? "quote fields that contain \(dialect.delimiters)" : "each \(dialect.delimiters.dropLast()) ends a field"
    return "\(count); \(remedy)"
  }
}
