public import AisleCore
import AisleKit
import KeywordStrategy
import LearnedStrategy
import RegexStrategy

/// The kinds of strategies that a chain can name.
public struct StrategyCatalog: Sendable {
  /// The kinds, in the order of the default chain.
  public private(set) var kinds: [StrategyKind]

  /// The one list of built-in strategies, in the order of the default chain.
  public static let builtIn = StrategyCatalog(kinds: [
    StrategyKind(
      id: "learned", summary: "what people corrected, for the same item and its close variants",
      needs: "corrections: `aisle correct`, `aisle suggestions`"
    ) { context, _ in
      if let path = context.liveCorrections {
        return try LiveLearnedStrategy(context.taxonomy, path: path, report: context.warn)
      }
      return LearnedStrategy(context.taxonomy, context.corrections)
    },
    StrategyKind(
      id: "regex", summary: "PCRE2 patterns from the store's files, for text that keywords cannot express",
      options: [StrategyKind.Option("jit", "whether to compile patterns to machine code", values: ["on", "off"])]
    ) { context, options in
      var limits = RegexLimits()
      if options["jit"] == "off" { limits.isJustInTime = false }
      return RegexStrategy(context.taxonomy, limits: limits) { context.warn($0.description) }
    },
    StrategyKind(
      id: "keyword", summary: "whole-word keywords and phrases from the store's shelves",
      options: [
        StrategyKind.Option("mode", "how keywords match", values: KeywordStrategy.Mode.allCases.map(\.rawValue))
      ]
    ) { context, options in
      let mode = options.value("mode", as: KeywordStrategy.Mode.self) ?? .phrase
      if let keywords = context.keywords, keywords.mode == mode { return keywords }
      return KeywordStrategy(context.taxonomy, mode: mode)
    },
    .model,
    .process,
    .languageModel,
  ])

  /// The default chain as written.
  public static let defaultChain = UsualChain.text

  /// The default chain without the trained model, asked in turn.
  public static let keywordChain = UsualChain.textWithoutModel

  /// The policy of the default chain.
  public static let defaultPolicy = UsualChain.policy

  /// The default chain if there are corrections.
  public static let defaultChainWithCorrections = "learned,\(defaultChain)"

  /// Makes a catalog.
  public init(kinds: [StrategyKind]) { self.kinds = kinds }

  /// The ids of the kinds.
  public var ids: [String] { kinds.map(\.id) }

  /// The catalog with more kinds; a kind replaces another one with the same id.
  public func adding(_ more: [StrategyKind]) -> StrategyCatalog {
    var catalog = self
    for kind in more {
      if let place = catalog.kinds.firstIndex(where: { $0.id == kind.id }) {
        catalog.kinds[place] = kind
      } else {
        catalog.kinds.append(kind)
      }
    }
    return catalog
  }

  /// Checks that all strategies and options in a chain exist.
  ///
  /// - Throws: `ChainError`.
  public func check(_ specification: ChainSpecification) throws(ChainError) {
    for link in specification.links { _ = try StrategyOptions(link, of: kind(link.strategy)) }
  }

  /// Builds a chain.
  ///
  /// - Throws: `ChainError` for an unknown strategy or option; the strategy's error if it cannot be created.
  public func chain(
    _ specification: ChainSpecification, policy: Chain.Policy = .first, in context: StrategyContext
  ) throws -> NamedChain {
    let links = try specification.links.map { link in
      let kind = try kind(link.strategy)
      let strategy = try kind.make(context, try StrategyOptions(link, of: kind))
      return Chain.Link(strategy, threshold: link.threshold ?? kind.standardThreshold)
    }
    return NamedChain(Chain(links, policy: policy), names: specification.links.map(\.text))
  }

  private func kind(_ id: String) throws(ChainError) -> StrategyKind {
    if let kind = kinds.first(where: { $0.id == id }) { return kind }
    let hint = DidYouMean.hint(id, among: ids)
    throw ChainError("chain: no strategy `\(id)`\(hint.isEmpty ? "; use one of \(ids.joined(separator: ", "))" : hint)")
  }

  /// The strategies with their default settings, in order, without those that cannot be made without settings.
  ///
  /// - Throws: Whatever a strategy throws that cannot be made.
  public func strategies(in context: StrategyContext) throws -> [any Strategy] {
    let ready = kinds.filter { kind in !kind.options.contains(where: \.isRequired) }.map(\.id)
    return try chain(ChainSpecification(ready.joined(separator: ",")), in: context).chain.links.map(\.strategy)
  }
}
