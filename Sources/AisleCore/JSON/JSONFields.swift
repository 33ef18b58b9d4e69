/// The fields of one JSON object.
package struct JSONFields {
  private enum Value { case text(String), number(Double), nothing, other }

  private let values: [String: Value]

  /// Reads an object. Only its texts, numbers and nulls can be asked for.
  package init(_ line: ArraySlice<UInt8>) throws(JSONFault) {
    values = try line.withUnsafeBufferPointer { bytes throws(JSONFault) in
      var scanner = JSONScanner(bytes)
      return try Self.values(&scanner)
    }
  }

  private static func values(_ scanner: inout JSONScanner) throws(JSONFault) -> [String: Value] {
    var values: [String: Value] = [:]
    try scanner.object { scanner, key throws(JSONFault) in
      let name = try text(key, scanner)
      let value = try value(&scanner)
      if values.updateValue(value, forKey: name) != nil { throw scanner.fault("field `\(name)` appears twice") }
    }
    try scanner.end()
    return values
  }

  private static func value(_ scanner: inout JSONScanner) throws(JSONFault) -> Value {
    switch scanner.peek() {
    case UInt8(ascii: "\""): return .text(try text(scanner.string(), scanner))
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      return .nothing
    case let byte? where byte == UInt8(ascii: "-") || byte.isASCIIDigit: return .number(try scanner.number())
    default:
      try scanner.skipValue()
      return .other
    }
  }

  private static func text(_ bytes: some Sequence<UInt8>, _ scanner: JSONScanner) throws(JSONFault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw scanner.fault("a string is not valid UTF-8") }
    return text
  }

  /// Checks that there are no other fields.
  package func allow(_ names: [String]) throws(JSONFault) {
    for name in values.keys.sorted() where !names.contains(name) {
      throw JSONFault(message: "unknown field `\(name)`; use one of \(names.joined(separator: ", "))")
    }
  }

  /// A text that must be there.
  package func text(_ name: String) throws(JSONFault) -> String {
    guard let text = try optionalText(name) else { throw JSONFault(message: "field `\(name)` is missing") }
    return text
  }

  /// A text that may be null, but not missing.
  package func textOrNull(_ name: String) throws(JSONFault) -> String? {
    if values[name] == nil { throw JSONFault(message: "field `\(name)` is missing") }
    return try optionalText(name)
  }

  /// A text that may be missing or null.
  package func optionalText(_ name: String) throws(JSONFault) -> String? {
    switch values[name] {
    case .text(let text): return text
    case .nothing, nil: return nil
    case .number, .other: throw JSONFault(message: "field `\(name)` must be a string")
    }
  }

  /// A number that may be missing or null.
  package func optionalNumber(_ name: String) throws(JSONFault) -> Double? {
    switch values[name] {
    case .number(let number): return number
    case .nothing, nil: return nil
    case .text, .other: throw JSONFault(message: "field `\(name)` must be a number")
    }
  }
}

/// What is wrong with a line of JSON lines.
package struct JSONLineFault: Error {
  /// The line, from 1.
  package let line: Int
  package let message: String
}

extension JSONFields {
  /// Makes a value of each object of JSON lines; lines of blanks are passed over.
  ///
  /// - Throws: `JSONLineFault` for the first line that is not as it should be.
  package static func lines<Made>(
    _ bytes: [UInt8], _ make: (JSONFields) throws(JSONFault) -> Made
  ) throws(JSONLineFault) -> [Made] {
    var values: [Made] = []
    var line = 0
    for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(JSONFault) { values.append(try make(JSONFields(text))) } catch {
        throw JSONLineFault(line: line, message: error.message)
      }
    }
    return values
  }
}
