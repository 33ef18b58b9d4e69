/// What is known of one request that was sent: for logs and sums. It has no item, no answer and no key.
public struct RequestRecord: Sendable {
  /// The API.
  public let provider: ModelProvider
  /// The model.
  public let model: String
  /// How many items it asked about.
  public let items: Int
  /// What it was for, e.g. `categorize`.
  public let purpose: String
  /// How often the same request had been sent before.
  public let attempt: Int
  /// What it took.
  let charge: Charge
  /// How long it took.
  public let duration: Duration
  /// The server's name for it; `nil` where it gave none.
  public let requestID: String?
  /// The response's status; `nil` where there was none.
  public let status: Int?
  /// What went wrong; `nil` where nothing did.
  public let failure: String?

  /// The tokens that it took, at most where `isEstimate`.
  public var tokens: TokenUsage { charge.tokens }
  /// What they cost in US dollars, at most where `isEstimate`; `nil` where no price is known.
  public var dollars: Double? { charge.dollars }
  /// Whether the server did not say what it took, or not believably, so that the most that it can be is counted.
  public var isEstimate: Bool { charge.isEstimate }
}

/// Hears of every request when it ends: to show progress or keep a log. Called on any thread.
public protocol RequestLog: Sendable {
  /// A request has ended.
  func add(_ record: RequestRecord)
}
