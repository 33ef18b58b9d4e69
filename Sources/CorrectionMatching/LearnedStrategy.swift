public import AisleCore

/// Decides items by corrections: of the same item, or of one so similar that it is the same product.
///
/// A correction for the batch's store outranks all others. One for another store counts only if it names a shelf that this store also
/// places. A correction whose section the store no longer has is never used.
///
/// It answers from the corrections as they were when they were opened, whatever is taught later; `LiveLearnedStrategy` follows the file.
public struct LearnedStrategy: LocalStrategy {
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

  private init(_ taxonomy: Taxonomy, _ corrections: LearnedCorrections?, _ vocabulary: StoreVocabulary) {
    self.taxonomy = taxonomy
    knowledge = corrections.map { LearnedKnowledge($0, in: taxonomy) }
    self.vocabulary = vocabulary
  }

  /// The same strategy with other corrections: what it knows of the store's words is kept.
  public func knowing(_ corrections: LearnedCorrections?) -> LearnedStrategy {
    LearnedStrategy(taxonomy, corrections, vocabulary)
  }

  /// The taxonomy that its corrections' sections and shelves are looked up in.
  public var boundTaxonomy: Taxonomy? { taxonomy }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "learned", summary: "what people corrected, for the same item and its close variants",
      rationale: """
        A person who corrects an item once expects it to stay right, even if it is written a little differently. Use it first: it \
        says who taught what and when, takes hardly any time, and none at all without corrections.
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
    return [StrategyExample("an item that nobody has corrected", nil, topic: "no corrections")]
  }

  /// Decides items that were corrected, or that are similar to a corrected item.
  public func decide(_ batch: inout Batch) {
    guard let knowledge, knowledge.hasCorrections else { return }
    guard VerdictMemo.isWorthwhile(for: batch) else { return judge(VerdictMemo.all(of: batch).items, knowledge, &batch) }
    memos.with { memo in
      let rest = memo.recall(&batch)
      judge(rest.items, knowledge, &batch)
      batch.withStorage { _, _, decisions in
        for (item, earlier) in rest.repeats { decisions[Int(item)] = decisions[Int(earlier)] }
      }
      memo.remember(batch)
    }
  }

  private func judge(_ items: ContiguousArray<Int32>, _ knowledge: LearnedKnowledge, _ batch: inout Batch) {
    knowledge.asking { known, isAgain in
      if isAgain { batch.withStorage { _, _, decisions in for item in items { decisions[Int(item)] = nil } } }
      judge(items, known, &batch)
    }
  }

  private func judge(_ items: ContiguousArray<Int32>, _ known: LearnedKnowledge.State, _ batch: inout Batch) {
    let candidates = CandidateFinder.find(items, in: batch, known.corrections.layers)
    if candidates.isEmpty { return }
    let judge = CorrectionJudge(known.corrections.layers, known.meanings, vocabulary, in: taxonomy)
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
