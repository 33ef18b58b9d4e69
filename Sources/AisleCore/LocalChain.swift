/// A chain of strategies that decide at once: asking it needs no `await` and never fails.
public struct LocalChain: Sendable {
  /// A strategy and its threshold.
  public struct Link: Sendable {
    /// The strategy.
    public let strategy: any LocalStrategy
    /// The confidence in 0…1 from which a decision is final; below it later strategies are asked too.
    public let threshold: Float

    /// Makes a link.
    public init(_ strategy: any LocalStrategy, threshold: Float = 0) {
      self.strategy = strategy
      self.threshold = threshold
    }
  }

  /// The links, first asked first.
  public let links: [Link]
  /// How one decision is chosen among several.
  public let policy: Chain.Policy
  /// The taxonomy that the strategies were made for.
  public let taxonomy: Taxonomy
  private let plan: HearingPlan

  /// Makes a chain.
  ///
  /// - Throws: `TaxonomyMismatch` where a strategy was made for another taxonomy.
  public init(_ links: [Link], policy: Chain.Policy = .first, taxonomy: Taxonomy) throws(TaxonomyMismatch) {
    self.init(links, policy: policy, of: taxonomy)
    try chain.check(for: taxonomy)
  }

  /// Makes a chain of strategies that are known to be made for a taxonomy.
  package init(_ links: [Link], policy: Chain.Policy = .first, of taxonomy: Taxonomy) {
    (self.links, self.policy, self.taxonomy) = (links, policy, taxonomy)
    plan = HearingPlan(links.map { ($0.strategy, $0.threshold) }, policy)
  }

  /// The same strategies as a chain that slow ones can stand in too.
  public var chain: Chain { Chain(links.map { Chain.Link($0.strategy, threshold: $0.threshold) }, policy: policy) }

  /// Asks each strategy in turn for the items that have no final decision yet, as `Chain.decide` does, on the caller's thread.
  ///
  /// The batch must be of the chain's taxonomy.
  package func decide(_ batch: inout Batch) {
    var hearing = Hearing(plan, batch)
    for (place, link) in links.enumerated() {
      if batch.hasUndecided { link.strategy.decide(&batch) }
      hearing.take(place, &batch)
    }
    hearing.end(&batch)
  }
}

extension Batch {
  /// Whether there is an item left to decide.
  fileprivate var hasUndecided: Bool { decisions.contains { $0 == nil } }
}
