import AisleCore

/// Weighs the corrections that an item may be near.
struct CorrectionJudge {
  /// A decision, with the text that explains it.
  struct Verdict {
    let decision: Decision
    let note: String
  }

  /// A correction that speaks about the item.
  private struct Voice {
    let entry: CorrectionIndex.Entry
    let section: SectionID
    let nearness: Nearness
    let isOwn: Bool
    /// How likely it holds, in 0…1.
    let confidence: Float
  }

  private let taxonomy: Taxonomy
  private let vocabulary: StoreVocabulary
  private let words = Words()

  init(_ taxonomy: Taxonomy, _ vocabulary: StoreVocabulary) {
    self.taxonomy = taxonomy
    self.vocabulary = vocabulary
  }

  /// What the candidates say about an item; `nil` when none is near it.
  func judge(_ item: ArraySlice<UInt8>, _ candidates: ArraySlice<Candidate>, _ layers: [LearnedCorrections.Layer]) -> Verdict? {
    let itemWords = ItemWords(item, words)
    var voices: [Voice] = []
    var before: Candidate?
    for candidate in candidates {
      if let before, before.layer == candidate.layer, before.row == candidate.row { continue }
      before = candidate
      let layer = layers[candidate.layer]
      guard let entry = layer.index.entry(candidate.row), !layer.outdated.contains(entry.id),
        let voice = voice(entry, itemWords)
      else { continue }
      voices.append(voice)
    }
    // What was taught for this store about this very item leaves nothing to what was taught elsewhere.
    if voices.contains(where: { $0.isOwn && $0.nearness == .same }) { voices.removeAll { !$0.isOwn } }
    guard let winner = voices.max(by: { isWeaker($0, than: $1) }) else { return nil }
    var doubt: (same: Float, other: Float) = (1, 1)
    for voice in voices {
      if voice.section == winner.section { doubt.same *= 1 - voice.confidence } else { doubt.other *= 1 - voice.confidence }
    }
    // Who agrees makes it surer, up to what leaves room for error; who disagrees takes away up to a third, and from this very item's
    // own correction little.
    let agreed = min(max(1 - doubt.same, winner.confidence), 0.995)
    let share: Float = winner.nearness == .same && winner.isOwn ? 0.05 : 0.35
    let confidence = agreed * (1 - share * (1 - doubt.other))
    var evidence = Evidence()
    evidence.rule = (winner.isOwn ? winner.nearness : .shelf).rawValue
    return Verdict(
      decision: Decision(section: winner.section, confidence: confidence, evidence: evidence),
      note: note(winner, voices))
  }

  private func voice(_ entry: CorrectionIndex.Entry, _ item: ItemWords) -> Voice? {
    let correction = entry.correction
    let isOwn = correction.store == taxonomy.store
    let section =
      isOwn
      ? taxonomy.section(named: correction.section)
      : correction.shelf.flatMap { taxonomy.shelf(named: $0) }.map { taxonomy[$0].section }
    guard let section, let nearness = nearness(item, entry) else { return nil }
    let confidence = isOwn ? nearness.confidence : nearness.confidence * Nearness.shelf.confidence
    return Voice(entry: entry, section: section, nearness: nearness, isOwn: isOwn, confidence: confidence)
  }

  private func nearness(_ item: ItemWords, _ entry: CorrectionIndex.Entry) -> Nearness? {
    // The item as written shows commas; its key shows the words, should the two ever disagree.
    Nearness.of(item, ItemWords(Array(entry.correction.item.utf8), words), in: vocabulary)
  }

  /// The surer one wins, then the newer one, then the one with the greater section, so that order never matters.
  private func isWeaker(_ left: Voice, than right: Voice) -> Bool {
    let (a, b) = (left.entry.correction, right.entry.correction)
    if left.confidence != right.confidence { return left.confidence < right.confidence }
    if a.origin.time != b.origin.time { return a.origin.time < b.origin.time }
    return (left.section.rawValue, a.item, a.store) < (right.section.rawValue, b.item, b.store)
  }

  /// Which correction it was, who made it and when, and how many others speak for and against.
  private func note(_ winner: Voice, _ voices: [Voice]) -> String {
    let correction = winner.entry.correction
    let model = correction.origin.model.map { " (\($0))" } ?? ""
    var note = "\(correction.item), by \(correction.origin.proposer)\(model) on \(Timestamp.text(correction.origin.time))"
    if !winner.isOwn { note += ", for \(correction.store) on shelf \(correction.shelf ?? "")" }
    let agreeing = voices.count { $0.section == winner.section } - 1
    let disagreeing = voices.count - agreeing - 1
    if agreeing > 0 { note += ", \(agreeing) more agree\(agreeing == 1 ? "s" : "")" }
    if disagreeing > 0 { note += ", \(disagreeing) disagree\(disagreeing == 1 ? "s" : "")" }
    return note
  }
}
