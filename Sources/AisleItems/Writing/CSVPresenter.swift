package import AisleCore

/// Rows of a table with a header: a table comes back as it was with the section as one more column, anything else as the item and its
/// section.
///
/// All rows have as many fields as the header, for whoever reads them strictly. A row that cannot be told apart into fields, or is too long
/// to be, comes out as it was written in the first field, with quotes doubled; the other columns of the input are then empty. In TSV, where
/// nothing can be quoted, its tabs and line ends are written `\t`, `\n` and `\r`.
package struct CSVPresenter: Presenter, RecordEndFinder {
  package let input: InputFormat
  /// The first row of a table.
  package let header: Header?
  /// How the rows of the input are cut into fields.
  package let source: TableDialect
  /// How the rows are written.
  package let dialect: TableDialect
  /// The new column's name.
  package let target: String
  package let explained: [StrategyMetadata]?
  package let fallback: String

  /// Makes a presenter.
  ///
  /// - Parameters:
  ///   - source: How the rows of the input are cut into fields.
  ///   - dialect: How the rows are written.
  ///   - explained: What the strategies of the chain tell about themselves; `nil` when nothing is to be explained.
  package init(
    input: InputFormat, header: Header?, source: TableDialect = .csv, dialect: TableDialect = .csv, target: String,
    explained: [StrategyMetadata]?, fallback: String
  ) {
    self.input = input
    self.header = header
    self.source = source
    self.dialect = dialect
    self.target = target
    self.explained = explained
    self.fallback = fallback
  }

  package func begin(_ output: OutputBuffer) {
    if let header {
      let mark = Header.mark(of: header.bytes).count
      output.append(header.bytes[..<mark])
      if header.isRecord { return }
      header.bytes.withUnsafeBufferPointer { appendRow($0, start: mark, end: $0.count, to: output) }
    } else if input.isTable {
      // One without a header, and without rows.
      return
    } else {
      output.append("item")
    }
    append(explained == nil ? [target] : [target] + Explanation.columns.dropFirst(), to: output)
    output.append(header?.lineEnd ?? "\n")
  }

  package func present(_ work: Workspace, _ output: OutputBuffer) {
    for index in 0..<work.batch.count {
      let record = work.list.records[index]
      let lineEnd = record.terminator == 2 && input.isTable ? "\r\n" : "\n"
      if work.list.blanks.contains(index) {
        output.append(lineEnd)
        continue
      }
      if !input.isTable {
        append(work.item(index), to: output)
      } else if work.list.faults[index] != nil, work.list.missingFields[index] == nil {
        // Not to be told apart into fields: as it was written, in the first one.
        append(work.record(index), to: output)
        appendEmptyFields(output)
      } else {
        work.batch.text.withUnsafeBufferPointer {
          appendRow($0, start: Int(record.start), end: Int(record.start) + Int(record.length), to: output)
        }
        appendDelimiters(work.list.missingFields[index] ?? 0, to: output)
      }
      append(Explanation.values(index, in: work.batch, metadata: explained), to: output)
      output.append(lineEnd)
    }
  }

  package func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer) {
    let quote = dialect.hasQuotes ? "\"" : ""
    if part.isFirst { output.append(quote) }
    output.append(escaped(part.bytes))
    guard part.isLast else { return }
    output.append(quote)
    appendEmptyFields(output)
    append(Explanation.values(undecided: fallback, isExplained: explained != nil), to: output)
    output.append(input.isTable ? part.lineEnd : "\n")
  }

  package func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    bytes[offset] == 0x0A && recordEnd(from: offset + 1, in: bytes) == offset + 1
  }

  /// A newline may be part of a field, so rows are read from the first on.
  package func recordEnd(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    let rows = CSVParser(column: 0, columnCount: 0, dialect: dialect)
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
    appendDelimiters(max(0, (header?.columns.count ?? 1) - 1), to: output)
  }

  private func appendDelimiters(_ count: Int, to output: OutputBuffer) {
    output.append(Array(repeating: dialect.delimiter, count: count))
  }

  /// Appends a row as it was written, but for fields with a bare return: readers may take it for a line end, so they are quoted.
  private func appendRow(_ text: UnsafeBufferPointer<UInt8>, start: Int, end: Int, to output: OutputBuffer) {
    let row = UnsafeBufferPointer(rebasing: text[start..<end])
    guard dialect != source || dialect.hasQuotes && row.contains(0x0D) else { return output.append(row) }
    for (place, field) in CSVRow(text, start: start, end: end, dialect: source).fields.enumerated() {
      if place > 0 { appendDelimiters(1, to: output) }
      if field.isQuoted {
        output.append(text[field.start - 1..<field.end + 1])
      } else {
        append(text[field.start..<field.end], to: output)
      }
    }
  }

  /// Appends more fields to a row.
  private func append(_ fields: [String], to output: OutputBuffer) {
    for field in fields {
      appendDelimiters(1, to: output)
      append(field.utf8, to: output)
    }
  }

  /// Appends a field, quoted where it must be.
  private func append(_ field: some Collection<UInt8>, to output: OutputBuffer) {
    let needsQuotes = field.contains { $0 == dialect.delimiter || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return output.append(field) }
    let quote = dialect.hasQuotes ? "\"" : ""
    output.append(quote)
    output.append(escaped(field))
    output.append(quote)
  }

  /// What stands for bytes between quotes, or in a field of TSV.
  private func escaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
    dialect.hasQuotes ? bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] } : TSVPresenter.escaped(bytes)
  }
}

/// Finds where output may end in one pass, for formats whose records may hold newlines.
package protocol RecordEndFinder {
  /// The first place from an offset on that lies between records, or the end.
  func recordEnd(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int
}
