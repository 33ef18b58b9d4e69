import AisleCore
import HTTPTransport

/// Anthropic's Messages: the answer must fit a JSON schema; of older models, it is the input of a tool that they must call.
struct AnthropicDialect: Dialect {
  /// The version of the API.
  static let version = "2023-06-01"

  let model: String
  /// Whether the base address has the version's part already.
  let isVersioned: Bool
  /// How the server is made to keep to the form of an answer.
  var form = AnswerForm.schema

  var path: String { isVersioned ? "/messages" : "/v1/messages" }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] { Self.headers(key) }

  static func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    [HTTPRequest.Header("anthropic-version", version), HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("x-api-key", secret: $0)] } ?? [])
  }

  func body(_ inquiry: Inquiry) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("model", .text(model)), .init("max_tokens", .init(inquiry.answerTokens)), .init("system", [Self.system(inquiry)]),
      .init("messages", [["role": "user", "content": Self.content(inquiry)]]),
    ]
    var output: [JSONValue.Member] = inquiry.effort.map { [.init("effort", .text($0.rawValue))] } ?? []
    switch form {
    case .schema: output.append(.init("format", ["type": "json_schema", "schema": inquiry.schema]))
    case .tool:
      let name = JSONValue.text(inquiry.toolName)
      members += [
        .init("tools", [["name": name, "description": .text(inquiry.toolSummary), "input_schema": inquiry.schema]]),
        .init("tool_choice", ["type": "tool", "name": name]),
      ]
    case .object, .json, .text: break
    }
    if !output.isEmpty { members.append(.init("output_config", .object(output))) }
    return .object(members)
  }

  /// What the model is told; of photos there are few, so that it is not worth keeping.
  private static func system(_ inquiry: Inquiry) -> JSONValue {
    inquiry.photo == nil
      ? ["type": "text", "text": .text(inquiry.system), "cache_control": ["type": "ephemeral"]]
      : ["type": "text", "text": .text(inquiry.system)]
  }

  private static func content(_ inquiry: Inquiry) -> JSONValue {
    guard let photo = inquiry.photo else { return .text(inquiry.message) }
    let source: JSONValue = ["type": "base64", "media_type": .text(Inquiry.mediaType), "data": .text(photo)]
    return [["type": "image", "source": source], ["type": "text", "text": .text(inquiry.message)]]
  }

  /// The same API with a tool in place of the schema, then with nothing but the prompt.
  var alternative: (any Dialect)? {
    guard form != .text else { return nil }
    var other = self
    other.form = form == .schema ? .tool : .text
    return other
  }

  /// How a message ended, and the JSON of its blocks: of those that call a tool, else of texts.
  func ending(_ body: JSONValue, tool: String) throws(ModelFailure) -> AnswerEnding {
    guard let content = body["content"]?.elements, let reason = body["stop_reason"]?.string else {
      throw ModelFailure(.badReply, "the answer is not a message")
    }
    var ending = AnswerEnding(claim: Self.claim(body, content))
    switch reason {
    case "refusal": ending.outcome = .refused
    case "max_tokens", "pause_turn", "model_context_window_exceeded": ending.outcome = .truncated
    default:
      ending.answers = content.filter { $0["type"] == "tool_use" && $0["name"]?.string == tool }.compactMap { $0["input"] }
      if ending.answers.isEmpty {
        let texts = content.filter { $0["type"] == "text" }.compactMap { $0["text"]?.string }
        ending.answers = texts.flatMap { AnswerText.values(in: $0) }
        // One value may go on from a block to the next.
        if ending.answers.isEmpty { ending.answers = AnswerText.values(in: texts.joined()) }
      }
    }
    return ending
  }

  private static func claim(_ body: JSONValue, _ content: [JSONValue]) -> UsageClaim {
    let usage = body["usage"]
    /// Tokens of the provider's cache; none where the answer does not mention any.
    func kept(_ name: String) -> Int? {
      guard let value = usage?[name], value != .null else { return 0 }
      return UsageClaim.figure(value)
    }
    var claim = UsageClaim(output: UsageClaim.figure(usage?["output_tokens"]))
    if let plain = UsageClaim.figure(usage?["input_tokens"]), let read = kept("cache_read_input_tokens"),
      let written = kept("cache_creation_input_tokens")
    {
      claim.sent = TokenUsage(plainInput: plain, cacheRead: read, cacheWrite: written)
    }
    claim.answerBytes = content.reduce(0) { $0 + ($1["input"]?.bytes.count ?? $1["text"]?.string?.utf8.count ?? 0) }
    return claim
  }

  func fault(_ body: JSONValue) -> (type: String, message: String) { Self.fault(body) }

  static func fault(_ body: JSONValue) -> (type: String, message: String) {
    (body["error"]?["type"]?.string ?? "", body["error"]?["message"]?.string ?? "")
  }
}
