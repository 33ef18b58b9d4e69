import AisleCore

/// What may be wrong with a single decision; each check gives the fault in words, or `nil`.
enum DecisionCheck {
  static func confidence(_ decision: Decision, _: Int, _: Batch) -> String? {
    (0...1).contains(decision.confidence) ? nil : "the confidence is \(decision.confidence); it must be in 0…1"
  }

  static func section(_ decision: Decision, _: Int, _ batch: Batch) -> String? {
    guard isKnown(decision.section, in: batch) else {
      return
        "section number \(decision.section.rawValue) does not exist; get it from the taxonomy or from Batch.sectionID(named:)"
    }
    let name = batch.sectionName(decision.section)
    let isFit =
      (1...100).contains(name.utf8.count) && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
      && name.unicodeScalars.first != " " && name.unicodeScalars.last != " "
    return isFit
      ? nil
      : "the invented section \(name.debugDescription) cannot be shown; use a name of 1 to 100 bytes without control characters"
  }

  static func span(_ decision: Decision, _ index: Int, _ batch: Batch) -> String? {
    guard let span = decision.evidence.span, span.upperBound > batch.bytes(index).count else { return nil }
    return "the span \(span) ends beyond the item's \(batch.bytes(index).count) bytes"
  }

  static func evidence(_ decision: Decision, _: Int, _ batch: Batch, rules: Int) -> String? {
    let evidence = decision.evidence
    for keyword in [evidence.keyword, evidence.runnerUp].compactMap({ $0 })
    where keyword.rawValue >= batch.taxonomy.keywords.count {
      return "keyword number \(keyword.rawValue) does not exist; the taxonomy has \(batch.taxonomy.keywords.count)"
    }
    if let pattern = evidence.pattern, pattern.rawValue >= batch.taxonomy.patterns.count {
      return "pattern number \(pattern.rawValue) does not exist; the taxonomy has \(batch.taxonomy.patterns.count)"
    }
    if let rule = evidence.rule, rule >= rules { return "rule number \(rule) does not exist; the metadata has \(rules)" }
    if let move = evidence.move, move >= batch.taxonomy.moves.count {
      return "move number \(move) does not exist; the taxonomy has \(batch.taxonomy.moves.count)"
    }
    if let note = evidence.note, note >= batch.notes.count {
      return "note number \(note) does not exist; the batch has \(batch.notes.count)"
    }
    return nil
  }

  /// Whether the taxonomy has the section or the batch was asked for it.
  static func isKnown(_ section: SectionID, in batch: Batch) -> Bool {
    Int(section.rawValue) < batch.taxonomy.sections.count + batch.inventedSections.count
  }
}
