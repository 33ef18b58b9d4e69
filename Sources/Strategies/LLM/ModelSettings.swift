public import HTTPTransport

/// How a language model is asked.
public struct ModelSettings: Sendable {
  /// What a run may use at most; `nil` where there is no bound.
  public struct Caps: Sendable, Hashable {
    /// Requests, repeated ones included.
    public var requests: Int?
    /// Tokens, sent and received.
    public var tokens: Int?
    /// US dollars; needs a known price.
    public var dollars: Double?

    /// Makes caps.
    public init(requests: Int? = nil, tokens: Int? = nil, dollars: Double? = nil) {
      self.requests = requests
      self.tokens = tokens
      self.dollars = dollars
    }
  }

  /// How the cache of answers is used.
  public enum CacheUse: String, Sendable, CaseIterable {
    /// What is known is not asked again.
    case use
    /// Everything is asked, and the cache learns the answers.
    case refresh
    /// Only the cache is asked: no request is made.
    case only
    /// The cache is neither read nor written.
    case off
  }

  /// The API.
  public var provider: ModelProvider
  /// The model; empty where the server chooses.
  public var model: String
  /// Where it is reached.
  public var url: HTTPURL
  /// The key; `nil` where the server wants none.
  public var key: Secret?
  /// The most items of one request, 1 to 200.
  public var batchSize = 40
  /// The most requests at a time, 1 to 64.
  public var concurrency = 4
  /// How long a request may take.
  public var limits = HTTPRequest.Limits()
  /// Whether the model may propose sections that the store does not have.
  public var allowsNewSections = false
  /// What a run may use at most.
  public var caps = Caps()
  /// What a token costs; `nil` where that is not known.
  public var price: ModelPrice?
  /// How the cache is used.
  public var cacheUse = CacheUse.use

  /// Whether a call throws where the model could not be asked; else its items stay undecided.
  public var isRequired = false

  /// Makes settings.
  public init(provider: ModelProvider, model: String? = nil, url: HTTPURL, key: Secret? = nil) {
    self.provider = provider
    self.model = model ?? provider.standardModel
    self.url = url
    self.key = key
  }
}
