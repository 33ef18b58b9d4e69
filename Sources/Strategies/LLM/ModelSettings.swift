public import HTTPTransport

/// The settings for asking a language model.
public struct ModelSettings: Sendable {
  /// The caps on a run; `nil` for no cap.
  public struct Caps: Sendable, Hashable {
    /// Requests, including retries.
    public var requests: Int?
    /// Tokens, sent and received.
    public var tokens: Int?
    /// US dollars; requires a known price.
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
    /// Known answers are used and not asked for again.
    case use
    /// Every item is asked about, and the cache stores the answers.
    case refresh
    /// Only the cache is used, and no requests are made.
    case only
    /// The cache is neither read nor written.
    case off
  }

  /// The API.
  public var provider: ModelProvider
  /// The model; empty if the server chooses.
  public var model: String
  /// The server's address.
  public var url: HTTPURL
  /// The key; `nil` if the server needs none.
  public var key: Secret?
  /// Reads the key anew, where a server says that it has expired; `nil` if there is none.
  public var renewKey: @Sendable () -> Secret? = { nil }
  /// The most items in one request, 1 to 200.
  public var batchSize = 40
  /// The most requests at once, 1 to 64.
  public var concurrency = 4
  /// How long a request may take; all of it may pass without a byte, since answers come whole.
  public var limits = HTTPRequest.Limits(idle: HTTPRequest.Limits().total)
  /// Whether the model may propose sections that the store does not have.
  public var allowsNewSections = false
  /// The caps on a run.
  public var caps = Caps()
  /// The price of tokens; `nil` if unknown.
  public var price: ModelPrice?
  /// How much the model is to reason; `nil` to leave that to the model.
  public var effort: Effort?
  /// The most pixels on the longer side of a photo.
  public var photoSide = 1_568
  /// How the cache is used.
  public var cacheUse = CacheUse.use

  /// Whether short items go out with their neighbors on the list; not where items are no list, such as a corpus.
  public var usesNeighbors = true

  /// Whether they do: a proxy has no place for them.
  var sendsNeighbors: Bool { usesNeighbors && provider != .proxy }

  /// Whether a call throws if the model could not be asked; otherwise its items stay undecided.
  public var isRequired = false

  /// Makes settings.
  public init(provider: ModelProvider, model: String? = nil, url: HTTPURL, key: Secret? = nil) {
    self.provider = provider
    self.model = model ?? provider.standardModel
    self.url = url
    self.key = key
  }
}

extension ModelSettings {
  /// The name by which the price of the model is looked up: its own, or `proxy` where a proxy chooses it.
  public var priceName: String { model.isEmpty ? provider.rawValue : model }

  /// What to do about a cap on money where the price is not known.
  public var priceRemedy: String {
    "--max-cost needs the price of `\(priceName)`; write `\(priceName): INPUT OUTPUT` under `models:` of `llm:` in aisle.yaml, in "
      + "dollars per million tokens, or `0 0` if it costs nothing"
  }
}
