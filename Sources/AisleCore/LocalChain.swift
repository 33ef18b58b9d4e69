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
  private let arbiter: Arbiter

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
    arbiter = Arbiter(taxonomy)
  }

  /// The same strategies as a chain that slow ones can stand in too.
  public var chain: Chain { Chain(links.map { Chain.Link($0.strategy, threshold: $0.threshold) }, policy: policy) }

  /// Asks each strategy in turn for the items that have no final decision yet, as `Chain.decide` does, on the caller's thread.
  ///
  /// The batch must be of the chain's taxonomy.
  package func decide(_ batch: inout Batch) {
    decide(&batch) { links[$0].strategy.decide(&$1) }
  }

  /// Asks the strategies in order, each by its place.
  private func decide(_ batch: inout Batch, asking ask: (Int, inout Batch) -> Void) {
    var hearing = Hearing(plan, batch, arbiter)
    for place in links.indices {
      if batch.hasUndecided { ask(place, &batch) }
      hearing.take(place, &batch)
    }
    hearing.end(&batch)
  }

  /// The chain at work for one caller at a time, for batches of an item or two: what takes longer to make than they take is kept between
  /// them.
  package struct Worker {
    private let chain: LocalChain
    private let strategies: [(inout Batch) -> Void]

    /// Makes a worker, which keeps some hundred kilobytes at most.
    package init(_ chain: LocalChain) {
      self.chain = chain
      strategies = chain.links.map { ($0.strategy as? any WorkingStrategy)?.makeWorker() ?? $0.strategy.decide }
    }

    /// Decides as the chain does.
    package func decide(_ batch: inout Batch) { chain.decide(&batch) { strategies[$0](&$1) } }
  }
}

/// A strategy whose memory for a batch takes a while to make, and that can keep it.
package protocol WorkingStrategy: LocalStrategy {
  /// Makes what decides batches as `decide` does, for one caller at a time, and keeps its memory between them.
  func makeWorker() -> (inout Batch) -> Void
}

extension Batch {
  /// Whether there is an item left to decide.
  fileprivate var hasUndecided: Bool { decisions.contains { $0 == nil } }
}
