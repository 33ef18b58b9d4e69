package import AisleCore

/// Comma-separated rows (RFC 4180) with a header: CSV input comes back as it was with the section as one more column, anything else as
/// the item and its section.
///
/// All rows have as many fields as the header, for whoever reads them strictly. A row that cannot be told apart into fields, or is too long
/// to be, comes out as it was written in the first field, with quotes doubled; the other columns of the input are then empty.
package struct CSVPresenter: Presenter, RecordEndFinder {
  package let input: InputFormat
  /// The header row of CSV input.
  package let header: Header?
  /// The new column's name.
  package let target: String
  package let explained: [StrategyMetadata]?
  package let fallback: String

  /// Makes a presenter.
  ///
  /// - Parameter explained: What the strategies of the chain tell about themselves; `nil` when nothing is to be explained.
  package init(
    input: InputFormat, header: Header?, target: String, explained: [StrategyMetadata]?, fallback: String
  ) {
    self.input = input
    self.header = header
    self.target = target
    self.explained = explained
    self.fallback = fallback
  }

  package func begin(_ output: OutputBuffer) {
    if let header {
      let mark = Header.mark(of: header.bytes).count
      output.append(header.bytes[..<mark])
      header.bytes.withUnsafeBufferPointer { Self.appendRow($0, start: mark, end: $0.count, to: output) }
    } else {
      output.append("item")
    }
    Self.append(explained == nil ? [target] : [target] + Explanation.columns.dropFirst(), to: output)
    output.append(header?.lineEnd ?? "\n")
  }

  package func present(_ work: Workspace, _ output: OutputBuffer) {
    for index in 0..<work.batch.count {
      let record = work.list.records[index]
      let lineEnd = record.terminator == 2 ? "\r\n" : "\n"
      if work.list.blanks.contains(index) {
        output.append(lineEnd)
        continue
      }
      if input != .csv {
        Self.append(work.item(index), to: output)
      } else if let fault = work.list.faults[index], fault.missingFields == 0 {
        // Not to be told apart into fields: as it was written, in the first one.
        Self.append(work.record(index), to: output)
        appendEmptyFields(output)
      } else {
        work.batch.text.withUnsafeBufferPointer {
          Self.appendRow($0, start: Int(record.start), end: Int(record.start) + Int(record.length), to: output)
        }
        output.append(String(repeating: ",", count: work.list.faults[index]?.missingFields ?? 0))
      }
      Self.append(Explanation.values(index, in: work.batch, metadata: explained), to: output)
      output.append(lineEnd)
    }
  }

  package func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer) {
    if part.isFirst { output.append("\"") }
    output.append(part.bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] })
    guard part.isLast else { return }
    output.append("\"")
    appendEmptyFields(output)
    Self.append(Explanation.values(undecided: fallback, isExplained: explained != nil), to: output)
    output.append(part.lineEnd)
  }

  package func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    bytes[offset] == 0x0A && recordEnd(from: offset + 1, in: bytes) == offset + 1
  }

  /// A newline may be part of a field, so rows are read from the first on.
  package func recordEnd(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    let rows = CSVParser(column: 0, columnCount: 0)
    return bytes.withMemoryRebound(to: UInt8.self) { bytes in
      var end = 0
      while end < offset {
        var scan = RecordScan()
        end += rows.firstRecordEnd(UnsafeBufferPointer(rebasing: bytes[end...]), &scan) ?? bytes.count - end
      }
      return end
    }
  }

  /// Appends all columns of the input but the first, without values.
  private func appendEmptyFields(_ output: OutputBuffer) {
    output.append(String(repeating: ",", count: max(0, (header?.columns.count ?? 1) - 1)))
  }

  /// Appends a row as it was written, but for fields with a bare return: readers may take it for a line end, so they are quoted.
  private static func appendRow(_ text: UnsafeBufferPointer<UInt8>, start: Int, end: Int, to output: OutputBuffer) {
    let row = UnsafeBufferPointer(rebasing: text[start..<end])
    guard row.contains(0x0D) else { return output.append(row) }
    for (place, field) in CSVRow(text, start: start, end: end).fields.enumerated() {
      if place > 0 { output.append(",") }
      if field.isQuoted {
        output.append(text[field.start - 1..<field.end + 1])
      } else {
        append(text[field.start..<field.end], to: output)
      }
    }
  }

  /// Appends more fields to a row.
  private static func append(_ fields: [String], to output: OutputBuffer) {
    for field in fields {
      output.append(",")
      append(field.utf8, to: output)
    }
  }

  /// Appends a field, quoted where it must be.
  private static func append(_ field: some Collection<UInt8>, to output: OutputBuffer) {
    let needsQuotes = field.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
    }
    guard needsQuotes else { return output.append(field) }
    output.append("\"")
    output.append(field.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] })
    output.append("\"")
  }
}

/// Finds where output may end in one pass, for formats whose records may hold newlines.
package protocol RecordEndFinder {
  /// The first place from an offset on that lies between records, or the end.
  func recordEnd(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int
}
