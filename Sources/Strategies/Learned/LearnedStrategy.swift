public import AisleCore

/// Decides items by what people corrected: this very item, or one so near that it is the same goods.
///
/// A correction for the batch's store outranks every other; one for another store counts only where it names a shelf that this store
/// places too. A correction whose section the store no longer has is never used.
///
/// It answers from the corrections as they were when they were opened, whatever is taught later: after `CorrectionStore.correct`, open
/// the `LearnedCorrections` and make a strategy anew.
public struct LearnedStrategy: Strategy {
  private let taxonomy: Taxonomy
  private let knowledge: LearnedKnowledge?
  private let vocabulary: StoreVocabulary
  private let memos = VerdictMemos()

  /// Makes a strategy for a store; without corrections it abstains on everything.
  public init(_ taxonomy: Taxonomy, _ corrections: LearnedCorrections?) {
    self.taxonomy = taxonomy
    knowledge = corrections.map { LearnedKnowledge($0, in: taxonomy) }
    vocabulary = StoreVocabulary(taxonomy)
  }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "learned", summary: "what people corrected, for the same item and those that are all but the same",
      rationale: """
        A person who corrected an item once wants to see it right ever after, also when it is written a little otherwise. Use it \
        first: it says who taught what and when, costs next to nothing, and nothing at all where nobody has taught anything yet.
        """,
      rules: Nearness.allCases.map(\.rule), examples: examples)
  }

  /// Items that were corrected; without any, items that it must abstain on.
  private var examples: [StrategyExample] {
    let entries = knowledge?.asking { known, _ in
      known.corrections.layers.flatMap { layer in
        (0..<min(layer.index.count, 20)).compactMap { layer.index.entry($0) }.filter { !layer.outdated.contains($0.id) }
      }
    }
    let taught = (entries ?? []).map(\.correction).filter {
      $0.store == taxonomy.store && taxonomy.section(named: $0.section) != nil
    }
    if !taught.isEmpty { return taught.prefix(5).map { StrategyExample($0.item, $0.section, topic: "corrected") } }
    return [StrategyExample("a thing that nobody ever corrected", nil, topic: "nothing was taught")]
  }

  /// Decides the items that were corrected, or are near one that was.
  public func decide(_ batch: inout Batch) {
    guard let knowledge, knowledge.hasCorrections else { return }
    guard VerdictMemo.isWorthwhile(for: batch) else { return judge(VerdictMemo.all(of: batch).items, knowledge, &batch) }
    memos.with { memo in
      let rest = memo.recall(&batch)
      judge(rest.items, knowledge, &batch)
      _ = batch.withStorage { _, _, decisions in
        for (item, earlier) in rest.repeats { decisions[Int(item)] = decisions[Int(earlier)] }
      }
      memo.remember(batch)
    }
  }

  private func judge(_ items: ContiguousArray<Int32>, _ knowledge: LearnedKnowledge, _ batch: inout Batch) {
    knowledge.asking { known, isAgain in
      if isAgain { _ = batch.withStorage { _, _, decisions in for item in items { decisions[Int(item)] = nil } } }
      judge(items, known, &batch)
    }
  }

  private func judge(_ items: ContiguousArray<Int32>, _ known: LearnedKnowledge.State, _ batch: inout Batch) {
    let candidates = CandidateFinder.find(items, in: batch, known.corrections.layers)
    if candidates.isEmpty { return }
    let judge = CorrectionJudge(known.corrections.layers, known.meanings, vocabulary)
    var start = candidates.startIndex
    while start < candidates.endIndex {
      let item = candidates[start].item
      var end = start
      while end < candidates.endIndex, candidates[end].item == item { end += 1 }
      if let verdict = judge.judge(batch.bytes(item), candidates[start..<end]) {
        let note = batch.note(verdict.note)
        var decision = verdict.decision
        decision.evidence.note = note
        batch.decide(item, decision)
      }
      start = end
    }
  }
}
