/// How a server is made to keep to the form of an answer, from the strictest way to none. A server that refuses one gets the next that its
/// API has.
enum AnswerForm: Int, Sendable {
  /// A JSON schema: Anthropic's `output_config`, OpenAI's strict `response_format`.
  case schema
  /// A tool that must be called, whose input has the schema: for Anthropic's older models.
  case tool
  /// A schema beside `json_object`: for servers of llama.cpp that know no other way.
  case object
  /// Any JSON object; which one, the prompt says.
  case json
  /// Nothing but the prompt.
  case text

  /// What a server that refuses the form names in its message.
  private var fields: [String] {
    switch self {
    case .schema: ["output_config", "output_format", "response_format", "json_schema", "structured output", "schema", "grammar"]
    case .tool: ["tool"]
    case .object, .json: ["response_format", "json_object", "schema", "grammar"]
    case .text: []
    }
  }

  /// Whether a server that rejects a request with a message refuses this form.
  func isRefused(by body: [UInt8]) -> Bool {
    let text = String(decoding: body.prefix(10_000), as: UTF8.self).lowercased()
    return fields.contains { text.contains($0) }
  }
}
