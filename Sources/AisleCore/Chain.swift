/// Strategies in order, each with the confidence at which its decision is final.
public struct Chain: Sendable {
  /// A strategy and its threshold.
  public struct Link: Sendable {
    /// The strategy.
    public let strategy: any Strategy
    /// The confidence in 0…1 at which a decision is final; below it, later strategies are asked too.
    public let threshold: Float

    /// Makes a link.
    public init(_ strategy: any Strategy, threshold: Float = 0) {
      self.strategy = strategy
      self.threshold = threshold
    }
  }

  /// How one decision is chosen among those of several strategies.
  public enum Policy: String, Sendable, CaseIterable {
    /// The first decision whose confidence reaches its strategy's threshold.
    case first
    /// The most confident of the decisions that reach their threshold; every strategy is asked about every item.
    case best
    /// Keywords, patterns, and the trained model are weighed against each other: `PhraseWeights.Voice` says what each counts. None is asked
    /// about an item if even a sure answer (0.95) would not change the choice, and patterns are not asked about an item if the choice is
    /// 0.9 sure without them. The choice is final if it reaches the greatest of their thresholds. Other strategies are asked in turn, as
    /// with `first`, and so are the links after such a strategy, and second links of the same strategy.
    case weigh
  }

  /// The links, in the order they are asked; at most 256.
  public let links: [Link]
  /// How one decision is chosen among several.
  public let policy: Policy
  private let plan: HearingPlan

  /// Makes a chain.
  public init(_ links: [Link], policy: Policy = .first) {
    precondition(links.count <= 256)
    self.links = links
    self.policy = policy
    plan = HearingPlan(links.map { ($0.strategy, $0.threshold) }, policy)
  }

  /// Asks each strategy in turn about the items that have no final decision yet.
  ///
  /// If no decision reaches its strategy's threshold, the most confident one stands; on a tie, the earlier one. Items on which every
  /// strategy abstains stay undecided.
  ///
  /// - Throws: `TaxonomyMismatch` where a strategy was made for another taxonomy than the batch; what a strategy throws: what was decided
  ///   before stays decided.
  @concurrent
  public func decide(_ batch: inout Batch) async throws {
    try check(for: batch.taxonomy)
    try await ask(&batch)
  }

  /// The same where the caller is, for those who have left their actor or have none to leave: another thread takes longer to start than
  /// a short list takes to decide. The strategies must have been made for the batch's taxonomy.
  package func ask(_ batch: inout Batch) async throws {
    var hearing = Hearing(plan, batch)
    defer { hearing.end(&batch) }
    for (place, link) in links.enumerated() {
      try await link.strategy.decide(&batch)
      hearing.take(place, &batch)
    }
  }

  /// Whether the answers of the strategy at a place are weighed against others.
  package func weighs(_ place: Int) -> Bool { plan.lastSpeaker != nil && plan.speakers[place] != nil }

  /// Whether a decision of this chain's is sure enough for no later strategy to be asked.
  package func isFinal(_ decision: Decision) -> Bool {
    guard let strategy = decision.strategy, Int(strategy.rawValue) < links.count else { return false }
    return decision.confidence >= plan.threshold(of: Int(strategy.rawValue))
  }

  /// Checks that the strategies were made for a taxonomy, or fit any.
  ///
  /// - Throws: `TaxonomyMismatch` naming the first that was not.
  /// - Complexity: O(strategies) for copies of one taxonomy.
  public func check(for taxonomy: Taxonomy) throws(TaxonomyMismatch) {
    for link in links {
      guard let bound = link.strategy.boundTaxonomy, !bound.hasSameNumbers(as: taxonomy) else { continue }
      throw TaxonomyMismatch(strategy: link.strategy.metadata.id, found: bound.store, expected: taxonomy.store)
    }
  }
}
