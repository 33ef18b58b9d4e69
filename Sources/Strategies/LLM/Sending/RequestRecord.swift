/// A record of one request, for logs and totals. It contains no items, answers, or keys.
public struct RequestRecord: Sendable {
  /// The API.
  public let provider: ModelProvider
  /// The model.
  public let model: String
  /// How many items it asked about.
  public let items: Int
  /// Its task, e.g. `categorize`.
  public let purpose: String
  /// How often the same request had been sent before.
  public let attempt: Int
  /// What it took.
  let charge: Charge
  /// How long it took.
  public let duration: Duration
  /// The server's id for it; `nil` if it gave none.
  public let requestID: String?
  /// The response's status; `nil` if there was no response.
  public let status: Int?
  /// What went wrong; `nil` if nothing did.
  public let failure: String?

  /// The tokens that it used; an upper bound if `isEstimate`.
  public var tokens: TokenUsage { charge.tokens }
  /// Their cost in US dollars, an upper bound if `isEstimate`; `nil` if no price is known.
  public var dollars: Double? { charge.dollars }
  /// Whether the server did not report the usage, or not plausibly, so that the maximum possible usage is counted.
  public var isEstimate: Bool { charge.isEstimate }
}

/// Is told about every request when it ends, to show progress or keep a log. Called on any thread.
public protocol RequestLog: Sendable {
  /// A request has ended.
  func add(_ record: RequestRecord)
}
