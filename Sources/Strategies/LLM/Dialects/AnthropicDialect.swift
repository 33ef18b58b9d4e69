import AisleCore
import HTTPTransport

/// Anthropic's Messages: the model must call one tool, whose input is the answer.
struct AnthropicDialect: Dialect {
  /// The version of the API.
  static let version = "2023-06-01"

  let model: String
  let prompt: Prompt
  /// Whether the base address has the version's part already.
  let isVersioned: Bool

  var path: String { isVersioned ? "/messages" : "/v1/messages" }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] { Self.headers(key) }

  static func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    [HTTPRequest.Header("anthropic-version", version), HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("x-api-key", secret: $0)] } ?? [])
  }

  func body(_ questions: [Question]) -> JSONValue {
    let body: JSONValue = [
      "model": .text(model), "max_tokens": .init(prompt.answerTokens(questions.count)),
      "system": [["type": "text", "text": .text(prompt.system), "cache_control": ["type": "ephemeral"]]],
      "messages": [["role": "user", "content": .text(prompt.message(questions))]],
      "tools": [
        ["name": .text(Prompt.toolName), "description": .text(Prompt.toolSummary), "input_schema": prompt.schema]
      ],
      "tool_choice": ["type": "tool", "name": .text(Prompt.toolName)],
    ]
    guard let effort = prompt.effort, case .object(let members) = body else { return body }
    return .object(members + [.init("output_config", ["effort": .text(effort.rawValue)])])
  }

  func reply(_ body: JSONValue, to questions: [Question]) throws(ModelFailure) -> Reply {
    let ending = try Self.ending(body, tool: Prompt.toolName)
    guard ending.outcome == .complete else { return Reply(outcome: ending.outcome, claim: ending.claim) }
    guard let items = ending.answer?.categorizedItems(section: "section") else {
      throw ModelFailure(.badReply, "the answer does not call \(Prompt.toolName)", claim: ending.claim)
    }
    return Reply(items: items, claim: ending.claim)
  }

  /// How a message ended, and the input that it calls a tool with.
  static func ending(_ body: JSONValue, tool: String) throws(ModelFailure) -> AnswerEnding {
    guard let content = body["content"]?.elements, let reason = body["stop_reason"]?.string else {
      throw ModelFailure(.badReply, "the answer is not a message")
    }
    var ending = AnswerEnding(claim: claim(body, content))
    switch reason {
    case "refusal": ending.outcome = .refused
    case "max_tokens", "pause_turn", "model_context_window_exceeded": ending.outcome = .truncated
    default: ending.answer = content.first { $0["type"]?.string == "tool_use" && $0["name"]?.string == tool }?["input"]
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
