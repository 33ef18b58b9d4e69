import AisleCore
import Yams

extension Configuration {
  /// What a configuration says about the language model. It has no key or key file, because a configuration may be somebody else's.
  public struct Model: Sendable {
    /// The API: `anthropic`, `openai`, or `proxy`.
    public internal(set) var provider: Setting<String>?
    /// The model.
    public internal(set) var model: Setting<String>?
    /// The model that reads photos.
    public internal(set) var photoModel: Setting<String>?
    /// The server's address.
    public internal(set) var url: Setting<String>?
    /// The most items in one request.
    public internal(set) var batch: Setting<Int>?
    /// The most requests at once.
    public internal(set) var parallel: Setting<Int>?
    /// How long a request may take, in seconds.
    public internal(set) var timeout: Setting<Double>?
    /// Whether the model may propose sections.
    public internal(set) var newSections: Setting<Bool>?
    /// How the cache is used: `use`, `refresh`, `only`, or `off`.
    public internal(set) var cache: Setting<String>?
    /// The most requests in a run.
    public internal(set) var maxRequests: Setting<Int>?
    /// The most tokens in a run.
    public internal(set) var maxTokens: Setting<Int>?
    /// The most US dollars in a run.
    public internal(set) var maxCost: Setting<Double>?
    /// A file with prices.
    public internal(set) var prices: Setting<String>?
    /// How much a model is to reason.
    public internal(set) var effort: Setting<String>?
    /// Lines about models, each a name and what is known of it, as a file with prices has them.
    public internal(set) var models: [Setting<String>] = []
  }
}

extension ConfigurationParser {
  private static let modelFields = [
    "provider", "model", "photo-model", "url", "batch", "parallel", "timeout", "new-sections", "cache", "max-requests",
    "max-tokens", "max-cost", "prices", "effort", "models",
  ]

  /// Reads the section `llm`.
  mutating func model(_ node: Node) -> Configuration.Model? {
    guard let fields = yaml.mapping(node, of: "`llm`", allowed: Self.modelFields) else { return nil }
    var model = Configuration.Model()
    model.provider = choice("provider", fields, ["anthropic", "openai", "proxy", "off"])
    model.model = fields["model"].flatMap { text($0) }
    model.photoModel = fields["photo-model"].flatMap { text($0) }
    model.url = fields["url"].flatMap { text($0) }
    model.batch = number("batch", fields, 1...200, "a whole number from 1 to 200") { Int($0) }
    model.parallel = number("parallel", fields, 1...64, "a whole number from 1 to 64") { Int($0) }
    model.timeout = number("timeout", fields, 1...Configuration.longestTimeout, "seconds, from 1 to 3600") { Double($0) }
    model.newSections = choice("new-sections", fields, ["true", "false"]).map {
      .init(value: $0.value == "true", location: $0.location)
    }
    model.cache = choice("cache", fields, ["use", "refresh", "only", "off"])
    model.maxRequests = number("max-requests", fields, 0...Int.max, "a whole number, 0 or more") { Int($0) }
    model.maxTokens = number("max-tokens", fields, 0...Int.max, "a whole number, 0 or more") { Int($0) }
    model.maxCost = number("max-cost", fields, 0...1_000_000, "US dollars, 0 or more") { Double($0) }
    model.prices = fields["prices"].flatMap { file($0) }
    model.effort = choice("effort", fields, ["none", "minimal", "low", "medium", "high", "xhigh", "max"])
    model.models = fields["models"].map { models($0) } ?? []
    return model
  }

  /// What is known of models: `name: 0.25 1.25 ends=2027-01-14`.
  private mutating func models(_ node: Node) -> [Configuration.Setting<String>] {
    guard let mapping = node.mapping else {
      yaml.report(yaml.location(node), "`models` must be `NAME: INPUT OUTPUT` lines, in dollars per million tokens")
      return []
    }
    return mapping.compactMap { key, value in
      guard let name = yaml.string(key), let known = yaml.string(value) else { return nil }
      return .init(value: "\(name.value) \(known.value)", location: name.location)
    }
  }

  /// One of a few values; anything else is reported.
  mutating func choice(
    _ name: String, _ fields: [String: Node], _ known: [String]
  ) -> Configuration.Setting<String>? {
    guard let written = fields[name].flatMap({ yaml.string($0) }) else { return nil }
    if !known.contains(written.value) {
      let hint = DidYouMean.hint(written.value, among: known)
      yaml.report(
        written.location,
        "unknown \(name) `\(written.value)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)")
      return nil
    }
    return .init(value: written.value, location: written.location)
  }

  /// A number in a range; anything else is reported.
  mutating func number<Number: Comparable & Sendable>(
    _ name: String, _ fields: [String: Node], _ range: ClosedRange<Number>, _ rule: String, _ read: (String) -> Number?
  ) -> Configuration.Setting<Number>? {
    guard let written = fields[name].flatMap({ yaml.string($0) }) else { return nil }
    guard let value = read(written.value), range.contains(value) else {
      yaml.report(written.location, "`\(name)` must be \(rule)")
      return nil
    }
    return .init(value: value, location: written.location)
  }
}
