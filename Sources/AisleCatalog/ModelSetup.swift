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

/// The settings for language models that do not come from a chain, but from options, variables, and the configuration.
public struct ModelSetup: Sendable {
  /// The server's address; `nil` for the provider's own.
  public var url: String?
  /// What set the address, if it was a file that may be somebody else's; `nil` if the user set it.
  public var untrustedURLOrigin: String?
  /// A file with the key; `nil` to look in the environment.
  public var keyFile: String?
  /// Whether a variable named the key file, rather than the command line.
  public var isKeyFileFromEnvironment = false
  /// The most items in one request.
  public var batchSize = 40
  /// The most requests at once.
  public var concurrency = 4
  /// How long a request may take, in seconds; `nil` for 60.
  public var timeout: Double?
  /// Whether the model may propose sections.
  public var allowsNewSections = false
  /// The caps on a run.
  public var caps = ModelSettings.Caps()
  /// How the cache is used.
  public var cacheUse = ModelSettings.CacheUse.use
  /// What a user says of models; `nil` for nothing.
  public var ownModels: ModelList?
  /// What is known of models: the built-in list, which is not read before a model is asked for, under the user's.
  public var models: ModelList { ownModels.map { ModelList.builtIn.overridden(by: $0) } ?? .builtIn }
  /// How much a model is to reason; `nil` for what the list of models says.
  public var effort: Effort?
  /// Where answers are kept from run to run.
  public var cache: (any AnswerCache)?
  /// Is told about every request.
  public var log: (any RequestLog)?
  /// The value of a variable.
  public var variable: @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }

  /// Makes a setup with the defaults.
  public init() {}

  /// The settings of one model.
  ///
  /// - Throws: `ChainError`, which names what is missing or wrong; `FileError` for the key file.
  public func settings(_ provider: ModelProvider, model: String?) throws -> ModelSettings {
    guard let address = url ?? provider.standardURL else {
      throw ChainError("llm: a proxy needs an address; name it with --llm-url or AISLE_LLM_URL")
    }
    let target: HTTPURL
    do { target = try HTTPURL(address) } catch { throw ChainError("llm: \(error)") }
    let models = models
    let standard = models.standard(provider, for: .text)?.name
    var settings = ModelSettings(provider: provider, model: model ?? standard, url: target)
    settings.key = try key(provider, target)?.secret
    settings.renewKey = { [self] in (try? key(provider, target))?.secret }
    settings.batchSize = batchSize
    settings.concurrency = concurrency
    if let timeout {
      settings.limits.total = .seconds(timeout)
      settings.limits.idle = .seconds(timeout)
    }
    settings.allowsNewSections = allowsNewSections
    settings.caps = caps
    settings.cacheUse = cacheUse
    let known = models[settings.priceName]
    settings.price = known?.price
    settings.photoSide = known?.photoSide ?? settings.photoSide
    settings.effort = try effort(provider, known)
    // A server on this machine is asked before the first request whether it runs the model itself: see `ModelClient`.
    let mayBeFree = target.isLoopback && provider == .openai
    if caps.dollars != nil, settings.price == nil, !mayBeFree { throw ChainError("llm: \(settings.priceRemedy)") }
    return settings
  }

  private func effort(_ provider: ModelProvider, _ model: KnownModel?) throws -> Effort? {
    let known = Effort.known(to: provider)
    guard let effort else { return model?.effort.flatMap { known.contains($0) ? $0 : nil } }
    if known.isEmpty { throw ChainError("llm: a proxy chooses itself how much its model reasons; leave --llm-effort out") }
    guard known.contains(effort) else {
      let names = known.map(\.rawValue).joined(separator: ", ")
      throw ChainError("llm: \(provider.rawValue) does not know the effort `\(effort.rawValue)`; use one of \(names)")
    }
    return effort
  }

  /// A key and its origin.
  public struct Key: Sendable {
    /// The key.
    public let secret: Secret
    /// Where it comes from, e.g. `ANTHROPIC_API_KEY`.
    public let origin: String
  }

  /// The key for a provider; `nil` if none is needed.
  ///
  /// The key from a key file on the command line is sent to any address. For all others, see `withheldKeys`.
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
      guard KeyFile.isKey(text) else {
        throw ChainError("llm: \(name) is not a valid key: it contains spaces or other invalid characters")
      }
      return Key(secret: Secret(text), origin: name)
    }
    if url.isLoopback || cacheUse == .only { return nil }
    if let origin = untrustedURLOrigin, !url.isAt(provider) {
      let what = withheld.isEmpty ? "no key from the environment is" : "\(withheld.joined(separator: " and ")) is not"
      throw ChainError(
        "llm: no key: \(what) sent to \(url.host), which only \(origin) names; name that address with --llm-url or AISLE_LLM_URL, "
          + "or a key file with --llm-key-file")
    }
    throw ChainError("llm: no key; set \(names.joined(separator: " or ")), or name a file with --llm-key-file")
  }

  /// The variables that are set but whose key is not sent to an address.
  ///
  /// Any key may be sent to the provider's own host and to an address that the user named. An address that only a configuration
  /// names may be somebody else's, so it gets no key, except for keys that are meant for this tool if the address is this machine.
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
