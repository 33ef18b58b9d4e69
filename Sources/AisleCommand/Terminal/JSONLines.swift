import AisleCore

/// Files of JSON objects, one a line.
enum JSONLines {
  /// Reads a file, `-` for standard input, all of it or nothing.
  ///
  /// - Parameter make: Makes a value of a line's fields.
  /// - Throws: `StreamError`; `CommandFailure` naming the file and line.
  static func read<Value>(_ path: String, _ make: (JSONFields) throws(JSONFault) -> Value) throws -> [Value] {
    let bytes = try contents(path)
    let shown = path == "-" ? "standard input" : path
    var values: [Value] = []
    var line = 0
    for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(JSONFault) { values.append(try make(JSONFields(text))) } catch {
        throw CommandFailure(description: "\(shown):\(line): \(error.message)")
      }
    }
    return values
  }

  /// The bytes of a file, `-` for standard input.
  ///
  /// - Throws: `StreamError`.
  static func contents(_ path: String) throws -> [UInt8] {
    let input = path == "-" ? Descriptor.standardInput : try Descriptor.open(path)
    defer { if path != "-" { input.closeFile() } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try buffer.withUnsafeMutableBytes { part in
        try part.baseAddress.map { try input.read(into: $0, count: part.count) } ?? 0
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }
}

/// The fields of one JSON object.
struct JSONFields {
  private enum Value { case text(String), number(Double), nothing }

  private let values: [String: Value]

  /// Reads an object of texts, numbers and nulls.
  init(_ line: ArraySlice<UInt8>) throws(JSONFault) {
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
    default: return .number(try scanner.number())
    }
  }

  private static func text(_ bytes: some Sequence<UInt8>, _ scanner: JSONScanner) throws(JSONFault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw scanner.fault("a string is not valid UTF-8") }
    return text
  }

  /// Checks that there are no other fields.
  func allow(_ names: [String]) throws(JSONFault) {
    for name in values.keys.sorted() where !names.contains(name) {
      throw JSONFault(message: "unknown field `\(name)`; use one of \(names.joined(separator: ", "))")
    }
  }

  /// A text that must be there.
  func text(_ name: String) throws(JSONFault) -> String {
    guard let text = try optionalText(name) else { throw JSONFault(message: "field `\(name)` is missing") }
    return text
  }

  /// A text that may be missing or null.
  func optionalText(_ name: String) throws(JSONFault) -> String? {
    switch values[name] {
    case .text(let text): return text
    case .nothing, nil: return nil
    case .number: throw JSONFault(message: "field `\(name)` must be a string")
    }
  }

  /// A number that may be missing or null.
  func optionalNumber(_ name: String) throws(JSONFault) -> Double? {
    switch values[name] {
    case .number(let number): return number
    case .nothing, nil: return nil
    case .text: throw JSONFault(message: "field `\(name)` must be a number")
    }
  }
}

/// Writes JSON objects, one a line.
struct JSONLineWriter {
  private let buffer = ByteBuffer()

  /// Adds an object; fields whose value is `nil` are left out. Values are JSON already.
  func add(_ fields: [(name: String, value: Value?)]) {
    var separator = "{"
    for case (let name, let value?) in fields {
      buffer.append(separator)
      JSONText.append(Array(name.utf8), to: buffer)
      buffer.append(":")
      switch value {
      case .text(let text): JSONText.append(Array(text.utf8), to: buffer)
      case .number(let number): buffer.append("\(number)")
      case .whole(let number): buffer.append("\(number)")
      case .flag(let flag): buffer.append("\(flag)")
      }
      separator = ","
    }
    buffer.append("}\n")
  }

  /// A value.
  enum Value { case text(String), number(Double), whole(Int), flag(Bool) }

  /// Writes what was added.
  ///
  /// - Throws: `StreamError`; `Interruption`.
  func write(to output: Descriptor = .standardOutput) throws {
    try buffer.bytes.withUnsafeBytes { bytes in
      try output.write(bytes) { offset in bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count }
    }
  }
}
