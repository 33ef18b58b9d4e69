import AisleCore
import AisleEvaluation
import AisleFiles

/// Writes items as JSON objects. What many items share is spelled out once, so that an item costs little more than its bytes.
struct ItemObjects {
  /// What the text of an answer's evidence depends on.
  private struct EvidenceKey: Hashable {
    let strategy: StrategyID?
    let keyword: KeywordID?
    let pattern: PatternID?
    let rule: UInt8?
    let move: UInt16?
  }

  private let evaluation: Evaluation
  /// A piece a list of labels: the names of the sections that are right.
  private let expected: [[UInt8]]
  /// A piece a section: its name.
  private let sections: [[UInt8]]
  /// A piece a file: its path, up to the line.
  private let files: [[UInt8]]
  /// A piece a list of tags.
  private let tags: [[UInt8]]
  private var evidence: [EvidenceKey: [UInt8]] = [:]

  /// The most pieces of evidence that are kept.
  private static let mostKept = 1 << 16

  init(_ evaluation: Evaluation) {
    self.evaluation = evaluation
    expected = evaluation.expectations.accepted.map { Self.json($0.map { evaluation.taxonomy[$0].name }) }
    sections = evaluation.sectionNames.map(Self.json)
    files = evaluation.corpus.files.map { Self.json($0).dropLast() + [UInt8(ascii: ":")] }
    tags = evaluation.corpus.tags.map(Self.json)
  }

  /// Writes all items, each followed by `separator` but the last.
  mutating func append(to output: ReportBuffer, separator: String) {
    let items = evaluation.items
    let start = output.bytes.count
    for (place, item) in items.enumerated() {
      if place > 0 { output.append(separator) }
      append(item, to: output)
      // The items so far say how much room all will need.
      if place == 4095 { output.reserve(start + (output.bytes.count - start) / 4096 * items.count / 16 * 17) }
    }
  }

  /// Writes an item.
  mutating func append(_ item: ScoredItem, to output: ReportBuffer) {
    let entry = evaluation.corpus.entries[Int(item.entry)]
    output.append("{\"item\":")
    appendText(entry, to: output)
    output.append(",\"expected\":")
    output.append(expected[Int(entry.labels)])
    output.append(",\"section\":")
    output.append(sections[Int(item.answer.rawValue)])
    output.append(item.isRight ? ",\"right\":true,\"confidence\":" : ",\"right\":false,\"confidence\":")
    output.append(figure: Double(item.confidence))
    appendEvidence(item, to: output)
    output.append(",\"location\":")
    output.append(files[Int(entry.file)])
    output.append(decimal: Int(entry.line))
    output.append("\",\"tags\":")
    output.append(tags[Int(entry.tags)])
    output.append(entry.split == .tune ? ",\"split\":\"tune\"}" : ",\"split\":\"holdout\"}")
  }

  private func appendText(_ entry: Corpus.Entry, to output: ReportBuffer) {
    let start = Int(entry.item.start)
    evaluation.corpus.text.withUnsafeBufferPointer { text in
      let bytes = UnsafeBufferPointer(rebasing: text[start..<start + Int(entry.item.length)])
      let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      guard isPlain else { return JSONText.append(bytes, to: output) }
      output.append(UInt8(ascii: "\""))
      output.append(bytes)
      output.append(UInt8(ascii: "\""))
    }
  }

  private mutating func appendEvidence(_ item: ScoredItem, to output: ReportBuffer) {
    let found = item.decision?.evidence
    if found?.note != nil { return output.append(spellOut(item)) }
    let key = EvidenceKey(
      strategy: item.decision?.strategy, keyword: found?.keyword, pattern: found?.pattern, rule: found?.rule,
      move: found?.move)
    if let known = evidence[key] { return output.append(known) }
    let piece = spellOut(item)
    if evidence.count < Self.mostKept { evidence[key] = piece }
    output.append(piece)
  }

  private func spellOut(_ item: ScoredItem) -> [UInt8] {
    let explanation = evaluation.explanation(item)
    let piece = ReportBuffer()
    for (name, value) in [
      ("strategy", explanation.strategy), ("keyword", explanation.keyword), ("rule", explanation.rule),
      ("source", explanation.sourceText),
    ] {
      piece.append(",\"\(name)\":")
      if value.isEmpty { piece.append("null") } else { JSONText.append(value.utf8, to: piece) }
    }
    return piece.bytes
  }

  private static func json(_ text: String) -> [UInt8] {
    let piece = ReportBuffer()
    JSONText.append(text.utf8, to: piece)
    return piece.bytes
  }

  private static func json(_ texts: [String]) -> [UInt8] {
    Array("[".utf8) + texts.map(json).joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }
}
