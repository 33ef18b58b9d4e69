public import AisleCore
public import KeywordStrategy

/// The one list of built-in strategies.
public enum StrategyCatalog {
  /// The ids of the built-in strategies, in the order of the default chain.
  public static let ids = ["keyword"]

  /// The local strategies with their default settings, in the order of the default chain.
  public static func strategies(for taxonomy: Taxonomy) -> [any Strategy] {
    [KeywordStrategy(taxonomy)]
  }

  /// The default chain as it is written.
  public static let defaultChain = "keyword"

  /// Builds a chain.
  ///
  /// - Parameter keywords: The keyword strategy with its default settings, where it is at hand already.
  /// - Throws: `ChainError` for an unknown strategy or option.
  public static func chain(
    _ specification: ChainSpecification, for taxonomy: Taxonomy, keywords: KeywordStrategy? = nil
  ) throws(ChainError) -> NamedChain {
    var links: [Chain.Link] = []
    for link in specification.links {
      let strategy: any Strategy
      switch link.strategy {
      case "keyword":
        let mode = try value(of: "mode", in: link, default: KeywordStrategy.Mode.phrase)
        if let keywords, keywords.mode == mode { strategy = keywords } else { strategy = KeywordStrategy(taxonomy, mode: mode) }
      default:
        let hint = DidYouMean.hint(link.strategy, among: ids)
        throw ChainError(
          "chain: no strategy `\(link.strategy)`\(hint.isEmpty ? "; there is \(ids.joined(separator: ", "))" : hint)")
      }
      links.append(Chain.Link(strategy, threshold: link.threshold ?? 0))
    }
    return NamedChain(Chain(links), names: specification.links.map(\.text))
  }

  /// The value of a strategy's only option.
  private static func value<Value: CaseIterable & RawRepresentable>(
    of name: String, in link: ChainSpecification.Link, default standard: Value
  ) throws(ChainError) -> Value where Value.RawValue == String {
    var value = standard
    for option in link.options {
      guard option.name == name else {
        let hint = DidYouMean.hint(option.name, among: [name])
        throw ChainError(
          "chain: strategy `\(link.strategy)` has no option `\(option.name)`\(hint.isEmpty ? "; it has \(name)" : hint)")
      }
      guard let known = Value(rawValue: option.value) else {
        let all = Value.allCases.map(\.rawValue)
        let hint = DidYouMean.hint(option.value, among: all)
        throw ChainError(
          "chain: \(link.strategy)(\(name)=\(option.value)): no such value\(hint.isEmpty ? "; there is \(all.joined(separator: ", "))" : hint)"
        )
      }
      value = known
    }
    return value
  }
}
