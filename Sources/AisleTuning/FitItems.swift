import AisleCore
import AisleEvaluation
import AisleFiles
import KeywordStrategy

/// Items of the corpus that weights are fitted on, ready to be asked many times.
struct FitItems {
  private let taxonomy: Taxonomy
  private let text: [UInt8]
  private let entries: [Corpus.Entry]
  private let accepted: [[SectionID]]

  /// Takes the items of a split that have a section in the store.
  ///
  /// - Parameter files: The places of the corpus files that they are from; all where `nil`.
  init(_ corpus: Corpus, _ expectations: Expectations, in taxonomy: Taxonomy, split: Corpus.Split, files: Set<UInt16>? = nil) {
    let entries = corpus.entries.filter { entry in
      entry.split == split && files?.contains(entry.file) ?? true && !expectations.accepted[Int(entry.labels)].isEmpty
    }
    self.init(taxonomy, corpus.text, entries, expectations.accepted)
  }

  private init(_ taxonomy: Taxonomy, _ text: [UInt8], _ entries: [Corpus.Entry], _ accepted: [[SectionID]]) {
    self.taxonomy = taxonomy
    self.text = text
    self.entries = entries
    self.accepted = accepted
  }

  /// The number of items.
  var count: Int { entries.count }

  typealias Answer = (entry: Corpus.Entry, decision: Decision?, isRight: Bool)

  /// What a strategy answers, item by item.
  func answers(_ strategy: any Strategy) async throws -> [Answer] {
    var batch = batch
    try await strategy.decide(&batch)
    return answers(batch)
  }

  /// What keywords answer, item by item.
  func answers(_ keywords: KeywordStrategy) -> [Answer] {
    var batch = batch
    keywords.decide(&batch)
    return answers(batch)
  }

  private var batch: Batch {
    var batch = Batch(taxonomy: taxonomy)
    batch.setItems(text: text, extents: ContiguousArray(entries.map(\.item)))
    return batch
  }

  private func answers(_ batch: Batch) -> [Answer] {
    zip(entries, batch.decisions).map { entry, decision in
      (entry, decision, accepted[Int(entry.labels)].contains(decision?.section ?? taxonomy.fallback))
    }
  }

  /// Whether each answer is right.
  func verdicts(_ keywords: KeywordStrategy) -> [Bool] { answers(keywords).map(\.isRight) }

  /// The items whose answers depend on weights: those that more than one keyword stands in.
  func contested(_ keywords: KeywordStrategy) -> FitItems {
    let only = keywords.metadata.rules.firstIndex { $0.name == "only" }.map { UInt8($0) }
    let kept = answers(keywords).filter { $0.decision != nil && $0.decision?.evidence.rule != only }.map(\.entry)
    return FitItems(taxonomy, text, kept, accepted)
  }
}
