package import AisleCore

/// A JSON object a line, or an array of them: JSON input comes back as it was with the section as one more field, anything else as `item`
/// and section.
package struct JSONLinePresenter: Presenter {
  package let input: InputFormat
  /// Whether the objects are the elements of one array.
  package let isArray: Bool
  /// The columns of a table.
  package let columns: [String]
  /// How a table's rows are cut into fields.
  package let source: TableDialect
  /// The name of the section's field.
  package let target: String
  package let explained: [StrategyMetadata]?
  package let fallback: String

  /// Makes a presenter.
  ///
  /// - Parameters:
  ///   - isArray: Whether the objects are the elements of one array.
  ///   - source: How a table's rows are cut into fields.
  ///   - explained: What the strategies of the chain tell about themselves; `nil` when nothing is to be explained.
  package init(
    input: InputFormat, isArray: Bool = false, columns: [String], source: TableDialect = .csv, target: String,
    explained: [StrategyMetadata]?, fallback: String
  ) {
    self.input = input
    self.isArray = isArray
    self.columns = columns
    self.source = source
    self.target = target
    self.explained = explained
    self.fallback = fallback
  }

  package func begin(_ output: OutputBuffer) { if isArray { output.append("[") } }

  package var separator: StaticString { isArray ? "," : "" }

  package func end(_ output: OutputBuffer, isEmpty: Bool) { if isArray { output.append(isEmpty ? "]\n" : "\n]\n") } }

  /// The elements of an array have no line break in them, but one before each.
  package func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard isArray else { return bytes[offset] == 0x0A }
    return offset + 1 == bytes.count
      || offset + 2 < bytes.count && bytes[offset + 1] == UInt8(ascii: ",") && bytes[offset + 2] == 0x0A
  }

  package func present(_ work: Workspace, _ output: OutputBuffer) {
    for index in 0..<work.batch.count {
      if work.list.blanks.contains(index) {
        if !isArray { output.append("\n") }
        continue
      }
      let fault = work.list.faults[index]
      if isArray { output.append(",\n") }
      open(index, work, isBroken: fault.map { !$0.isSound } ?? false, output)
      append(target, work.batch.sectionName(at: index), output)
      if let fault { append("error", fault.message, output) }
      if let explained {
        let explanation = Explanation(index, in: work.batch, metadata: explained)
        output.append(",\"confidence\":\(explanation.confidenceText)")
        for (name, value) in zip(Explanation.columns, explanation.values).dropFirst(2) where !value.isEmpty {
          append(name, value, output)
        }
      }
      output.append(isArray ? "}" : "}\n")
    }
  }

  /// Writes the object up to where our fields go.
  private func open(_ index: Int, _ work: Workspace, isBroken: Bool, _ output: OutputBuffer) {
    let record = work.list.records[index]
    var bytes = work.record(index)
    switch input {
    case .json where !isBroken && bytes.first == UInt8(ascii: "\""):
      output.append("{\"\(JSONArrayParser.itemField)\":")
      output.append(bytes)
    case .jsonl where !isBroken, .json where !isBroken:
      // A byte order mark may stand before a line, but not within an array.
      if isArray { bytes = bytes.drop { $0 != UInt8(ascii: "{") } }
      let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex
      output.append(bytes[..<end])
      while let last = output.bytes.last, last == 0x20 || last == 0x09 { output.dropLast() }
    case .csv where !isBroken && !columns.isEmpty, .tsv where !isBroken && !columns.isEmpty:
      let row = work.batch.text.withUnsafeBufferPointer {
        CSVRow($0, start: Int(record.start), end: Int(record.start) + Int(record.length), dialect: source)
      }
      for (place, field) in row.fields.enumerated() where place < columns.count {
        output.append(place == 0 ? "{" : ",")
        JSONText.append(columns[place].utf8, to: output)
        output.append(":")
        JSONText.append(field.decoded(work.batch.text) ?? Array(work.batch.text[field.start..<field.end]), to: output)
      }
      for name in columns.dropFirst(row.fields.count) { append(name, "", output) }
    case .lines:
      output.append("{\"item\":")
      JSONText.append(bytes, to: output)
    default:
      output.append("{\"record\":")
      JSONText.append(bytes, to: output)
    }
  }

  package func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer) {
    if part.isFirst, isArray { output.append(",\n") }
    if part.isFirst { output.append(input == .lines ? "{\"item\":\"" : "{\"record\":\"") }
    JSONText.appendContents(part.bytes, to: output)
    guard part.isLast else { return }
    output.append("\"")
    append(target, fallback, output)
    append("error", fault, output)
    if explained != nil { output.append(",\"confidence\":0.00,\"strategy\":\"none\"") }
    output.append(isArray ? "}" : "}\n")
  }

  private func append(_ name: String, _ value: String, _ output: OutputBuffer) {
    output.append(output.bytes.last == UInt8(ascii: "{") ? "" : ",")
    JSONText.append(name.utf8, to: output)
    output.append(":")
    JSONText.append(value.utf8, to: output)
  }
}
