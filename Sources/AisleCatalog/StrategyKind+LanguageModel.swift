import AisleCore
import LLMStrategy

extension StrategyKind {
  /// A language model, asked about what nothing else has decided.
  static let languageModel: StrategyKind = {
    var kind = asked
    kind.standardThreshold = LanguageModelStrategy.standardThreshold
    return kind
  }()

  private static let asked = StrategyKind(
    id: "llm", summary: "asks a language model about items that nothing else has decided", needs: "--llm, a network, and a key",
    options: [
      Option("provider", "whose API to use", values: ModelProvider.allCases.map(\.rawValue), isRequired: true),
      Option("model", "the model's name (default: the provider's default)"),
    ]
  ) { context, options in
    let provider = options.value("provider", as: ModelProvider.self) ?? .anthropic
    var settings = try context.model.settings(provider, model: options["model"])
    settings.isRequired = context.host.requiresPrograms
    // What is measured is no list, and its answers must not depend on their order.
    settings.usesNeighbors = !context.host.requiresPrograms
    return LanguageModelStrategy(
      settings, taxonomy: context.taxonomy, cache: context.model.cache,
      log: context.model.log, interruption: context.host.interruption, remark: context.host.remark)
  }
}
