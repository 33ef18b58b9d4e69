/// A record of a request to a language model, without items, answers, and keys.
public struct KeptRequest: Sendable, Hashable {
  /// When it ended, in milliseconds since the beginning of 1970 in UTC.
  public var time: Int
  /// Its task, e.g. `categorize`.
  public var task: String
  /// The API.
  public var provider: String
  /// The model; empty if the server chooses.
  public var model: String
  /// How many items it asked about.
  public var items: Int
  /// How often the same request had been sent before.
  public var attempt: Int
  /// Tokens sent.
  public var inputTokens: Int
  /// How many of them the provider had cached.
  public var cachedTokens: Int
  /// Tokens received.
  public var outputTokens: Int
  /// Their cost in US dollars; `nil` if no price was known.
  public var dollars: Double?
  /// How long it took, in milliseconds.
  public var duration: Int
  /// The server's id for it; `nil` if it gave none.
  public var requestID: String?
  /// The response's status; `nil` if there was no response.
  public var status: Int?
  /// What went wrong; `nil` if nothing did.
  public var failure: String?
  /// Whether tokens and dollars are the maximum possible, because the server did not report them.
  public var isEstimate: Bool

  /// Makes an entry.
  public init(
    time: Int, task: String, provider: String, model: String, items: Int, attempt: Int, inputTokens: Int, cachedTokens: Int,
    outputTokens: Int, dollars: Double?, duration: Int, requestID: String?, status: Int?, failure: String?,
    isEstimate: Bool = false
  ) {
    self.time = time
    self.task = task
    self.provider = provider
    self.model = model
    self.items = items
    self.attempt = attempt
    self.inputTokens = inputTokens
    self.cachedTokens = cachedTokens
    self.outputTokens = outputTokens
    self.dollars = dollars
    self.duration = duration
    self.requestID = requestID
    self.status = status
    self.failure = failure
    self.isEstimate = isEstimate
  }
}
