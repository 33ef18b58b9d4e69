import AisleCore

/// Writes answers as the real servers do.
struct AnswerWriter {
  let api: ModelServer.API

  func answer(_ items: [AnswerItem], _ request: Received, _ asked: Asked, style: Behaviour.Style = .keyed) -> [UInt8] {
    if api == .proxy {
      let list = items.map { item -> JSONValue in
        ["id": .text(item.id), "name": .text(item.item), "category": .text(item.section)]
      }
      return JSONValue.object([.init("items", .array(list))]).bytes
    }
    let output = 12 * items.count
    let values: [JSONValue] =
      switch style {
      case .keyed, .fenced: [keyed(items[...])]
      case .blocks: [keyed(items[..<(items.count / 2)]), keyed(items[(items.count / 2)...])]
      case .list: [.array(items.map { ["id": .text($0.id), "section": .text($0.section)] })]
      }
    let texts = values.map { value -> String in
      let text = String(decoding: value.bytes, as: UTF8.self)
      return style == .fenced ? "Here you are:\n```json\n\(text)\n```\nAnything else?" : text
    }
    if api == .openai {
      let content: JSONValue = texts.count == 1 ? .text(texts[0]) : .array(texts.map { ["type": "text", "text": .text($0)] })
      return completion(["role": "assistant", "content": content], "stop", request, asked, output)
    }
    let blocks = zip(values, texts).enumerated().map { number, block -> JSONValue in
      asked.form == .tool
        ? ["type": "tool_use", "id": .text("toolu_\(number)"), "name": "categorized_items", "input": block.0]
        : ["type": "text", "text": .text(block.1)]
    }
    return message(blocks, asked.form == .tool ? "tool_use" : "end_turn", request, asked, output)
  }

  private func keyed(_ items: ArraySlice<AnswerItem>) -> JSONValue {
    .object(items.map { .init($0.id, .text($0.section)) })
  }

  /// What is written on a photo.
  func sections(_ sections: JSONValue, _ request: Received, _ asked: Asked) -> [UInt8] {
    let answer = JSONValue.object([.init("sections", sections)])
    if api == .proxy { return answer.bytes }
    if api == .anthropic, asked.form == .tool {
      return message(
        [["type": "tool_use", "id": "toolu_1", "name": "read_list", "input": answer]], "tool_use", request, asked, 50)
    }
    if api == .anthropic {
      let text = String(decoding: answer.bytes, as: UTF8.self)
      return message([["type": "text", "text": .text(text)]], "end_turn", request, asked, 50)
    }
    return completion(
      ["role": "assistant", "content": .text(String(decoding: answer.bytes, as: UTF8.self))], "stop", request, asked, 50)
  }

  /// An answer that ended early: `refusal` or `max_tokens`.
  func ended(_ reason: String, _ request: Received, _ asked: Asked) -> [UInt8] {
    switch api {
    case .anthropic: return message([], reason, request, asked, 3)
    case .openai:
      return reason == "refusal"
        ? completion(["role": "assistant", "content": .null, "refusal": "I cannot help with that."], "stop", request, asked, 3)
        : completion(["role": "assistant", "content": "{\"1\":\"Pro"], "length", request, asked, 3)
    case .proxy: return JSONValue.object([.init("items", .array([]))]).bytes
    }
  }

  /// The list of models.
  func models(_ names: [String], owner: String) -> [UInt8] {
    JSONValue.object([.init("data", .array(names.map { ["id": .text($0), "type": "model", "owned_by": .text(owner)] }))]).bytes
  }

  func fault(_ type: String, _ message: String) -> [UInt8] {
    switch api {
    case .anthropic:
      return JSONValue.object([
        .init("type", "error"), .init("error", ["type": .text(type), "message": .text(message)]), .init("request_id", "req_bad"),
      ]).bytes
    case .openai:
      return JSONValue.object([
        .init("error", ["message": .text(message), "type": .text(type), "param": .null, "code": .text(type)])
      ]).bytes
    case .proxy:
      if type == "scan_limit_reached" {
        return JSONValue.object([
          .init("error", .text(type)), .init("scansUsed", 5), .init("scanLimit", 5), .init("upgradeRequired", true),
        ]).bytes
      }
      return JSONValue.object([.init("error", .text(type)), .init("message", .text(message))]).bytes
    }
  }

  private func message(_ content: [JSONValue], _ reason: String, _ request: Received, _ asked: Asked, _ output: Int) -> [UInt8] {
    JSONValue.object([
      .init("id", .text("msg_\(request.number)")), .init("type", "message"), .init("role", "assistant"),
      .init("model", .text(asked.model)), .init("content", .array(content)), .init("stop_reason", .text(reason)),
      .init("stop_sequence", .null),
      .init(
        "usage",
        [
          "input_tokens": .init(request.body.count / 4), "output_tokens": .init(output), "cache_creation_input_tokens": 0,
          "cache_read_input_tokens": 0,
        ]),
    ]).bytes
  }

  private func completion(_ message: JSONValue, _ reason: String, _ request: Received, _ asked: Asked, _ output: Int) -> [UInt8] {
    JSONValue.object([
      .init("id", .text("chatcmpl-\(request.number)")), .init("object", "chat.completion"), .init("model", .text(asked.model)),
      .init("choices", [["index": 0, "message": message, "finish_reason": .text(reason)]]),
      .init(
        "usage",
        [
          "prompt_tokens": .init(request.body.count / 4), "completion_tokens": .init(output),
          "total_tokens": .init(request.body.count / 4 + output),
        ]),
    ]).bytes
  }
}
