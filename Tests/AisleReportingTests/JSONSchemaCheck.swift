import Foundation

/// A JSON value.
enum JSONValue: Decodable, Equatable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(_ bytes: some Sequence<UInt8>) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The type's name in a schema.
  var type: String {
    switch self {
    case .null: "null"
    case .flag: "boolean"
    case .number(let number): number == number.rounded() ? "integer" : "number"
    case .text: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

/// Checks values against a JSON Schema, draft 2020-12, of the keywords that `docs/report.schema.json` uses; others are findings.
struct JSONSchemaCheck {
  let schema: JSONValue
  /// The parts that `$ref` names.
  private let parts: JSONValue?

  /// - Parameter other: The schema whose parts are referred to, where it is not this one.
  init(_ schema: JSONValue, partsOf other: JSONValue? = nil) {
    self.schema = schema
    parts = (other ?? schema)["$defs"]
  }

  /// What is wrong with a value, each with its place; `part` names one of the schema's `$defs`.
  func findings(_ value: JSONValue, part: String? = nil) -> [String] {
    check(value, part.map { .object(["$ref": .text("#/$defs/\($0)")]) } ?? schema, "$")
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    schema.members.sorted { $0.key < $1.key }.flatMap { keyword, demand in
      check(value, keyword, demand, schema, place).map { "\(place): \($0)" }
    } + nested(value, schema, place)
  }

  /// What one keyword finds in the value itself.
  private func check(_ value: JSONValue, _ keyword: String, _ demand: JSONValue, _ schema: JSONValue, _ place: String) -> [String]
  {
    switch keyword {
    case "$schema", "$defs", "title", "description", "properties", "items", "$ref": return []
    case "type":
      let types = demand.text.map { [$0] } ?? demand.elements.compactMap(\.text)
      let isOne = types.contains(value.type) || value.type == "integer" && types.contains("number")
      return isOne ? [] : ["\(value.type), not \(types.joined(separator: " or "))"]
    case "const": return value == demand ? [] : ["not \(demand)"]
    case "enum": return demand.elements.contains(value) ? [] : ["\(value) is none of \(demand.elements)"]
    case "anyOf":
      let isAny = demand.elements.contains { check(value, $0, place).isEmpty }
      return isAny ? [] : ["matches none of anyOf: \(demand.elements.flatMap { check(value, $0, place) })"]
    case "minimum": return (value.number ?? .infinity) >= (demand.number ?? .nan) ? [] : ["\(value) is too small"]
    case "maximum": return (value.number ?? -.infinity) <= (demand.number ?? .nan) ? [] : ["\(value) is too large"]
    case "minItems": return value.type != "array" || Double(value.elements.count) >= demand.number ?? .nan ? [] : ["too few"]
    case "maxItems": return value.type != "array" || Double(value.elements.count) <= demand.number ?? .nan ? [] : ["too many"]
    case "pattern":
      guard let text = value.text else { return [] }
      return text.range(of: demand.text ?? "", options: .regularExpression) == nil ? ["\(text) is not as the pattern"] : []
    case "required":
      guard value.type == "object" else { return [] }
      return demand.elements.compactMap(\.text).filter { value[$0] == nil }.map { "no \($0)" }
    case "additionalProperties":
      guard demand == .flag(false) else { return ["additionalProperties is not false"] }
      return value.members.keys.filter { schema["properties"]?[$0] == nil }.map { "unknown \($0)" }
    default: return ["the schema uses \(keyword), which this check does not know"]
    }
  }

  /// What is found in the value's members and elements, and by the part of the schema that is referred to.
  private func nested(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    var findings: [String] = []
    if let reference = schema["$ref"]?.text {
      guard let name = reference.components(separatedBy: "#/$defs/").last, let part = parts?[name] else {
        return ["\(place): no \(reference)"]
      }
      findings += check(value, part, place)
    }
    for (name, part) in schema["properties"]?.members ?? [:] {
      if let member = value[name] { findings += check(member, part, "\(place).\(name)") }
    }
    if let part = schema["items"] {
      for (index, element) in value.elements.enumerated() { findings += check(element, part, "\(place)[\(index)]") }
    }
    return findings
  }
}
