import AisleCore

/// What a request asks.
struct Asked {
  var model = ""
  var items: [AnswerItem] = []
  var sections: [String] = []
  /// The photo that it is about, in Base64, and its media type.
  var photo: (type: String, data: String)?
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
    if body["output_config"]?["format"] != nil, body["messages"]?.elements?.first?["content"]?.elements != nil {
      return try anthropicPhoto(body)
    }
    try fields(body, ["model", "max_tokens", "system", "messages", "tools", "tool_choice"], optional: ["output_config"])
    if body["output_config"] != nil { try fields(body["output_config"], ["effort"]) }
    guard let model = body["model"]?.string, (1...64_000).contains(body["max_tokens"]?.count ?? 0) else {
      throw Rejection(message: "model or max_tokens is no good")
    }
    for block in body["system"]?.elements ?? [] {
      try fields(block, ["type", "text"], optional: ["cache_control"])
      if block["type"] != "text" { throw Rejection(message: "system: no text") }
    }
    guard let tools = body["tools"]?.elements, tools.count == 1 else { throw Rejection(message: "tools: not one") }
    try fields(tools[0], ["name", "description", "input_schema"])
    try fields(body["tool_choice"], ["type", "name"])
    guard body["tool_choice"]?["type"] == "tool", tools[0]["name"] == body["tool_choice"]?["name"],
      let tool = tools[0]["name"]?.string, ["categorized_items", "read_list"].contains(tool)
    else { throw Rejection(message: "tool_choice: names no tool") }
    guard let messages = body["messages"]?.elements, messages.count == 1, messages[0]["role"] == "user" else {
      throw Rejection(message: "messages: not one of the user")
    }
    try fields(messages[0], ["role", "content"])
    if tool == "read_list" { return Asked(model: model, photo: try photo(messages[0]["content"])) }
    return Asked(
      model: model, items: try items(messages[0]["content"]?.string, field: "item"),
      sections: try schema(tools[0]["input_schema"]))
  }

  /// A photo, with the schema of the answer.
  private func anthropicPhoto(_ body: JSONValue) throws(Rejection) -> Asked {
    if let schemaRejection {
      throw Rejection(status: schemaRejection, message: "output_config: Extra inputs are not permitted")
    }
    try fields(body, ["model", "max_tokens", "system", "messages", "output_config"])
    try fields(body["output_config"], ["format"], optional: ["effort"])
    try fields(body["output_config"]?["format"], ["type", "schema"])
    guard let model = body["model"]?.string, (1...64_000).contains(body["max_tokens"]?.count ?? 0),
      body["output_config"]?["format"]?["type"] == "json_schema", body["messages"]?.elements?.count == 1
    else { throw Rejection(message: "model, max_tokens, output_config, or messages is no good") }
    return Asked(model: model, photo: try photo(body["messages"]?.elements?.first?["content"]))
  }

  private func openai(_ body: JSONValue) throws(Rejection) -> Asked {
    try fields(body, ["model", "max_tokens", "messages", "response_format"], optional: ["reasoning_effort"])
    guard let model = body["model"]?.string, body["max_tokens"]?.count != nil else {
      throw Rejection(message: "model or max_tokens is no good")
    }
    guard let messages = body["messages"]?.elements, messages.map({ $0["role"]?.string }) == ["system", "user"] else {
      throw Rejection(message: "messages: not system, user")
    }
    for message in messages { try fields(message, ["role", "content"]) }
    if let schemaRejection {
      // As llama-cpp-python has it: no other type is known, and the schema stands beside it.
      guard body["response_format"]?["type"] == "json_object" else {
        throw Rejection(
          status: schemaRejection, type: "internal_server_error",
          message:
            "1 validation error: {'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}"
        )
      }
      try fields(body["response_format"], ["type", "schema"])
      return Asked(
        model: model, items: try items(messages[1]["content"]?.string, field: "item"),
        sections: try schema(body["response_format"]?["schema"]))
    }
    try fields(body["response_format"], ["type", "json_schema"])
    let schema = body["response_format"]?["json_schema"]
    try fields(schema, ["name", "schema", "strict"])
    guard body["response_format"]?["type"] == "json_schema", schema?["strict"] == true else {
      throw Rejection(message: "response_format: no strict schema")
    }
    if schema?["name"] == "read_list" { return Asked(model: model, photo: try photo(messages[1]["content"])) }
    return Asked(
      model: model, items: try items(messages[1]["content"]?.string, field: "item"), sections: try self.schema(schema?["schema"]))
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

  private func items(_ text: String?, field: String) throws(Rejection) -> [AnswerItem] {
    guard let text, let value = try? JSONValue(Array(text.utf8)) else { throw Rejection(message: "the items are no JSON") }
    try fields(value, ["items"])
    return try items(value, field: field)
  }

  private func items(_ value: JSONValue, field: String, beside others: Set<String> = []) throws(Rejection) -> [AnswerItem] {
    guard let elements = value["items"]?.elements, !elements.isEmpty else { throw Rejection(message: "no items") }
    var items: [AnswerItem] = []
    for element in elements {
      // Where a model checks a list, each item comes with the section where it stands.
      try fields(element, others.union(["id", field]), optional: api == .proxy ? [] : ["section"])
      guard let id = element["id"]?.string, let item = element[field]?.string else {
        throw Rejection(message: "an item is no item")
      }
      items.append(AnswerItem(id: id, item: item, section: element["section"]?.string ?? ""))
    }
    return items
  }

  /// Checks a schema as strict modes do, and gives the sections that it allows.
  private func schema(_ schema: JSONValue?) throws(Rejection) -> [String] {
    try fields(schema, ["type", "properties", "required", "additionalProperties"])
    let list = schema?["properties"]?["items"]
    try fields(list, ["type", "items"])
    let item = list?["items"]
    try fields(item, ["type", "properties", "required", "additionalProperties"])
    let section = item?["properties"]?["section"]
    try fields(section, ["type"], optional: ["enum", "description"])
    guard schema?["additionalProperties"] == false, item?["additionalProperties"] == false, schema?["required"] == ["items"],
      item?["required"] == ["id", "section"], section?["type"] == "string"
    else { throw Rejection(message: "the schema is not strict") }
    return section?["enum"]?.elements?.compactMap(\.string) ?? sections
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
