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
  func body(_ inquiry: Inquiry) -> JSONValue

  /// Reads the body of a response with the status 200.
  ///
  /// - Parameter tool: The name of the tool that the model was to call.
  /// - Throws: `ModelFailure` when it is not what the API promises.
  func ending(_ body: JSONValue, tool: String) throws(ModelFailure) -> AnswerEnding

  /// The type or code, and the message, of a response that says what went wrong.
  func fault(_ body: JSONValue) -> (type: String, message: String)

  /// What to speak where a server refuses the form of this one's answers; `nil` where there is nothing else.
  var alternative: (any Dialect)? { get }
}

extension ModelSettings {
  /// - Parameter fallback: The section that undecided items have now.
  func dialect(fallback: String = "") -> any Dialect {
    switch provider {
    case .anthropic: AnthropicDialect(model: model, isVersioned: url.description.hasSuffix("/v1"))
    case .openai:
      OpenAIDialect(model: model, isVersioned: url.description.hasSuffix("/v1"), isOpenAI: url.host == "api.openai.com")
    case .proxy: ProxyDialect(fallback: fallback)
    }
  }
}
