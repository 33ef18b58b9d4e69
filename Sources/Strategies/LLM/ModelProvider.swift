/// Whose API a language model is asked through.
public enum ModelProvider: String, Sendable, CaseIterable {
  /// Anthropic's Messages.
  case anthropic
  /// OpenAI's Chat Completions, which Ollama, llama.cpp and vLLM speak too.
  case openai
  /// A list app's own server, which asks a model of its choice.
  case proxy

  /// Where it is reached; `nil` where that must be said.
  public var standardURL: String? {
    switch self {
    case .anthropic: "https://api.anthropic.com"
    case .openai: "https://api.openai.com"
    case .proxy: nil
    }
  }

  /// The model that is asked where none is named; empty where the server chooses.
  public var standardModel: String {
    switch self {
    case .anthropic: "claude-haiku-4-5-20251001"
    case .openai: "gpt-4.1-mini"
    case .proxy: ""
    }
  }

  /// The variable that its own tools read the key from; `nil` where there is none.
  public var keyVariable: String? {
    switch self {
    case .anthropic: "ANTHROPIC_API_KEY"
    case .openai: "OPENAI_API_KEY"
    case .proxy: nil
    }
  }
}
