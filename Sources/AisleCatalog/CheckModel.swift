package import LLMStrategy

/// Which model checks a list: the one that the chain names, else the one that is asked for, else Anthropic's.
package struct CheckModel {
  private let provider: ModelProvider
  private let name: String?
  private let setup: ModelSetup

  /// - Throws: `ChainError` where models are turned off.
  package init(_ settled: SettledChain) throws {
    if let choice = settled.model.choice, choice.value == .off {
      throw ChainError(
        "checking a list needs a language model, which is off (\(choice.origin)); use --llm anthropic")
    }
    let link = settled.chain.value.links.first(where: \.isModel)
    func option(_ name: String) -> String? { link?.options.first { $0.name == name }?.value }
    provider = option("provider").flatMap { ModelProvider(rawValue: $0) } ?? settled.model.choice?.value.provider ?? .anthropic
    name = option("model") ?? settled.model.name
    setup = settled.model.setup
  }

  /// The settings for asking.
  ///
  /// - Throws: what `ModelSetup.settings` throws, e.g. without a key.
  package func settings() throws -> ModelSettings { try setup.settings(provider, model: name) }

  /// The settings for what needs no key.
  package var offline: ModelSettings {
    get throws {
      var keyless = setup
      keyless.cacheUse = .only
      keyless.caps = .init()
      var settings = try keyless.settings(provider, model: name)
      settings.cacheUse = setup.cacheUse
      return settings
    }
  }
}
