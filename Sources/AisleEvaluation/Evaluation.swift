public import AisleCore
public import AisleFiles

/// The answers of a chain to the items of a corpus, and their scores.
public struct Evaluation: Sendable {
  /// The store.
  public let taxonomy: Taxonomy
  /// The corpus; `items` lists the items that were scored.
  public let corpus: Corpus
  /// The correct sections for each list of labels.
  public let expectations: Expectations
  /// The chain.
  public let chain: NamedChain
  /// The scored items with their answers, in the order of the corpus.
  public let items: ContiguousArray<ScoredItem>
  /// How many items were left out because this store has no section for their labels.
  public let inapplicable: Int
  /// The texts that evidence refers to.
  public let notes: [String]
  /// The section names: the taxonomy's in walking order, then those that a strategy invented.
  public let sectionNames: [String]
  /// The scores of all items.
  public let metrics: Metrics
  /// The labels that this store has no section for, sorted.
  public var inapplicableLabels: [String] {
    Set(zip(corpus.labels, expectations.accepted).compactMap { $1.isEmpty ? $0.first : nil }).sorted()
  }
  /// The share of right answers in each scored split.
  public let splits: [(split: Corpus.Split, metrics: Metrics)]
  /// The share of right answers for each tag, most items first.
  public let tags: [(tag: String, accuracy: Proportion)]
  /// The score of each strategy in the chain, in order.
  public let strategies: [StrategyScore]
  /// How the answers of each pair of strategies compare; empty for a chain of one strategy.
  public internal(set) var overlaps: [StrategyOverlap] = []
  /// How long the answers took, in seconds.
  public let seconds: Double

  /// The corpus's entry of an item.
  public func entry(_ item: ScoredItem) -> Corpus.Entry { corpus.entries[Int(item.entry)] }

  /// An item's text.
  public func text(_ item: ScoredItem) -> String { corpus.item(entry(item)) }

  /// The name of a section, including an invented one.
  public func name(_ section: SectionID) -> String { sectionNames[Int(section.rawValue)] }

  /// The color of a section, by its place in `sectionNames`.
  public func color(_ place: Int) -> SectionColor {
    taxonomy.sections.indices.contains(place)
      ? taxonomy.sections[place].color : SectionColor.forUnknownSection(named: sectionNames[place])
  }

  /// The accuracy on the holdout split minus that on the tune split, in −1…1; `nil` unless both were scored.
  public var splitDifference: Double? {
    func accuracy(_ split: Corpus.Split) -> Double? { splits.first { $0.split == split }?.metrics.accuracy.value }
    guard let tune = accuracy(.tune), let holdout = accuracy(.holdout) else { return nil }
    return holdout - tune
  }

  /// The names of an item's correct sections, best first.
  public func accepted(_ item: ScoredItem) -> [String] {
    expectations.accepted[Int(entry(item).labels)].map { taxonomy[$0].name }
  }

  /// The items with wrong answers, most confident first.
  public var errors: [ScoredItem] {
    items.filter { !$0.isRight }.sorted { ($1.confidence, $0.entry) < ($0.confidence, $1.entry) }
  }

  /// Spells out the decision about an item.
  package func explanation(_ item: ScoredItem) -> Explanation {
    Explanation(
      item.decision, section: name(item.answer), note: item.decision?.evidence.note.map { notes[Int($0)] }, taxonomy: taxonomy,
      metadata: metadata)
  }

  /// What the chain's strategies say of themselves.
  package let metadata: [StrategyMetadata]
}

/// The score of one strategy in a chain.
public struct StrategyScore: Sendable, Hashable {
  /// Its name in the chain.
  public let name: String
  /// How many of the items that it was asked about got their final or best decision from it.
  public let decided: Int
  /// The share of right answers among those: its precision.
  public let precision: Proportion
  /// The time it took on all cores together, in seconds.
  public let seconds: Double
  /// The paid resources that it used; `nil` if it uses none.
  public let usage: StrategyUsage?
}

/// How the answers of two strategies compare, each evaluated alone.
public struct StrategyOverlap: Sendable, Hashable {
  /// The names of the two strategies.
  public let first: String, second: String
  /// How many items only the first decides.
  public let onlyFirst: Int
  /// How many items only the second decides.
  public let onlySecond: Int
  /// How many items both decide.
  public let both: Int
  /// How many of these they decide differently.
  public let conflicts: Int
  /// How many of the conflicts the first gets right.
  public let firstRight: Int
  /// How many of the conflicts the second gets right.
  public let secondRight: Int
}
