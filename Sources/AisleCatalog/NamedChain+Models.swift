package import AisleCore
package import LLMStrategy
import ProcessStrategy

extension NamedChain {
  /// The language models in the chain.
  package var languageModels: [LanguageModelStrategy] {
    chain.links.compactMap { Self.isLanguageModel($0.strategy) ? $0.strategy as? LanguageModelStrategy : nil }
  }

  /// Whether a strategy is a language model: a cast would have every run look through all types for one that can become it.
  package static func isLanguageModel(_ strategy: any Strategy) -> Bool { type(of: strategy) == LanguageModelStrategy.self }

  /// Whether a strategy waits for a program or a server, which the runtime does on threads of its own.
  package var waits: Bool {
    chain.links.contains { Self.isLanguageModel($0.strategy) || type(of: $0.strategy) == ProcessStrategy.self }
  }
}
