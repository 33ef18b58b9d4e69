/// Checks a JSON text (RFC 8259) byte by byte, and decodes the fields asked for; everything else stays as it was written.
package struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// How far it has read.
  package private(set) var offset = 0
  /// Whether a text that it has passed had half of a surrogate pair, which stands for no character.
  package private(set) var hasHalfSurrogate = false

  /// The deepest nesting that is read.
  private static let maximumDepth = 64

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// A fault at the place the scanner is at.
  package func fault(_ what: String) -> JSONFault {
    JSONFault(syntax: what, offset: offset)
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

  /// Reads an object; `member` gets each key, for as long as it runs, and must read or skip its value.
  package mutating func object(
    _ member: (inout JSONScanner, UnsafeBufferPointer<UInt8>) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    try expect(UInt8(ascii: "{"))
    skipBlanks()
    if peek() == UInt8(ascii: "}") {
      offset += 1
      return
    }
    while true {
      skipBlanks()
      guard peek() == UInt8(ascii: "\"") else { throw fault("expected a field name in double quotes") }
      if let key = plainString() {
        try value(of: key, member)
      } else {
        let key = try string()
        try key.withUnsafeBufferPointer { key throws(JSONFault) in try value(of: key, member) }
      }
      skipBlanks()
      if peek() == UInt8(ascii: ",") {
        offset += 1
      } else {
        return try expect(UInt8(ascii: "}"))
      }
    }
  }

  private mutating func value(
    of key: UnsafeBufferPointer<UInt8>, _ member: (inout JSONScanner, UnsafeBufferPointer<UInt8>) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    try expect(UInt8(ascii: ":"))
    skipBlanks()
    try member(&self, key)
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
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let isLeadingZero = peek() == UInt8(ascii: "0")
    var value: UInt64 = 0
    let whole = digits(&value)
    guard whole > 0, !(isLeadingZero && whole > 1) else { throw fault("expected a value") }
    var decimals = 0
    if peek() == UInt8(ascii: ".") {
      offset += 1
      decimals = digits(&value)
      if decimals == 0 { throw fault("expected a digit") }
    }
    let isExact = whole + decimals <= Self.exactDigits
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      offset += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
      var exponent: UInt64 = 0
      if digits(&exponent) == 0 { throw fault("expected a digit") }
    } else if isExact {
      // Both are exact, so their quotient is the number nearest to what is written.
      let number = Double(value) / (0..<decimals).reduce(1) { power, _ in power * 10 }
      return isNegative ? -number : number
    }
    return Double(String(decoding: bytes[start..<offset], as: UTF8.self)) ?? .nan
  }

  /// So many decimal digits are always exact as a `Double`.
  private static let exactDigits = 15

  /// Passes over digits.
  ///
  /// - Parameter value: Gets them appended; of no use when they are more than 19 in all.
  /// - Returns: How many there are.
  private mutating func digits(_ value: inout UInt64) -> Int {
    let start = offset
    while let byte = peek(), byte.isASCIIDigit {
      value = value &* 10 &+ UInt64(byte &- 0x30)
      offset += 1
    }
    return offset - start
  }

  /// Decodes a text.
  package mutating func string() throws(JSONFault) -> [UInt8] {
    guard peek() == UInt8(ascii: "\"") else { throw fault("expected a string in double quotes") }
    let end = plainEnd(from: offset + 1)
    var text = Array(bytes[(offset + 1)..<end])
    offset = end
    while let byte = peek() {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0..<0x20: throw fault("control character in a string; write it as \\u00XX")
      default: text.append(byte)
      }
    }
    throw fault("string without a closing quote")
  }

  /// Decodes a text, and gives `body` its bytes for as long as that runs: without a copy where nothing is escaped.
  package mutating func string<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) throws(JSONFault) -> Result {
    if let plain = plainString() { return body(plain) }
    return try string().withUnsafeBufferPointer(body)
  }

  /// Passes over a text in which nothing is escaped; `nil`, with nothing passed over, where there is none such.
  private mutating func plainString() -> UnsafeBufferPointer<UInt8>? {
    guard peek() == UInt8(ascii: "\"") else { return nil }
    let start = offset + 1
    let end = plainEnd(from: start)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    offset = end + 1
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  /// Where the bytes that stand for themselves in a text end, looked at eight at a time.
  private func plainEnd(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones << 7
    let raw = UnsafeRawBufferPointer(bytes)
    var place = start
    while place + 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
      // The top bit of each byte that is one of the two, or less than a blank; the lowest of these bits is always true.
      let ends = ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word) & tops
      if ends != 0 { return place + ends.trailingZeroBitCount >> 3 }
      place += 8
    }
    while place < bytes.count, bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") {
      place += 1
    }
    return place
  }

  private mutating func escape() throws(JSONFault) -> [UInt8] {
    guard let byte = peek() else { throw fault("string without a closing quote") }
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
      guard let scalar = Unicode.Scalar(value) else {
        hasHalfSurrogate = true
        return Array("\u{FFFD}".utf8)
      }
      return Array(String(Character(scalar)).utf8)
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
