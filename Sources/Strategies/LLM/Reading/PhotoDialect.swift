import AisleCore
import HTTPTransport

/// How photos are sent to each kind of API, and answers about them read.
enum PhotoDialect: Sendable {
  case anthropic, openai

  /// What a model answered.
  enum Reply: Sendable {
    case sections([JSONValue])
    case refused
    case truncated
  }

  /// The path after the version's part.
  var path: String { self == .anthropic ? "/messages" : "/chat/completions" }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    if self == .anthropic { return AnthropicDialect.headers(key) }
    return [HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? [])
  }

  func body(_ photo: ListPhoto, model: String, isOpenAI: Bool) -> JSONValue {
    switch self {
    case .anthropic:
      let image: JSONValue = [
        "type": "image",
        "source": ["type": "base64", "media_type": .text(photo.format.mediaType), "data": .text(photo.base64)],
      ]
      return [
        "model": .text(model), "max_tokens": .init(PhotoPrompt.answerTokens),
        "system": [["type": "text", "text": .text(PhotoPrompt.system)]],
        "messages": [["role": "user", "content": [image, ["type": "text", "text": .text(PhotoPrompt.message)]]]],
        "tools": [
          [
            "name": .text(PhotoPrompt.toolName), "description": .text(PhotoPrompt.toolSummary),
            "input_schema": PhotoPrompt.schema,
          ]
        ],
        "tool_choice": ["type": "tool", "name": .text(PhotoPrompt.toolName)],
      ]
    case .openai:
      let image: JSONValue = [
        "type": "image_url", "image_url": ["url": .text("data:\(photo.format.mediaType);base64,\(photo.base64)")],
      ]
      return .object([
        .init("model", .text(model)),
        .init(isOpenAI ? "max_completion_tokens" : "max_tokens", .init(PhotoPrompt.answerTokens)),
        .init(
          "messages",
          [
            ["role": "system", "content": .text(PhotoPrompt.system)],
            ["role": "user", "content": [image, ["type": "text", "text": .text(PhotoPrompt.message)]]],
          ]),
        .init(
          "response_format",
          [
            "type": "json_schema",
            "json_schema": ["name": .text(PhotoPrompt.toolName), "schema": PhotoPrompt.schema, "strict": true],
          ]),
      ])
    }
  }

  /// Reads the body of a response with the status 200.
  func read(_ body: JSONValue) throws(ModelFailure) -> (answer: Reply, claim: UsageClaim) {
    let ending: AnswerEnding
    switch self {
    case .anthropic: ending = try AnthropicDialect.ending(body, tool: PhotoPrompt.toolName)
    case .openai: ending = try OpenAIDialect.ending(body)
    }
    switch ending.outcome {
    case .refused: return (.refused, ending.claim)
    case .truncated: return (.truncated, ending.claim)
    case .complete:
      guard let sections = ending.answer?["sections"]?.elements else {
        throw ModelFailure(.badReply, "the answer does not fit the schema", claim: ending.claim)
      }
      return (.sections(sections), ending.claim)
    }
  }

  func fault(_ body: JSONValue) -> (type: String, message: String) {
    self == .anthropic ? AnthropicDialect.fault(body) : OpenAIDialect.fault(body)
  }
}
