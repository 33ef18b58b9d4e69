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
  /// - Throws: Whatever a strategy throws; earlier decisions stay.
  public func decide(_ batch: inout Batch) async throws {
    // A place an item, made for the first decision that is not final.
    var tentative: ContiguousArray<Candidate?> = []
    defer {
      for (index, candidate) in tentative.enumerated() { if let candidate { batch.decide(index, candidate.decision) } }
    }
    for (place, link) in links.enumerated() {
      try await link.strategy.decide(&batch)
      batch.credit(StrategyID(rawValue: UInt8(place)))
      guard link.threshold > 0 || policy == .best && links.count > 1 else { continue }
      for index in 0..<batch.count {
        guard let decision = batch.decisions[index], decision.strategy?.rawValue == UInt8(place) else { continue }
        let isSure = decision.confidence >= link.threshold
        if isSure, policy == .first { continue }
        guard let taken = batch.withdraw(index) else { continue }
        if tentative.isEmpty { tentative = ContiguousArray(repeating: nil, count: batch.count) }
        let candidate = Candidate(decision: taken, isSure: isSure)
        if tentative[index].map({ candidate.isBetter(than: $0) }) ?? true { tentative[index] = candidate }
      }
    }
  }

  /// A decision that a later one may replace.
  private struct Candidate {
    let decision: Decision
    /// Whether it reaches its strategy's threshold.
    let isSure: Bool

    func isBetter(than other: Candidate) -> Bool {
      isSure == other.isSure ? decision.confidence > other.decision.confidence : isSure
    }
  }
}
