import AisleCore
import HTTPTransport

/// OpenAI's Chat Completions, as OpenAI, Ollama, llama.cpp and vLLM speak it: the answer must fit a JSON schema.
struct OpenAIDialect: Dialect {
  let model: String
  /// Whether the base address has the version's part already.
  let isVersioned: Bool
  /// Whether it is OpenAI itself, whose newer models know one name of a field and whose imitators know the other.
  let isOpenAI: Bool
  /// How the server is made to keep to the form of an answer.
  var form = AnswerForm.schema

  var path: String { isVersioned ? "/chat/completions" : "/v1/chat/completions" }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    [HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? [])
  }

  func body(_ inquiry: Inquiry) -> JSONValue {
    var members: [JSONValue.Member] = [.init("model", .text(model))]
    if let effort = inquiry.effort { members.append(.init("reasoning_effort", .text(effort.rawValue))) }
    members += [
      .init(isOpenAI ? "max_completion_tokens" : "max_tokens", .init(inquiry.answerTokens)),
      .init(
        "messages",
        [["role": "system", "content": .text(inquiry.system)], ["role": "user", "content": Self.content(inquiry)]]),
    ]
    if let format = format(inquiry) { members.append(.init("response_format", format)) }
    return .object(members)
  }

  private static func content(_ inquiry: Inquiry) -> JSONValue {
    guard let photo = inquiry.photo else { return .text(inquiry.message) }
    let url: JSONValue = ["url": .text("data:\(Inquiry.mediaType);base64,\(photo)")]
    return [["type": "image_url", "image_url": url], ["type": "text", "text": .text(inquiry.message)]]
  }

  private func format(_ inquiry: Inquiry) -> JSONValue? {
    switch form {
    case .schema:
      [
        "type": "json_schema",
        "json_schema": ["name": .text(inquiry.toolName), "schema": inquiry.schema, "strict": true],
      ]
    case .object: ["type": "json_object", "schema": inquiry.schema]
    case .json: ["type": "json_object"]
    case .tool, .text: nil
    }
  }

  /// The same API with the next form of answers. OpenAI itself has no schema beside `json_object`.
  var alternative: (any Dialect)? {
    let next: AnswerForm? =
      switch form {
      case .schema: isOpenAI ? .json : .object
      case .object: .json
      case .json, .tool: .text
      case .text: nil
      }
    return next.map { next in
      var other = self
      other.form = next
      return other
    }
  }

  /// How a completion ended, and the JSON that it says, in its text or as the arguments of tools.
  func ending(_ body: JSONValue, tool: String) throws(ModelFailure) -> AnswerEnding {
    guard let choice = body["choices"]?.elements?.first, let message = choice["message"] else {
      throw ModelFailure(.badReply, "the answer has no message")
    }
    var ending = AnswerEnding(claim: Self.claim(body, message))
    let reason = choice["finish_reason"]?.string
    if message["refusal"]?.string?.isEmpty == false || reason == "content_filter" {
      ending.outcome = .refused
    } else if reason == "length" {
      ending.outcome = .truncated
    } else {
      ending.answers = Self.texts(message).flatMap { AnswerText.values(in: $0) }
    }
    return ending
  }

  /// What a message says: a text, parts of one, or the arguments of tools.
  private static func texts(_ message: JSONValue) -> [String] {
    let parts = message["content"]?.elements?.compactMap { $0["text"]?.string } ?? []
    let arguments = message["tool_calls"]?.elements?.compactMap { $0["function"]?["arguments"]?.string } ?? []
    return (message["content"]?.string.map { [$0] } ?? []) + parts + arguments
  }

  private static func claim(_ body: JSONValue, _ message: JSONValue) -> UsageClaim {
    let usage = body["usage"]
    var claim = UsageClaim(output: UsageClaim.figure(usage?["completion_tokens"]))
    if let sent = UsageClaim.figure(usage?["prompt_tokens"]) {
      let kept = min(sent, UsageClaim.figure(usage?["prompt_tokens_details"]?["cached_tokens"]) ?? 0)
      claim.sent = TokenUsage(plainInput: sent - kept, cacheRead: kept)
    }
    claim.answerBytes = (texts(message) + [message["refusal"]?.string ?? ""]).reduce(0) { $0 + $1.utf8.count }
    return claim
  }

  func fault(_ body: JSONValue) -> (type: String, message: String) {
    let error = body["error"]
    let code = error?["code"]?.string ?? error?["type"]?.string ?? ""
    return (code, error?["message"]?.string ?? error?.string ?? "")
  }
}
