/// The paid resources that a strategy has used so far.
public struct StrategyUsage: Sendable, Hashable {
  /// Requests sent to a service.
  public var requests: Int
  /// Tokens sent to and received from a language model.
  public var tokens: Int
  /// What they cost in US dollars; `nil` where no price is known.
  public var dollars: Double?

  /// Makes a usage.
  public init(requests: Int = 0, tokens: Int = 0, dollars: Double? = nil) {
    self.requests = requests
    self.tokens = tokens
    self.dollars = dollars
  }
}

/// A strategy that uses paid resources and keeps count.
public protocol MeteredStrategy: Strategy {
  /// What it has used since it was created.
  var usage: StrategyUsage { get }
}
