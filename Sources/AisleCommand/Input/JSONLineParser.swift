import AisleCore

/// One JSON object a line; the item is the text of one field.
struct JSONLineParser: RecordParser {
  /// The field that holds the item.
  let field: String
  /// The field that the answer goes to, which a record must not have yet.
  let target: String

  func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    var lines: [(Int, Int, UInt8)] = []
    text.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { forEachLine(base, count) { lines.append(($0, $1, $2)) } }
    }
    for (start, end, terminator) in lines {
      let place = list.records.count
      list.records.append(Record(start: UInt32(start), length: UInt32(end - start), terminator: terminator))
      if text[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        list.blanks.insert(place)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
        continue
      }
      do throws(JSONFault) {
        let item = try text.withUnsafeBufferPointer { bytes throws(JSONFault) in
          var scanner = JSONScanner(UnsafeBufferPointer(rebasing: bytes[start..<end]))
          return try scanner.textField(named: field, without: target)
        }
        list.extents.append(appendDecoded(item, to: &text))
      } catch {
        list.faults[place] = RecordFault(line: place, message: error.message, isSound: error.isSound)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
      }
    }
    list.lineCount = lines.count
  }
}

/// What is wrong with a JSON text.
struct JSONFault: Error {
  let message: String
  /// Whether the text is an object all the same, and only the item is missing.
  var isSound = false
}

/// Checks a JSON text (RFC 8259) byte by byte, and decodes the fields asked for; everything else stays as it was written.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  /// The deepest nesting that is read.
  private static let maximumDepth = 64

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The text of a field of the object.
  ///
  /// - Parameter absent: A field that the object must not have.
  /// - Throws: `JSONFault` when the bytes are no JSON object, or the field is missing or no text.
  mutating func textField(named name: String, without absent: String) throws(JSONFault) -> [UInt8] {
    var found: [UInt8]?
    var isOtherType = false
    skipBlanks()
    guard peek() == UInt8(ascii: "{") else { throw JSONFault(message: "not a JSON object; write {\"\(name)\": \"…\"}") }
    try object { scanner, key throws(JSONFault) in
      if key.elementsEqual(absent.utf8) {
        throw JSONFault(message: "has a field \"\(absent)\" already; choose another name with --as")
      }
      guard key.elementsEqual(name.utf8) else { return try scanner.skipValue(depth: 1) }
      guard scanner.peek() == UInt8(ascii: "\"") else {
        isOtherType = true
        return try scanner.skipValue(depth: 1)
      }
      found = try scanner.string()
    }
    skipBlanks()
    if offset < bytes.count { throw fault("text after the object") }
    if let found { return found }
    if isOtherType { throw JSONFault(message: "field \"\(name)\" is no text; give it the item in double quotes", isSound: true) }
    throw JSONFault(message: "no field \"\(name)\"; name the item's field with --field", isSound: true)
  }

  private func fault(_ what: String) -> JSONFault { JSONFault(message: "bad JSON at column \(offset + 1): \(what)") }

  private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private mutating func expect(_ byte: UInt8) throws(JSONFault) {
    skipBlanks()
    guard peek() == byte else { throw fault("expected `\(Character(Unicode.Scalar(byte)))`") }
    offset += 1
  }

  private mutating func object(_ member: (inout JSONScanner, [UInt8]) throws(JSONFault) -> Void) throws(JSONFault) {
    try expect(UInt8(ascii: "{"))
    skipBlanks()
    if peek() == UInt8(ascii: "}") {
      offset += 1
      return
    }
    while true {
      skipBlanks()
      guard peek() == UInt8(ascii: "\"") else { throw fault("expected a field name in double quotes") }
      let key = try string()
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

  private mutating func skipValue(depth: Int) throws(JSONFault) {
    if depth > Self.maximumDepth { throw fault("nested more than \(Self.maximumDepth) deep") }
    skipBlanks()
    switch peek() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"): try object { scanner, _ throws(JSONFault) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      offset += 1
      skipBlanks()
      if peek() == UInt8(ascii: "]") {
        offset += 1
        return
      }
      while true {
        try skipValue(depth: depth + 1)
        skipBlanks()
        if peek() == UInt8(ascii: ",") { offset += 1 } else { return try expect(UInt8(ascii: "]")) }
      }
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: try number()
    }
  }

  private mutating func literal(_ text: StaticString) throws(JSONFault) {
    for place in 0..<text.utf8CodeUnitCount {
      guard peek() == text.utf8Start[place] else { throw fault("expected `\(text)`") }
      offset += 1
    }
  }

  private mutating func number() throws(JSONFault) {
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
  }

  private mutating func digits() -> Int {
    let start = offset
    while let byte = peek(), byte &- 0x30 < 10 { offset += 1 }
    return offset - start
  }

  /// Decodes the string that begins here.
  private mutating func string() throws(JSONFault) -> [UInt8] {
    offset += 1
    var text: [UInt8] = []
    while let byte = peek() {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return text
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
