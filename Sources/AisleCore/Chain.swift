/// Strategies in order, each with the confidence at which its decision is final.
public struct Chain: Sendable {
  /// A strategy and its threshold.
  public struct Link: Sendable {
    /// The strategy.
    public let strategy: any Strategy
    /// The confidence in 0…1 from which a decision is final; below it later strategies are asked too.
    public let threshold: Float

    /// Makes a link.
    public init(_ strategy: any Strategy, threshold: Float = 0) {
      self.strategy = strategy
      self.threshold = threshold
    }
  }

  /// The links, first asked first; at most 256.
  public let links: [Link]

  /// Makes a chain.
  public init(_ links: [Link]) {
    precondition(links.count <= 256)
    self.links = links
  }

  /// Asks each strategy in turn for the items that have no final decision yet.
  ///
  /// Where no decision reaches its strategy's threshold, the most confident one stands, the earlier one on a tie. Items that every
  /// strategy abstained on stay undecided.
  ///
  /// - Throws: what a strategy throws; what was decided before stays decided.
  public func decide(_ batch: inout Batch) async throws {
    var tentative: [Int: Decision] = [:]
    defer { for (index, decision) in tentative { batch.decide(index, decision) } }
    for (place, link) in links.enumerated() {
      try await link.strategy.decide(&batch)
      batch.credit(StrategyID(rawValue: UInt8(place)))
      guard link.threshold > 0 else { continue }
      for index in 0..<batch.count {
        guard let decision = batch.decisions[index], decision.strategy?.rawValue == UInt8(place),
          decision.confidence < link.threshold,
          let weak = batch.withdraw(index)
        else { continue }
        if weak.confidence > tentative[index]?.confidence ?? -1 { tentative[index] = weak }
      }
    }
  }
}
