import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Weighs the corrections that an item may be near.
final class CorrectionJudge {
  /// A decision, with the text that explains it.
  struct Verdict {
    let decision: Decision
    let note: String
  }

  /// A correction that speaks about the item.
  private struct Voice {
    let layer: Int
    let row: Int
    let time: Int64
    let section: SectionID
    /// The shelf in that section, where the correction names one.
    let shelf: ShelfID?
    let nearness: Nearness
    let isOwn: Bool
    /// How likely it holds, in 0…1.
    let confidence: Float
  }

  private let taxonomy: Taxonomy
  private let layers: [LearnedCorrections.Layer]
  private let meanings: [NameMeanings]
  private let vocabulary: StoreVocabulary
  private let item = ComparedItem()
  private let correction = ComparedItem()
  private var voices: ContiguousArray<Voice> = []
  private var isItemRead = false
  /// The last time that was spelled out; those of an import are all the same.
  private var lastTime: (milliseconds: Int, text: String)?

  init(
    _ layers: [LearnedCorrections.Layer], _ meanings: [NameMeanings], _ vocabulary: StoreVocabulary, in taxonomy: Taxonomy
  ) {
    self.taxonomy = taxonomy
    self.layers = layers
    self.meanings = meanings
    self.vocabulary = vocabulary
  }

  /// What the candidates say about an item; `nil` when none is near it.
  func judge(_ bytes: ArraySlice<UInt8>, _ candidates: ContiguousArray<Candidate>.SubSequence) -> Verdict? {
    isItemRead = false
    voices.removeAll(keepingCapacity: true)
    bytes.withUnsafeBufferPointer { bytes in for candidate in candidates { hear(candidate, about: bytes) } }
    // What was taught for this store about this very item leaves nothing to what was taught elsewhere.
    if voices.contains(where: { $0.isOwn && $0.nearness == .same }) { voices.removeAll { !$0.isOwn } }
    guard let winner = voices.count == 1 ? voices[0] : voices.max(by: { isWeaker($0, than: $1) }) else { return nil }
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
    evidence.shelf = winner.shelf
    evidence.rule = (winner.isOwn ? winner.nearness : .shelf).rawValue
    return Verdict(
      decision: Decision(section: winner.section, confidence: confidence, evidence: evidence),
      note: note(winner))
  }

  /// Adds what a candidate says, unless it was heard already, is outdated, damaged, about another item, or about a section that the
  /// store does not have.
  private func hear(_ candidate: Candidate, about bytes: UnsafeBufferPointer<UInt8>) {
    let layer = layers[candidate.layer]
    guard !voices.contains(where: { $0.row == candidate.row && $0.layer == candidate.layer }),
      let (row, _, text) = layer.index.row(candidate.row), layer.outdated.isEmpty || !layer.outdated.contains(row.id)
    else { return }
    let meanings = meanings[candidate.layer]
    let isOwn = meanings.isOwnStore(row.store)
    let shelf = meanings.shelf(row.shelf)
    let shelfSection = shelf.map { taxonomy[$0].section }
    guard let section = isOwn ? meanings.section(row.section) : shelfSection else { return }
    guard let nearness = nearness(of: text, to: bytes), layer.index.isSound(row) else { return }
    voices.append(
      Voice(
        layer: candidate.layer, row: candidate.row, time: row.time, section: section,
        shelf: shelfSection == section ? shelf : nil,
        nearness: nearness, isOwn: isOwn,
        confidence: isOwn ? nearness.confidence : nearness.confidence * Nearness.shelf.confidence))
  }

  private func nearness(of text: UnsafeBufferPointer<UInt8>, to bytes: UnsafeBufferPointer<UInt8>) -> Nearness? {
    if let (left, right) = text.baseAddress.flatMap({ text in bytes.baseAddress.map { (text, $0) } }), text.count == bytes.count,
      memcmp(left, right, text.count) == 0
    {
      return .same
    }
    if !isItemRead { item.read(bytes) }
    isItemRead = true
    // The item as written shows commas.
    correction.read(text)
    return Nearness.of(item, correction, in: vocabulary)
  }

  /// The surer one wins, then the newer one, then the one with the greater section, so that order never matters.
  private func isWeaker(_ left: Voice, than right: Voice) -> Bool {
    if left.confidence != right.confidence { return left.confidence < right.confidence }
    if left.time != right.time { return left.time < right.time }
    if left.section != right.section { return left.section.rawValue < right.section.rawValue }
    func name(_ voice: Voice) -> (String, String) {
      let correction = layers[voice.layer].index.entry(voice.row)?.correction
      return (correction?.item ?? "", correction?.store ?? "")
    }
    return name(left) < name(right)
  }

  /// Which correction it was, who made it and when, and how many others speak for and against.
  private func note(_ winner: Voice) -> String {
    guard let (row, _, item) = layers[winner.layer].index.row(winner.row) else { return "" }
    let meanings = meanings[winner.layer]
    var note = String(decoding: item, as: UTF8.self)
    note.reserveCapacity(note.utf8.count + 64)
    note += ", by "
    note += meanings.name(row.proposer)
    if row.model != .max {
      note += " ("
      note += meanings.name(row.model)
      note += ")"
    }
    note += " on "
    note += text(ofTime: Int(row.time))
    if !winner.isOwn { note += ", for \(meanings.name(row.store)) on shelf \(meanings.name(row.shelf))" }
    let agreeing = voices.count { $0.section == winner.section } - 1
    let disagreeing = voices.count - agreeing - 1
    if agreeing > 0 { note += ", \(agreeing) more agree\(agreeing == 1 ? "s" : "")" }
    if disagreeing > 0 { note += ", \(disagreeing) disagree\(disagreeing == 1 ? "s" : "")" }
    return note
  }

  private func text(ofTime milliseconds: Int) -> String {
    if let lastTime, lastTime.milliseconds == milliseconds { return lastTime.text }
    let text = Timestamp.text(milliseconds)
    lastTime = (milliseconds, text)
    return text
  }
}
