import AisleCore

/// A decision spelled out, so that those of two batches can be compared; numbers that a batch hands out are looked up.
struct Answer: Equatable {
  private var isDecided = false
  private var section = ""
  private var confidence: UInt32 = 0
  private var evidence = Evidence()
  private var note: String?

  /// What a batch says of an item.
  init(_ batch: Batch, _ index: Int) {
    guard let decision = batch.decisions[index] else { return }
    isDecided = true
    section = Answer.name(decision.section, in: batch)
    confidence = decision.confidence.bitPattern
    evidence = decision.evidence
    note = evidence.note.map { Int($0) < batch.notes.count ? batch.notes[Int($0)] : "no such note" }
    evidence.note = nil
  }

  /// A decision for people.
  static func describe(_ decision: Decision?, in batch: Batch) -> String {
    guard let decision else { return "an abstention" }
    var text = "\(name(decision.section, in: batch)) (\(decision.confidence)"
    if let keyword = decision.evidence.keyword, Int(keyword.rawValue) < batch.taxonomy.keywords.count {
      text += ", keyword `\(batch.taxonomy.keywords[keyword].text)`"
    }
    if let pattern = decision.evidence.pattern, Int(pattern.rawValue) < batch.taxonomy.patterns.count {
      text += ", pattern `\(batch.taxonomy.patterns[Int(pattern.rawValue)].name)`"
    }
    if let span = decision.evidence.span { text += ", bytes \(span)" }
    return text + ")"
  }

  private static func name(_ section: SectionID, in batch: Batch) -> String {
    DecisionCheck.isKnown(section, in: batch) ? batch.sectionName(section) : "section number \(section.rawValue)"
  }
}
