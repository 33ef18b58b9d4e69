package import LLMStrategy

/// Whether a language model is asked, and through which API.
package enum ModelChoice: String, CaseIterable, Sendable {
  case anthropic, openai, proxy, off

  package var provider: ModelProvider? { ModelProvider(rawValue: rawValue) }
}

/// What is settled about the language model.
package struct SettledModel: Sendable {
  /// Which API, and what set it; `nil` where nothing did.
  package var choice: Settled<ModelChoice>?
  /// The model's name; `nil` for the API's own choice.
  package var name: String?
  package var setup: ModelSetup

  /// Puts together what was settled.
  package init(choice: Settled<ModelChoice>?, name: String?, setup: ModelSetup) {
    self.choice = choice
    self.name = name
    self.setup = setup
  }
}
