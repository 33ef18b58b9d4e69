package import AisleCore

/// A JSON object a line: JSON input comes back as it was with the section as one more field, anything else as `item` and section.
package struct JSONLinePresenter: Presenter {
  package let input: InputFormat
  /// The columns of CSV input.
  package let columns: [String]
  /// The name of the section's field.
  package let target: String
  package let explained: [StrategyMetadata]?
  package let fallback: String

  /// Makes a presenter.
  ///
  /// - Parameter explained: What the strategies of the chain tell about themselves; `nil` when nothing is to be explained.
  package init(
    input: InputFormat, columns: [String], target: String, explained: [StrategyMetadata]?, fallback: String
  ) {
    self.input = input
    self.columns = columns
    self.target = target
    self.explained = explained
    self.fallback = fallback
  }

  package func present(_ work: Workspace, _ output: OutputBuffer) {
    for index in 0..<work.batch.count {
      if work.list.blanks.contains(index) {
        output.append("\n")
        continue
      }
      let fault = work.list.faults[index]
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
      output.append("}\n")
    }
  }

  /// Writes the object up to where our fields go.
  private func open(_ index: Int, _ work: Workspace, isBroken: Bool, _ output: OutputBuffer) {
    let record = work.list.records[index]
    let bytes = work.record(index)
    switch input {
    case .jsonl where !isBroken:
      let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex
      output.append(bytes[..<end])
      while let last = output.bytes.last, last == 0x20 || last == 0x09 { output.dropLast() }
    case .csv where !isBroken && !columns.isEmpty:
      let row = work.batch.text.withUnsafeBufferPointer {
        CSVRow($0, start: Int(record.start), end: Int(record.start) + Int(record.length))
      }
      for (place, field) in row.fields.enumerated() where place < columns.count {
        output.append(place == 0 ? "{" : ",")
        JSONText.append(columns[place].utf8, to: output)
        output.append(":")
        JSONText.append(field.decoded(work.batch.text) ?? Array(work.batch.text[field.start..<field.end]), to: output)
      }
    case .lines:
      output.append("{\"item\":")
      JSONText.append(bytes, to: output)
    default:
      output.append("{\"record\":")
      JSONText.append(bytes, to: output)
    }
  }

  package func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer) {
    if part.isFirst { output.append(input == .lines ? "{\"item\":\"" : "{\"record\":\"") }
    JSONText.appendContents(part.bytes, to: output)
    guard part.isLast else { return }
    output.append("\"")
    append(target, fallback, output)
    append("error", fault, output)
    if explained != nil { output.append(",\"confidence\":0.00,\"strategy\":\"none\"") }
    output.append("}\n")
  }

  private func append(_ name: String, _ value: String, _ output: OutputBuffer) {
    output.append(output.bytes.last == UInt8(ascii: "{") ? "" : ",")
    JSONText.append(name.utf8, to: output)
    output.append(":")
    JSONText.append(value.utf8, to: output)
  }
}
