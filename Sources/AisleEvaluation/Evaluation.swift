public import AisleCore
public import AisleFiles

/// What a chain answered to the items of a corpus, and how well.
public struct Evaluation: Sendable {
  /// The store.
  public let taxonomy: Taxonomy
  /// The corpus; `items` says which of its items were asked.
  public let corpus: Corpus
  /// The sections that are right for each list of labels.
  public let expectations: Expectations
  /// The chain.
  public let chain: NamedChain
  /// The items that were asked, with their answers, in the order of the corpus.
  public let items: ContiguousArray<ScoredItem>
  /// How many items were left out because this store has no section for their labels.
  public let inapplicable: Int
  /// Texts that evidence refers to.
  public let notes: [String]
  /// The sections' names: the taxonomy's in walking order, then those that a strategy invented.
  public let sectionNames: [String]
  /// The scores of all items.
  public let metrics: Metrics
  /// The share of right answers in each split that was asked.
  public let splits: [(split: Corpus.Split, metrics: Metrics)]
  /// The share of right answers for each tag, most items first.
  public let tags: [(tag: String, accuracy: Proportion)]
  /// What each strategy of the chain did, in order.
  public let strategies: [StrategyScore]
  /// How the strategies' answers compare, pair by pair; empty for a chain of one.
  public internal(set) var overlaps: [StrategyOverlap] = []
  /// How long it took to answer, in seconds.
  public let seconds: Double

  /// The corpus's entry of an item.
  public func entry(_ item: ScoredItem) -> Corpus.Entry { corpus.entries[Int(item.entry)] }

  /// An item's text.
  public func text(_ item: ScoredItem) -> String { corpus.item(entry(item)) }

  /// The name of a section, also of an invented one.
  public func name(_ section: SectionID) -> String { sectionNames[Int(section.rawValue)] }

  /// The hue of a section, by its place in `sectionNames`.
  public func color(_ place: Int) -> SectionColor {
    taxonomy.sections.indices.contains(place)
      ? taxonomy.sections[place].color : SectionColor.forUnknownSection(named: sectionNames[place])
  }

  /// The accuracy on the holdout less that on the tuning split, in −1…1; `nil` unless both were asked.
  public var splitDifference: Double? {
    func accuracy(_ split: Corpus.Split) -> Double? { splits.first { $0.split == split }?.metrics.accuracy.value }
    guard let tune = accuracy(.tune), let holdout = accuracy(.holdout) else { return nil }
    return holdout - tune
  }

  /// The names of the sections that are right for an item, best first.
  public func accepted(_ item: ScoredItem) -> [String] {
    expectations.accepted[Int(entry(item).labels)].map { taxonomy[$0].name }
  }

  /// The items with wrong answers, the most confident first: what misleads most is on top.
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

/// What one strategy of a chain did.
public struct StrategyScore: Sendable, Hashable {
  /// Its name in the chain.
  public let name: String
  /// How many items were given to it that it decided finally or best.
  public let decided: Int
  /// The share of right answers among those: its precision.
  public let precision: Proportion
  /// The time it took, all cores together, in seconds.
  public let seconds: Double
  /// What it used of what costs something; `nil` where nothing does.
  public let usage: StrategyUsage?
}

/// How two strategies of a chain answer, each asked alone.
public struct StrategyOverlap: Sendable, Hashable {
  /// The names of the two.
  public let first: String, second: String
  /// How many items only the first decides.
  public let onlyFirst: Int
  /// How many items only the second decides.
  public let onlySecond: Int
  /// How many items both decide.
  public let both: Int
  /// How many of those they decide differently.
  public let conflicts: Int
  /// How many of the conflicts the first has right.
  public let firstRight: Int
  /// How many of the conflicts the second has right.
  public let secondRight: Int
}
