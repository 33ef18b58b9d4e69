package import AisleCore

/// The item, a tab, the section; with explanations, their columns after it.
package struct TSVPresenter: Presenter {
  /// What the strategies of the chain tell about themselves; `nil` when nothing is to be explained.
  package let explained: [StrategyMetadata]?
  package let input: InputFormat
  private let labels: LabelTable

  package init(taxonomy: Taxonomy, input: InputFormat, explained: [StrategyMetadata]?) {
    self.explained = explained
    self.input = input
    labels = LabelTable(taxonomy, before: "\t")
  }

  package func present(_ work: Workspace, _ output: OutputBuffer) {
    if explained != nil || input != .lines { return presentEach(work, output) }
    let count = work.batch.count
    let labels = labels
    let invented = work.batch.inventedSections.map { ContiguousArray([0x09] + Self.escaped($0.utf8)) }
    let width = invented.reduce(labels.width) { max($0, $1.count) }
    output.reserve(work.inputCount + count * (width + 2))
    _ = work.batch.withItems { text, extents, decisions in
      work.list.records.withUnsafeBufferPointer { records in
        for index in 0..<count {
          let extent = extents[index]
          output.put(text + Int(extent.start), Int(extent.length))
          let section = decisions[index]?.section.rawValue
          if let section, Int(section) >= labels.count {
            invented[Int(section) - labels.count].withUnsafeBufferPointer { label in
              if let base = label.baseAddress { output.put(base, label.count) }
            }
          } else {
            labels.put(section, output)
          }
          if records[index].terminator == 2 { output.put(0x0D) }
          output.put(0x0A)
        }
      }
    }
  }

  private func presentEach(_ work: Workspace, _ output: OutputBuffer) {
    for index in 0..<work.batch.count {
      if work.list.blanks.contains(index) {
        output.append("\n")
        continue
      }
      let item = work.item(index)
      if input == .lines { output.append(item) } else { output.append(Self.escaped(item)) }
      Self.append(Explanation.values(index, in: work.batch, metadata: explained), output)
      output.append(input == .lines && work.list.records[index].terminator == 2 ? "\r\n" : "\n")
    }
  }

  package func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer) {
    if input == .lines { output.append(part.bytes) } else { output.append(Self.escaped(part.bytes)) }
    guard part.isLast else { return }
    Self.append(Explanation.values(undecided: labels.fallback, isExplained: explained != nil), output)
    output.append(input == .lines ? part.lineEnd : "\n")
  }

  private static func append(_ values: [String], _ output: OutputBuffer) {
    for value in values {
      output.append("\t")
      output.append(escaped(value.utf8))
    }
  }

  /// Tabs and line ends inside a field, written as `\t`, `\n` and `\r`, so that a record stays a line.
  static func escaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x09: result += Array("\\t".utf8)
      case 0x0A: result += Array("\\n".utf8)
      case 0x0D: result += Array("\\r".utf8)
      default: result.append(byte)
      }
    }
    return result
  }
}
