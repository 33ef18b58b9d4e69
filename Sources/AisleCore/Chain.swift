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
  }

  /// The links, in the order they are asked; at most 256.
  public let links: [Link]
  /// How one decision is chosen among several.
  public let policy: Policy

  /// Makes a chain.
  public init(_ links: [Link], policy: Policy = .first) {
    precondition(links.count <= 256)
    self.links = links
    self.policy = policy
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
    var candidates = Candidates()
    defer { candidates.settle(&batch) }
    for (place, link) in links.enumerated() {
      try await link.strategy.decide(&batch)
      candidates.weigh(place, threshold: link.threshold, policy, linkCount: links.count, &batch)
    }
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

/// Decisions that a later strategy may replace.
struct Candidates {
  private struct Candidate {
    let decision: Decision
    /// Whether it reaches its strategy's threshold.
    let isSure: Bool

    func isBetter(than other: Candidate) -> Bool {
      isSure == other.isSure ? decision.confidence > other.decision.confidence : isSure
    }
  }

  /// A place an item, made for the first decision that is not final.
  private var candidates: ContiguousArray<Candidate?> = []

  /// Takes back what a strategy has decided and what is not final.
  mutating func weigh(
    _ place: Int, threshold: Float, _ policy: Chain.Policy, linkCount: Int, _ batch: inout Batch
  ) {
    batch.credit(StrategyID(rawValue: UInt8(place)))
    guard threshold > 0 || policy == .best && linkCount > 1 else { return }
    for index in 0..<batch.count {
      guard let decision = batch.decisions[index], decision.strategy?.rawValue == UInt8(place) else { continue }
      let isSure = decision.confidence >= threshold
      if isSure, policy == .first { continue }
      guard let taken = batch.withdraw(index) else { continue }
      if candidates.isEmpty { candidates = ContiguousArray(repeating: nil, count: batch.count) }
      let candidate = Candidate(decision: taken, isSure: isSure)
      if candidates[index].map({ candidate.isBetter(than: $0) }) ?? true { candidates[index] = candidate }
    }
  }

  /// Gives the items that nothing final was decided about the best that there is.
  func settle(_ batch: inout Batch) {
    for (index, candidate) in candidates.enumerated() { if let candidate { batch.decide(index, candidate.decision) } }
  }
}
