import AisleCore
import HTTPTransport

/// OpenAI's Chat Completions, as OpenAI, Ollama, llama.cpp and vLLM speak it: the answer must fit a JSON schema.
struct OpenAIDialect: Dialect {
  /// How the schema of the answer is told.
  enum Form: Sendable {
    /// As OpenAI wants it.
    case schema
    /// As some servers of llama.cpp want it, which know no other.
    case object

    func format(_ name: String, _ schema: JSONValue) -> JSONValue {
      switch self {
      case .schema:
        ["type": "json_schema", "json_schema": ["name": .text(name), "schema": schema, "strict": true]]
      case .object: ["type": "json_object", "schema": schema]
      }
    }
  }

  /// Whether a server that rejects a request does not know the form in which the schema is told.
  static func isOfForm(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body.prefix(10_000), as: UTF8.self)
    return text.contains("response_format") || text.contains("json_schema")
  }

  let model: String
  let prompt: Prompt
  /// Whether the base address has the version's part already.
  let isVersioned: Bool
  /// Whether it is OpenAI itself, whose newer models know one name of a field and whose imitators know the other.
  let isOpenAI: Bool
  /// How the schema of the answer is told.
  var form = Form.schema

  var path: String { isVersioned ? "/chat/completions" : "/v1/chat/completions" }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    [HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? [])
  }

  func body(_ questions: [Question]) -> JSONValue {
    .object(
      [
        .init("model", .text(model))
      ] + Self.effort(prompt.effort) + [
        .init(isOpenAI ? "max_completion_tokens" : "max_tokens", .init(prompt.answerTokens(questions.count))),
        .init(
          "messages",
          [
            ["role": "system", "content": .text(prompt.system)], ["role": "user", "content": .text(prompt.message(questions))],
          ]),
        .init("response_format", form.format(Prompt.toolName, prompt.schema)),
      ])
  }

  /// The member that says how much the model is to reason, where anything does.
  static func effort(_ effort: Effort?) -> [JSONValue.Member] {
    effort.map { [.init("reasoning_effort", .text($0.rawValue))] } ?? []
  }

  /// The same API with the schema told in the other form; `nil` of OpenAI itself, and where that is in use already.
  var alternative: (any Dialect)? {
    guard !isOpenAI, form == .schema else { return nil }
    var other = self
    other.form = .object
    return other
  }

  func reply(_ body: JSONValue, to questions: [Question]) throws(ModelFailure) -> Reply {
    let ending = try Self.ending(body)
    guard ending.outcome == .complete else { return Reply(outcome: ending.outcome, claim: ending.claim) }
    guard let items = ending.answer?.categorizedItems(section: "section") else {
      throw ModelFailure(.badReply, "the answer does not fit the schema", claim: ending.claim)
    }
    return Reply(items: items, claim: ending.claim)
  }

  /// How a completion ended, and the JSON that it says.
  static func ending(_ body: JSONValue) throws(ModelFailure) -> AnswerEnding {
    guard let choice = body["choices"]?.elements?.first, let message = choice["message"] else {
      throw ModelFailure(.badReply, "the answer has no message")
    }
    var ending = AnswerEnding(claim: claim(body, message))
    let reason = choice["finish_reason"]?.string
    if message["refusal"]?.string != nil || reason == "content_filter" {
      ending.outcome = .refused
    } else if reason == "length" {
      ending.outcome = .truncated
    } else {
      ending.answer = try? JSONValue(Array((message["content"]?.string ?? "").utf8))
    }
    return ending
  }

  private static func claim(_ body: JSONValue, _ message: JSONValue) -> UsageClaim {
    let usage = body["usage"]
    var claim = UsageClaim(output: UsageClaim.figure(usage?["completion_tokens"]))
    if let sent = UsageClaim.figure(usage?["prompt_tokens"]) {
      let kept = min(sent, UsageClaim.figure(usage?["prompt_tokens_details"]?["cached_tokens"]) ?? 0)
      claim.sent = TokenUsage(plainInput: sent - kept, cacheRead: kept)
    }
    claim.answerBytes = (message["content"]?.string ?? message["refusal"]?.string ?? "").utf8.count
    return claim
  }

  func fault(_ body: JSONValue) -> (type: String, message: String) { Self.fault(body) }

  static func fault(_ body: JSONValue) -> (type: String, message: String) {
    let error = body["error"]
    let code = error?["code"]?.string ?? error?["type"]?.string ?? ""
    return (code, error?["message"]?.string ?? error?.string ?? "")
  }
}
