public import AisleCore
public import KeywordStrategy
public import LearnedStrategy

/// A kind of strategy that chains can name: its name, its purpose, and how to create one.
public struct StrategyKind: Sendable {
  /// An option that a chain can set: `keyword(mode=substring)`.
  public struct Option: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// The allowed values; empty if any text is allowed.
    public let values: [String]
    /// Whether a strategy of this kind requires it.
    public let isRequired: Bool

    /// Describes an option.
    public init(_ name: String, _ summary: String, values: [String] = [], isRequired: Bool = false) {
      self.name = name
      self.summary = summary
      self.values = values
      self.isRequired = isRequired
    }
  }

  /// The id that chains and output use: lowercase letters, digits, and hyphens.
  public let id: String
  /// What it does, in one line.
  public let summary: String
  /// What it needs from outside, e.g. a program or a key, in a few words; empty for nothing.
  public let needs: String
  /// Its options.
  public let options: [Option]
  /// The confidence at which a decision is final where the chain does not say; 0 where any is.
  package var standardThreshold: Float = 0
  /// Makes a strategy.
  package let make: @Sendable (StrategyContext, StrategyOptions) throws -> any Strategy

  /// Describes a kind of strategy.
  ///
  /// - Parameter make: Creates a strategy. It may throw an error whose description names what is missing and the remedy. Options
  ///   are checked against `options` first.
  public init(
    id: String, summary: String, needs: String = "", options: [Option] = [],
    make: @escaping @Sendable (StrategyContext, StrategyOptions) throws -> any Strategy
  ) {
    self.id = id
    self.summary = summary
    self.needs = needs
    self.options = options
    self.make = make
  }
}

/// What a strategy can be made from.
public struct StrategyContext: Sendable {
  /// The store.
  public let taxonomy: Taxonomy
  /// The keyword strategy with its default settings, if it already exists.
  public let keywords: KeywordStrategy?
  /// What strategies that run programs need from their host.
  public var host = StrategyHost()
  /// How language models are asked.
  public var model = ModelSetup()
  /// Receives a one-line warning from any thread; a strategy reports each problem once.
  public var warn: @Sendable (String) -> Void = { _ in }

  /// What people corrected; `nil` for nothing.
  public var corrections: LearnedCorrections?

  /// The file of corrections that are to be followed as they change; `nil` to go by `corrections`.
  package var liveCorrections: String?

  /// The file with the model trained for these stores; `nil` for the compiled-in model.
  public var shelfModel: String?

  /// Makes a context.
  public init(taxonomy: Taxonomy, keywords: KeywordStrategy? = nil) {
    self.taxonomy = taxonomy
    self.keywords = keywords
  }
}

/// The options that a chain sets for one strategy, checked against those of its kind.
public struct StrategyOptions: Sendable {
  private let values: [String: String]

  init(_ link: ChainSpecification.Link, of kind: StrategyKind) throws(ChainError) {
    var values: [String: String] = [:]
    let names = kind.options.map(\.name)
    for option in link.options {
      guard let known = kind.options.first(where: { $0.name == option.name }) else {
        let hint = DidYouMean.hint(option.name, among: names)
        let list = names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
        throw ChainError("chain: strategy `\(kind.id)` has no option `\(option.name)`\(hint.isEmpty ? list : hint)")
      }
      if !known.values.isEmpty, !known.values.contains(option.value) {
        let hint = DidYouMean.hint(option.value, among: known.values)
        let list = "; use one of \(known.values.joined(separator: ", "))"
        throw ChainError("chain: \(kind.id)(\(option.name)=\(option.value)): no such value\(hint.isEmpty ? list : hint)")
      }
      if values.updateValue(option.value, forKey: option.name) != nil {
        throw ChainError("chain: option `\(option.name)` of `\(kind.id)` is set twice; keep one")
      }
    }
    if let missing = kind.options.first(where: { $0.isRequired && values[$0.name] == nil }) {
      throw ChainError("chain: `\(kind.id)` needs its option `\(missing.name)`; write \(kind.id)(\(missing.name)=…)")
    }
    self.values = values
  }

  /// An option's value; `nil` if it is not set.
  public subscript(name: String) -> String? { values[name] }

  /// An option's value as a given type; `nil` if it is not set.
  public func value<Value: RawRepresentable>(_ name: String, as type: Value.Type) -> Value? where Value.RawValue == String {
    values[name].flatMap(Value.init(rawValue:))
  }
}
