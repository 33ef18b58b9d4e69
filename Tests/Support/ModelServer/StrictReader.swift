import AisleCore

/// What a request asks.
struct Asked {
  var model = ""
  var items: [AnswerItem] = []
  var sections: [String] = []
  /// Other items of the list, which it does not ask about.
  var context: [String] = []
  /// How the answer is to be given.
  var form = AnswerForm.schema
  /// The photo that it is about, in Base64, and its media type.
  var photo: (type: String, data: String)?
}

/// How a request wants its answer.
enum AnswerForm {
  case schema, tool, object, json, text
}

/// Why a request is rejected.
struct Rejection: Error {
  var status = 400
  var type = "invalid_request_error"
  let message: String
}

/// Reads requests as the strictest of servers would.
struct StrictReader {
  let api: ModelServer.API
  let sections: [String]
  /// With what schemas are rejected that are not told as some servers of llama.cpp want it; `nil` where they are taken.
  var schemaRejection: Int?
  /// Forms of answers that are refused, by the field that is named.
  var refusing: Set<String> = []

  func read(_ request: Received) -> Result<Asked, Rejection> {
    Result { () throws(Rejection) in
      try headers(request)
      guard let body = try? JSONValue(request.body) else { throw Rejection(message: "the body is no JSON") }
      switch api {
      case .anthropic: return try anthropic(body)
      case .openai: return try openai(body)
      case .proxy: return try proxy(body)
      }
    }
  }

  private func headers(_ request: Received) throws(Rejection) {
    var wanted = ["content-type": "application/json", "user-agent": "aisle", "accept": "*/*"]
    let path: String
    switch api {
    case .anthropic:
      path = "/v1/messages"
      wanted["x-api-key"] = ModelServer.key
      wanted["anthropic-version"] = "2023-06-01"
    case .openai:
      path = "/v1/chat/completions"
      wanted["authorization"] = "Bearer \(ModelServer.key)"
    case .proxy:
      path = "/check"
      wanted["authorization"] = "Bearer \(ModelServer.key)"
    }
    guard request.method == "POST", request.path == path else {
      throw Rejection(status: 404, type: "not_found_error", message: "no \(request.method) \(request.path)")
    }
    for (name, value) in wanted where request.headers[name] != value {
      if name == "x-api-key" || name == "authorization" {
        throw Rejection(status: 401, type: "authentication_error", message: "invalid key: \(request.headers[name] ?? "none")")
      }
      throw Rejection(message: "the header \(name) is \(request.headers[name] ?? "missing")")
    }
    let known = Set(wanted.keys).union(["host", "content-length"])
    if let other = request.headers.keys.first(where: { !known.contains($0) }) {
      throw Rejection(message: "an unknown header \(other)")
    }
  }

  func anthropic(_ body: JSONValue) throws(Rejection) -> Asked {
    let forms = Set(body.names ?? []).intersection(["output_config", "tools", "tool_choice"])
    if let refused = forms.intersection(refusing).min() { throw Rejection(message: "\(refused): Extra inputs are not permitted") }
    if forms.isEmpty, !refusing.isSuperset(of: ["output_config", "tools"]) {
      throw Rejection(message: "neither output_config nor tools")
    }
    if let schemaRejection, body["output_config"]?["format"] != nil,
      body["messages"]?.elements?.first?["content"]?.elements != nil
    {
      throw Rejection(status: schemaRejection, message: "output_config: Extra inputs are not permitted")
    }
    try fields(body, Set(["model", "max_tokens", "system", "messages"]).union(forms))
    guard let model = body["model"]?.string, (1...64_000).contains(body["max_tokens"]?.count ?? 0) else {
      throw Rejection(message: "model or max_tokens is no good")
    }
    for block in body["system"]?.elements ?? [] {
      try fields(block, ["type", "text"], optional: ["cache_control"])
      if block["type"] != "text" { throw Rejection(message: "system: no text") }
    }
    guard let messages = body["messages"]?.elements, messages.count == 1, messages[0]["role"] == "user" else {
      throw Rejection(message: "messages: not one of the user")
    }
    try fields(messages[0], ["role", "content"])
    let content = messages[0]["content"]
    guard let tools = body["tools"] else {
      guard let config = body["output_config"] else { return try categorized(model, content, nil, .text) }
      try fields(config, ["format"], optional: ["effort"])
      try fields(config["format"], ["type", "schema"])
      guard config["format"]?["type"] == "json_schema" else { throw Rejection(message: "output_config.format: no schema") }
      return try categorized(model, content, config["format"]?["schema"], .schema)
    }
    guard let tool = tools.elements?.first, tools.elements?.count == 1 else { throw Rejection(message: "tools: not one") }
    try fields(tool, ["name", "description", "input_schema"])
    try fields(body["tool_choice"], ["type", "name"])
    if body["output_config"] != nil { try fields(body["output_config"], ["effort"]) }
    guard body["tool_choice"]?["type"] == "tool", tool["name"] == body["tool_choice"]?["name"],
      let name = tool["name"]?.string, ["categorized_items", "read_list"].contains(name)
    else { throw Rejection(message: "tool_choice: names no tool") }
    return try categorized(model, content, tool["input_schema"], .tool)
  }

