import AisleCore

/// Comma-separated rows (RFC 4180) with a header: CSV input comes back as it was with the section as one more column, anything else as
/// the item and its section.
struct CSVPresenter: Presenter, RecordEndFinder {
  let input: InputFormat
  /// The header row of CSV input.
  let header: Header?
  /// The new column's name.
  let target: String
  let explained: [StrategyMetadata]?
  let fallback: String

  func begin(_ output: OutputBuffer) {
    output.append(header?.bytes ?? Array("item".utf8))
    Self.append(explained == nil ? [target] : [target] + Explanation.columns.dropFirst(), to: output)
    output.append(header?.lineEnd ?? "\n")
  }

  func present(_ work: Workspace, _ output: OutputBuffer) {
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
        output.append(String(repeating: ",", count: max(0, (header?.columns.count ?? 1) - 1)))
      } else {
        output.append(work.record(index))
        output.append(String(repeating: ",", count: work.list.faults[index]?.missingFields ?? 0))
      }
      Self.append(Explanation.values(index, in: work.batch, metadata: explained), to: output)
      output.append(lineEnd)
    }
  }

  func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer) {
    if input == .csv {
      output.append(part.bytes)
    } else {
      if part.isFirst { output.append("\"") }
      output.append(part.bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] })
      if part.isLast { output.append("\"") }
    }
    guard part.isLast else { return }
    Self.append(Explanation.values(undecided: fallback, isExplained: explained != nil), to: output)
    output.append(part.lineEnd)
  }

  func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    bytes[offset] == 0x0A && recordEnd(from: offset + 1, in: bytes) == offset + 1
  }

  /// A newline may be part of a field, so rows are read from the first on.
  func recordEnd(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
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
protocol RecordEndFinder {
  /// The first place from an offset on that lies between records, or the end.
  func recordEnd(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int
}
