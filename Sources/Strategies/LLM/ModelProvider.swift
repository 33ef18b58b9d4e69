/// The API through which a language model is asked.
public enum ModelProvider: String, Sendable, CaseIterable {
  /// Anthropic's Messages API.
  case anthropic
  /// OpenAI's Chat Completions API, which Ollama, llama.cpp, and vLLM also support.
  case openai
  /// A list app's own server, which chooses the model.
  case proxy

  /// The default address; `nil` if an address must be given.
  public var standardURL: String? {
    switch self {
    case .anthropic: "https://api.anthropic.com"
    case .openai: "https://api.openai.com"
    case .proxy: nil
    }
  }

  /// The default model by the built-in list; empty if the server chooses.
  public var standardModel: String { ModelList.builtIn.standard(self, for: .text)?.name ?? "" }

  /// The variable from which the provider's own tools read the key; `nil` if there is none.
  public var keyVariable: String? {
    switch self {
    case .anthropic: "ANTHROPIC_API_KEY"
    case .openai: "OPENAI_API_KEY"
    case .proxy: nil
    }
  }
}
