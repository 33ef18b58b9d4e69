import AisleCore
import AisleFiles
public import HTTPTransport
public import LLMStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How language models are asked, beside what a chain says: from options, variables and the configuration.
public struct ModelSetup: Sendable {
  /// Where the model is reached; `nil` for the provider's own address.
  public var url: String?
  /// What set the address, where a file did that may be somebody else's; `nil` where the person at the keyboard did.
  public var untrustedURLOrigin: String?
  /// A file with the key; `nil` to look in the environment.
  public var keyFile: String?
  /// Whether a variable names the key file, and not the command line.
  public var isKeyFileFromEnvironment = false
  /// The most items of one request.
  public var batchSize = 40
  /// The most requests at a time.
  public var concurrency = 4
  /// How long a request may take, in seconds; `nil` for 60, of which 20 may pass without a byte.
  public var timeout: Double?
  /// Whether the model may propose sections.
  public var allowsNewSections = false
  /// What a run may use at most.
  public var caps = ModelSettings.Caps()
  /// How the cache is used.
  public var cacheUse = ModelSettings.CacheUse.use
  /// What models cost; `nil` for what the tool knows of it.
  public var prices: PriceList?
  /// Where answers are kept from run to run.
  public var cache: (any AnswerCache)?
  /// Hears of every request.
  public var log: (any RequestLog)?
  /// The value of a variable.
  public var variable: @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }

  /// Makes a setup with the defaults.
  public init() {}

  /// The settings of one model.
  ///
  /// - Throws: `ChainError` naming what is missing or wrong; `FileError` for the key file.
  public func settings(_ provider: ModelProvider, model: String?) throws -> ModelSettings {
    guard let address = url ?? provider.standardURL else {
      throw ChainError("llm: a proxy has no address of its own; name it with --llm-url or AISLE_LLM_URL")
    }
    let target: HTTPURL
    do { target = try HTTPURL(address) } catch { throw ChainError("llm: \(error)") }
    var settings = ModelSettings(provider: provider, model: model, url: target)
    settings.key = try key(provider, target)?.secret
    settings.batchSize = batchSize
    settings.concurrency = concurrency
    if let timeout {
      settings.limits.total = .seconds(timeout)
      settings.limits.idle = .seconds(timeout)
    }
    settings.allowsNewSections = allowsNewSections
    settings.caps = caps
    settings.cacheUse = cacheUse
    settings.price = (prices ?? .builtIn).price(of: settings.model) ?? (target.isLoopback ? .free : nil)
    if caps.dollars != nil, settings.price == nil {
      throw ChainError(
        "llm: --max-cost needs the price of `\(settings.model)`; add its line to a file that --llm-prices names (see `aisle llm prices`)"
      )
    }
    return settings
  }

  /// A key, and where it comes from.
  public struct Key: Sendable {
    /// The key.
    public let secret: Secret
    /// Where it comes from, e.g. `ANTHROPIC_API_KEY`.
    public let origin: String
  }

  /// The key for a provider; `nil` where none is needed.
  ///
  /// A key file of the command line goes anywhere, all else as `withheldKeys` says.
  ///
  /// - Throws: `ChainError`, `FileError`.
  public func key(_ provider: ModelProvider, _ url: HTTPURL) throws -> Key? {
    let withheld = withheldKeys(provider, url)
    if let keyFile, !withheld.contains(Self.keyFileVariable) {
      return Key(secret: Secret(try KeyFile.read(keyFile)), origin: keyFile)
    }
    let names = [Self.keyVariable, provider.keyVariable].compactMap { $0 }
    for name in names where !withheld.contains(name) {
      guard let text = variable(name), !text.isEmpty else { continue }
      guard KeyFile.isKey(text) else { throw ChainError("llm: \(name) is no key: it has blanks or other odd characters") }
      return Key(secret: Secret(text), origin: name)
    }
    if url.isLoopback || cacheUse == .only { return nil }
    if let origin = untrustedURLOrigin, !url.isAt(provider) {
      let what = withheld.isEmpty ? "none of the environment is" : "\(withheld.joined(separator: " and ")) is not"
      throw ChainError(
        "llm: no key: \(what) sent to \(url.host), which only \(origin) names; name that address with --llm-url or AISLE_LLM_URL, "
          + "or a key file with --llm-key-file")
    }
    throw ChainError("llm: no key; set \(names.joined(separator: " or ")), or name a file with --llm-key-file")
  }

  /// The variables that are set, and whose key is not sent to an address.
  ///
  /// Every key goes to the provider's own host, and where the person at the keyboard said. An address that only a configuration names,
  /// which may be somebody else's, gets none: but for those that are meant for this tool, where it is this machine.
  public func withheldKeys(_ provider: ModelProvider, _ url: HTTPURL) -> [String] {
    if untrustedURLOrigin == nil || url.isAt(provider) { return [] }
    let own = url.isLoopback ? [] : [Self.keyFileVariable, Self.keyVariable]
    return (own + [provider.keyVariable].compactMap { $0 }).filter { name in
      name == Self.keyFileVariable ? keyFile != nil && isKeyFileFromEnvironment : variable(name)?.isEmpty == false
    }
  }

  private static let keyVariable = "AISLE_LLM_KEY"
  private static let keyFileVariable = "AISLE_LLM_KEY_FILE"
}

extension HTTPURL {
  /// Whether it leads to the provider's own host.
  fileprivate func isAt(_ provider: ModelProvider) -> Bool {
    provider.standardURL.flatMap { try? HTTPURL($0) }?.host == host && description.hasPrefix("https:")
  }
}

extension ModelPrice {
  /// What one's own machine takes.
  static let free = ModelPrice(input: 0, output: 0, cacheRead: 0, cacheWrite: 0)
}
