/// A JSON value in memory: for small texts of unknown form, such as requests to services and their answers.
package indirect enum JSONValue: Sendable, Hashable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  /// The members in order.
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The deepest nesting that is read.
  private static let maximumDepth = 32

  /// Reads a text that is one JSON value. Of members with the same name the first counts.
  package init(_ bytes: [UInt8]) throws(JSONFault) {
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result<JSONValue, JSONFault> { () throws(JSONFault) in
        var scanner = JSONScanner(buffer)
        scanner.skipBlanks()
        let value = try JSONValue(&scanner, depth: 0)
        try scanner.end()
        return value
      }
    }
    self = try result.get()
  }

  private init(_ scanner: inout JSONScanner, depth: Int) throws(JSONFault) {
    if depth > Self.maximumDepth { throw scanner.fault("nested more than \(Self.maximumDepth) deep") }
    switch scanner.peek() {
    case UInt8(ascii: "\""): self = .text(String(decoding: try scanner.string(), as: UTF8.self))
    case UInt8(ascii: "{"):
      var members: [Member] = []
      try scanner.object { scanner, key throws(JSONFault) in
        members.append(Member(String(decoding: key, as: UTF8.self), try JSONValue(&scanner, depth: depth + 1)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try scanner.array { scanner throws(JSONFault) in elements.append(try JSONValue(&scanner, depth: depth + 1)) }
      self = .array(elements)
    case UInt8(ascii: "t"):
      try scanner.skipValue()
      self = .flag(true)
    case UInt8(ascii: "f"):
      try scanner.skipValue()
      self = .flag(false)
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      self = .null
    default: self = .number(try scanner.number())
    }
  }

  /// A member of an object; `nil` where there is none.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The elements of an array.
  package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The names of an object's members.
  package var names: [String]? { if case .object(let members) = self { members.map(\.name) } else { nil } }

  /// The text.
  package var string: String? { if case .text(let text) = self { text } else { nil } }

  /// The number, where it is a whole one from 0 to 2⁵³.
  package var count: Int? {
    if case .number(let number) = self, number >= 0 { Self.whole(number) } else { nil }
  }

  /// A number as an integer, where it is a whole one of at most 2⁵³. Not `Int(exactly:)`, which needs the C library's mathematics.
  private static func whole(_ number: Double) -> Int? {
    guard abs(number) <= 9_007_199_254_740_992 else { return nil }
    let whole = Int(number)
    return Double(whole) == number ? whole : nil
  }

  /// The value as it is written, without blanks.
  package var bytes: [UInt8] {
    let output = ByteBuffer()
    write(to: output)
    return output.bytes
  }

  private func write(to output: ByteBuffer) {
    switch self {
    case .null: output.append("null")
    case .flag(let flag): output.append(flag ? "true" : "false")
    case .number(let number): output.append(Self.whole(number).map { "\($0)" } ?? "\(number)")
    case .text(let text): JSONText.append(text.utf8, to: output)
    case .array(let elements):
      output.append("[")
      for (place, element) in elements.enumerated() {
        if place > 0 { output.append(",") }
        element.write(to: output)
      }
      output.append("]")
    case .object(let members):
      output.append("{")
      for (place, member) in members.enumerated() {
        if place > 0 { output.append(",") }
        JSONText.append(member.name.utf8, to: output)
        output.append(":")
        member.value.write(to: output)
      }
      output.append("}")
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int) { self = .number(Double(number)) }
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members.map { Member($0, $1) }) }

  package init(_ number: Int) { self = .number(Double(number)) }
}