  /// What a request about items or a photo asks; without a schema, the sections are the server's own.
  private func categorized(
    _ model: String, _ content: JSONValue?, _ schema: JSONValue?, _ form: AnswerForm
  ) throws(Rejection) -> Asked {
    if content?.elements != nil { return Asked(model: model, form: form, photo: try photo(content)) }
    let lines = try lines(content?.string)
    var asked = Asked(model: model, items: lines.items, sections: sections, context: lines.context, form: form)
    if form != .json, form != .text { asked.sections = try self.schema(schema, count: lines.items.count) }
    return asked
  }

  private func openai(_ body: JSONValue) throws(Rejection) -> Asked {
    let hasFormat = body["response_format"] != nil || !refusing.contains("json_object")
    try fields(
      body, Set(["model", "max_tokens", "messages"] + (hasFormat ? ["response_format"] : [])), optional: ["reasoning_effort"])
    guard let model = body["model"]?.string, body["max_tokens"]?.count != nil else {
      throw Rejection(message: "model or max_tokens is no good")
    }
    guard let messages = body["messages"]?.elements, messages.map({ $0["role"]?.string }) == ["system", "user"] else {
      throw Rejection(message: "messages: not system, user")
    }
    for message in messages { try fields(message, ["role", "content"]) }
    let content = messages[1]["content"]
    guard let format = body["response_format"] else { return try categorized(model, content, nil, .text) }
    if format["type"] == "json_object" {
      // As llama-cpp-python has it: no other type is known, and the schema stands beside it.
      guard schemaRejection != nil || refusing.contains("json_schema") else {
        throw Rejection(message: "response_format: no strict schema")
      }
      if refusing.contains("json_object") || format["schema"] != nil && refusing.contains("schema") {
        throw Rejection(message: "response_format: json_object is not supported")
      }
      try fields(format, ["type"], optional: ["schema"])
      return try categorized(model, content, format["schema"], format["schema"] == nil ? .json : .object)
    }
    if let schemaRejection {
      throw Rejection(
        status: schemaRejection, type: "internal_server_error",
        message:
          "1 validation error: {'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}")
    }
    if refusing.contains("json_schema") { throw Rejection(message: "response_format.type: json_schema is not supported") }
    try fields(format, ["type", "json_schema"])
    let schema = format["json_schema"]
    try fields(schema, ["name", "schema", "strict"])
    guard format["type"] == "json_schema", schema?["strict"] == true else {
      throw Rejection(message: "response_format: no strict schema")
    }
    return try categorized(model, content, schema?["schema"], .schema)
  }

  private func proxy(_ body: JSONValue) throws(Rejection) -> Asked {
    if body["action"] == "analyze" {
      try fields(body, ["action", "imageBase64", "mediaType"])
      guard let data = body["imageBase64"]?.string, let type = body["mediaType"]?.string else {
        throw Rejection(message: "no image")
      }
      return Asked(photo: (type, data))
    }
    try fields(body, ["action", "items"])
    guard body["action"] == "sanity_check" else { throw Rejection(message: "an unknown action") }
    return Asked(items: try items(body, field: "name", beside: ["category"]), sections: sections)
  }

