import AisleCore
import HTTPTransport

/// How one kind of API is spoken.
protocol Dialect: Sendable {
  /// The path after the base address.
  var path: String { get }

  /// How the server is made to keep to the form of an answer.
  var form: AnswerForm { get }

  /// The headers that carry the key and the version.
  func headers(_ key: Secret?) -> [HTTPRequest.Header]

  /// The body of a request.
  func body(_ questions: [Question]) -> JSONValue

  /// Reads the body of a response with the status 200.
  ///
  /// - Throws: `ModelFailure` when it is not what the API promises.
  func reply(_ body: JSONValue, to questions: [Question]) throws(ModelFailure) -> Reply

  /// The type or code, and the message, of a response that says what went wrong.
  func fault(_ body: JSONValue) -> (type: String, message: String)

  /// What to speak where a server refuses the form of this one's answers; `nil` where there is nothing else.
  var alternative: (any Dialect)? { get }
}

extension ModelSettings {
  func dialect(_ prompt: Prompt, fallback: String) -> any Dialect {
    switch provider {
    case .anthropic: AnthropicDialect(model: model, prompt: prompt, isVersioned: url.description.hasSuffix("/v1"))
    case .openai:
      OpenAIDialect(
        model: model, prompt: prompt, isVersioned: url.description.hasSuffix("/v1"), isOpenAI: url.host == "api.openai.com")
    case .proxy: ProxyDialect(fallback: fallback)
    }
  }
}
