import AisleCore
import HTTPTransport

/// How photos are sent to each kind of API, and answers about them read.
struct PhotoDialect: Sendable {
  /// The form of a request.
  enum Form: Sendable {
    /// Anthropic's, with the schema of the answer.
    case anthropic
    /// Anthropic's with a tool to call, for servers that do not know schemas.
    case anthropicTool
    case openai
    /// A list app's own server, which chooses the model and what it is told.
    case proxy
  }

  /// What a model answered.
  enum Reply: Sendable {
    case sections([JSONValue])
    case refused
    case truncated
  }

  let form: Form
  private let settings: ModelSettings

  init(_ settings: ModelSettings) {
    self.settings = settings
    form =
      switch settings.provider {
      case .anthropic: .anthropic
      case .openai: .openai
      case .proxy: .proxy
      }
  }

  private init(_ form: Form, _ settings: ModelSettings) {
    self.form = form
    self.settings = settings
  }

  /// What to speak where the server does not know this form; `nil` where there is nothing else.
  var alternative: PhotoDialect? { form == .anthropic ? PhotoDialect(.anthropicTool, settings) : nil }

  /// Whether a server that rejects a request does not know its form.
  static func isOfForm(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body.prefix(10_000), as: UTF8.self)
    return text.contains("output_config") || text.contains("output_format") || text.contains("json_schema")
  }

  /// The path after the base address.
  var path: String {
    let version = settings.url.description.hasSuffix("/v1") ? "" : "/v1"
    switch form {
    case .anthropic, .anthropicTool: return version + "/messages"
    case .openai: return version + "/chat/completions"
    case .proxy: return ""
    }
  }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    if form == .anthropic || form == .anthropicTool { return AnthropicDialect.headers(key) }
    return [HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? [])
  }

  /// The most tokens of an answer.
  var answerTokens: Int { PhotoPrompt.answerTokens + (settings.effort?.room ?? 0) }

  /// The body of a request about a photo.
  ///
  /// - Parameter jpeg: The photo in Base64.
  func body(_ jpeg: String) -> JSONValue {
    switch form {
    case .anthropic, .anthropicTool: anthropicBody(jpeg)
    case .openai: openAIBody(jpeg)
    case .proxy: ["action": "analyze", "imageBase64": .text(jpeg), "mediaType": .text(Self.mediaType)]
    }
  }

  private static let mediaType = "image/jpeg"

  private func anthropicBody(_ jpeg: String) -> JSONValue {
    let image: JSONValue = [
      "type": "image", "source": ["type": "base64", "media_type": .text(Self.mediaType), "data": .text(jpeg)],
    ]
    var members: [JSONValue.Member] = [
      .init("model", .text(settings.model)), .init("max_tokens", .init(answerTokens)),
      .init("system", [["type": "text", "text": .text(PhotoPrompt.system)]]),
      .init("messages", [["role": "user", "content": [image, ["type": "text", "text": .text(PhotoPrompt.message)]]]]),
    ]
    var output: [JSONValue.Member] = settings.effort.map { [.init("effort", .text($0.rawValue))] } ?? []
    if form == .anthropic {
      output.append(.init("format", ["type": "json_schema", "schema": PhotoPrompt.schema]))
    } else {
      let tool: JSONValue = [
        "name": .text(PhotoPrompt.toolName), "description": .text(PhotoPrompt.toolSummary), "input_schema": PhotoPrompt.schema,
      ]
      members += [.init("tools", [tool]), .init("tool_choice", ["type": "tool", "name": .text(PhotoPrompt.toolName)])]
    }
    if !output.isEmpty { members.append(.init("output_config", .object(output))) }
    return .object(members)
  }

  private func openAIBody(_ jpeg: String) -> JSONValue {
    let image: JSONValue = [
      "type": "image_url", "image_url": ["url": .text("data:\(Self.mediaType);base64,\(jpeg)")],
    ]
    let isOpenAI = settings.url.host == "api.openai.com"
    return .object(
      [
        .init("model", .text(settings.model)),
        .init(isOpenAI ? "max_completion_tokens" : "max_tokens", .init(answerTokens)),
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
      ] + OpenAIDialect.effort(settings.effort))
  }

  /// Reads the body of a response with the status 200.
  func read(_ body: JSONValue) throws(ModelFailure) -> (answer: Reply, claim: UsageClaim) {
    let ending: AnswerEnding
    switch form {
    case .anthropic, .anthropicTool: ending = try AnthropicDialect.ending(body, tool: PhotoPrompt.toolName)
    case .openai: ending = try OpenAIDialect.ending(body)
    case .proxy: ending = AnswerEnding(answers: [body], claim: UsageClaim(answerBytes: body.bytes.count))
    }
    switch ending.outcome {
    case .refused: return (.refused, ending.claim)
    case .truncated: return (.truncated, ending.claim)
    case .complete:
      guard let sections = ending.answer?["sections"]?.elements else {
        let what = form == .proxy ? "the answer has no sections" : "the answer does not fit the schema"
        throw ModelFailure(.badReply, what, claim: ending.claim)
      }
      return (.sections(sections), ending.claim)
    }
  }

  func fault(_ body: JSONValue) -> (type: String, message: String) {
    switch form {
    case .anthropic, .anthropicTool: AnthropicDialect.fault(body)
    case .openai: OpenAIDialect.fault(body)
    case .proxy: ProxyDialect.fault(body)
    }
  }
}