  /// An image and a text after it.
  private func photo(_ content: JSONValue?) throws(Rejection) -> (type: String, data: String) {
    guard let parts = content?.elements, parts.count == 2 else { throw Rejection(message: "content: no image and text") }
    try fields(parts[1], ["type", "text"])
    if api == .anthropic {
      try fields(parts[0], ["type", "source"])
      let source = parts[0]["source"]
      try fields(source, ["type", "media_type", "data"])
      guard parts[0]["type"] == "image", source?["type"] == "base64", let type = source?["media_type"]?.string,
        let data = source?["data"]?.string
      else { throw Rejection(message: "content: no image") }
      return (type, data)
    }
    try fields(parts[0], ["type", "image_url"])
    try fields(parts[0]["image_url"], ["url"])
    let url = parts[0]["image_url"]?["url"]?.string ?? ""
    guard url.hasPrefix("data:"), let semicolon = url.firstIndex(of: ";"), let comma = url.firstIndex(of: ","),
      url[semicolon..<comma] == ";base64"
    else { throw Rejection(message: "image_url: no data") }
    return (String(url[..<semicolon].dropFirst(5)), String(url[url.index(after: comma)...]))
  }

  /// The lines of a message: items with their numbers from 1, and before them others of the list, each after a dash.
  private func lines(_ text: String?) throws(Rejection) -> (items: [AnswerItem], context: [String]) {
    guard let text else { throw Rejection(message: "content: no text") }
    var (items, context): ([AnswerItem], [String]) = ([], [])
    // Bytes, since a mark on a blank makes one character with it.
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if items.isEmpty, line.starts(with: "- ".utf8) {
        context.append(String(line.dropFirst(2)) ?? "")
        continue
      }
      let parts = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, String(parts[0]) == "\(items.count + 1)" else {
        throw Rejection(message: "no item: \(String(decoding: line, as: UTF8.self))")
      }
      let fields = parts[1].split(separator: 0x09, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
      if fields.count > 2 { throw Rejection(message: "more than one tab: \(fields)") }
      items.append(AnswerItem(id: "\(items.count + 1)", item: fields[0], section: fields.count == 2 ? fields[1] : ""))
    }
    if items.isEmpty { throw Rejection(message: "no items") }
    return (items, context)
  }

  private func items(_ value: JSONValue, field: String, beside others: Set<String> = []) throws(Rejection) -> [AnswerItem] {
    guard let elements = value["items"]?.elements, !elements.isEmpty else { throw Rejection(message: "no items") }
    var items: [AnswerItem] = []
    for element in elements {
      try fields(element, others.union(["id", field]))
      guard let id = element["id"]?.string, let item = element[field]?.string else {
        throw Rejection(message: "an item is no item")
      }
      items.append(AnswerItem(id: id, item: item, section: element["section"]?.string ?? ""))
    }
    return items
  }

  /// Checks a schema as strict modes do, and gives the sections that it allows.
  private func schema(_ schema: JSONValue?, count: Int) throws(Rejection) -> [String] {
    try fields(schema, ["type", "properties", "required", "additionalProperties", "$defs"])
    let ids = (1...count).map { "\($0)" }
    guard schema?["additionalProperties"] == false, schema?["properties"]?.names == ids,
      schema?["required"] == .array(ids.map { .text($0) }),
      ids.allSatisfy({ schema?["properties"]?[$0] == ["$ref": "#/$defs/section"] })
    else { throw Rejection(message: "the schema is not strict, or not one of \(count) items") }
    try fields(schema?["$defs"], ["section"])
    let section = schema?["$defs"]?["section"]
    try fields(section, ["type"], optional: ["enum", "description"])
    guard section?["type"] == "string" else { throw Rejection(message: "the schema of a section is no text") }
    guard let names = section?["enum"]?.elements?.compactMap(\.string) else { return sections }
    let sure = names.filter { !$0.hasSuffix("?") }
    guard names == sure + sure.map({ $0 + "?" }) else { throw Rejection(message: "the schema has no guesses") }
    return sure
  }

  func fields(_ value: JSONValue?, _ wanted: Set<String>, optional: Set<String> = []) throws(Rejection) {
    guard let names = value?.names else { throw Rejection(message: "no object with \(wanted.sorted().joined(separator: ", "))") }
    if let other = names.first(where: { !wanted.contains($0) && !optional.contains($0) }) {
      throw Rejection(message: "\(other): Extra inputs are not permitted")
    }
    if let missing = wanted.subtracting(names).min() { throw Rejection(message: "\(missing): Field required") }
    if Set(names).count < names.count { throw Rejection(message: "a field stands twice") }
  }
}
