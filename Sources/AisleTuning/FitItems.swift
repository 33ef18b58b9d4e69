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
  init(_ corpus: Corpus, _ expectations: Expectations, in taxonomy: Taxonomy, split: Corpus.Split) {
    self.init(
      taxonomy, corpus.text,
      corpus.entries.filter { $0.split == split && !expectations.accepted[Int($0.labels)].isEmpty }, expectations.accepted)
  }

  private init(_ taxonomy: Taxonomy, _ text: [UInt8], _ entries: [Corpus.Entry], _ accepted: [[SectionID]]) {
    self.taxonomy = taxonomy
    self.text = text
    self.entries = entries
    self.accepted = accepted
  }

  /// The number of items.
  var count: Int { entries.count }

  /// What a strategy answers, item by item.
  func answers(_ keywords: KeywordStrategy) -> [(entry: Corpus.Entry, decision: Decision?, isRight: Bool)] {
    var batch = Batch(taxonomy: taxonomy)
    batch.setItems(text: text, extents: ContiguousArray(entries.map(\.item)))
    keywords.decide(&batch)
    return zip(entries, batch.decisions).map { entry, decision in
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
