/// Checks a JSON text (RFC 8259) byte by byte, and decodes the fields asked for; everything else stays as it was written.
package struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// How far it has read.
  package private(set) var offset = 0

  /// The deepest nesting that is read.
  private static let maximumDepth = 64

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// A fault at the place the scanner is at.
  package func fault(_ what: String) -> JSONFault {
    JSONFault(message: "bad JSON at column \(offset + 1): \(what)", offset: offset)
  }

  /// The next byte; `nil` at the end.
  package func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  package mutating func skipBlanks() {
    while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private mutating func expect(_ byte: UInt8) throws(JSONFault) {
    skipBlanks()
    guard peek() == byte else { throw fault("expected `\(Character(Unicode.Scalar(byte)))`") }
    offset += 1
  }

  /// Reads an object; `member` gets each key and must read or skip its value.
  package mutating func object(_ member: (inout JSONScanner, [UInt8]) throws(JSONFault) -> Void) throws(JSONFault) {
    try expect(UInt8(ascii: "{"))
    skipBlanks()
    if peek() == UInt8(ascii: "}") {
      offset += 1
      return
    }
    var key: [UInt8] = []
    while true {
      skipBlanks()
      guard peek() == UInt8(ascii: "\"") else { throw fault("expected a field name in double quotes") }
      try string(into: &key)
      try expect(UInt8(ascii: ":"))
      skipBlanks()
      try member(&self, key)
      skipBlanks()
      if peek() == UInt8(ascii: ",") {
        offset += 1
      } else {
        return try expect(UInt8(ascii: "}"))
      }
    }
  }

  /// Reads an array; `element` must read or skip each of its values.
  package mutating func array(_ element: (inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
    try expect(UInt8(ascii: "["))
    skipBlanks()
    if peek() == UInt8(ascii: "]") {
      offset += 1
      return
    }
    while true {
      skipBlanks()
      try element(&self)
      skipBlanks()
      if peek() == UInt8(ascii: ",") { offset += 1 } else { return try expect(UInt8(ascii: "]")) }
    }
  }

  /// Checks that nothing follows.
  package mutating func end() throws(JSONFault) {
    skipBlanks()
    if offset < bytes.count { throw fault("text after the value") }
  }

  /// Passes over any value.
  package mutating func skipValue(depth: Int = 0) throws(JSONFault) {
    if depth > Self.maximumDepth { throw fault("nested more than \(Self.maximumDepth) deep") }
    skipBlanks()
    switch peek() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"): try object { scanner, _ throws(JSONFault) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["): try array { scanner throws(JSONFault) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try number()
    }
  }

  private mutating func literal(_ text: StaticString) throws(JSONFault) {
    for place in 0..<text.utf8CodeUnitCount {
      guard peek() == text.utf8Start[place] else { throw fault("expected `\(text)`") }
      offset += 1
    }
  }

  /// Reads a number.
  package mutating func number() throws(JSONFault) -> Double {
    let start = offset
    if peek() == UInt8(ascii: "-") { offset += 1 }
    let isLeadingZero = peek() == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !(isLeadingZero && whole > 1) else { throw fault("expected a value") }
    if peek() == UInt8(ascii: ".") {
      offset += 1
      if digits() == 0 { throw fault("expected a digit") }
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      offset += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
      if digits() == 0 { throw fault("expected a digit") }
    }
    return Double(String(decoding: bytes[start..<offset], as: UTF8.self)) ?? .nan
  }

  private mutating func digits() -> Int {
    let start = offset
    while let byte = peek(), byte &- 0x30 < 10 { offset += 1 }
    return offset - start
  }

  /// Decodes a text.
  package mutating func string() throws(JSONFault) -> [UInt8] {
    var text: [UInt8] = []
    try string(into: &text)
    return text
  }

  /// Decodes a text into memory that is there already, in place of what is in it.
  package mutating func string(into text: inout [UInt8]) throws(JSONFault) {
    text.removeAll(keepingCapacity: true)
    guard peek() == UInt8(ascii: "\"") else { throw fault("expected a text in double quotes") }
    offset += 1
    let start = offset
    while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") {
      offset &+= 1
    }
    text.append(contentsOf: bytes[start..<offset])
    while let byte = peek() {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0..<0x20: throw fault("control character in a text; write it as \\u00XX")
      default: text.append(byte)
      }
    }
    throw fault("text without its closing quote")
  }

  private mutating func escape() throws(JSONFault) -> [UInt8] {
    guard let byte = peek() else { throw fault("text without its closing quote") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"):
      var value = UInt32(try hex())
      if 0xD800...0xDBFF ~= value, peek() == UInt8(ascii: "\\"), offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "u")
      {
        let before = offset
        offset += 2
        let low = UInt32(try hex())
        if 0xDC00...0xDFFF ~= low {
          value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        } else {
          offset = before
        }
      }
      return Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
    default: throw fault("unknown escape")
    }
  }

  private mutating func hex() throws(JSONFault) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw fault("expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }
}
