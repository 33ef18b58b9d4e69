import AisleCore

/// Looks over a YAML text for what must not reach a parser: nesting deeper than any store file has, anchors and aliases.
///
/// A parser resolves aliases before anyone can refuse them, and hashes a key with all that it expands to; so they are found here,
/// without one. Comments and quoted texts are passed over.
struct YAMLStructure {
  /// What is refused, and where: line and column from 1, in bytes.
  struct Fault {
    let line: Int
    let column: Int
    let message: String
  }

  /// The deepest nesting that a store file needs is 4; parsers overflow their stack somewhere past thousands.
  static let maximumDepth = 32

  private var line = 1
  private var lineStart = 0
  private var brackets = 0
  private var dashes = 0
  private var startsToken = true
  private var quote: UInt8 = 0

  /// The first thing to refuse, or `nil`.
  ///
  /// - Complexity: O(bytes).
  static func firstFault(in bytes: [UInt8]) -> Fault? {
    var structure = YAMLStructure()
    var offset = 0
    while offset < bytes.count {
      if let fault = structure.read(bytes, &offset) { return fault }
    }
    return nil
  }

  /// Reads the byte at `offset`, and what belongs to it, and moves past it.
  private mutating func read(_ bytes: [UInt8], _ offset: inout Int) -> Fault? {
    let start = offset
    let byte = bytes[start]
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0x0A
    let isBeforeBlank = next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D
    offset += 1
    if byte == 0x0A {
      (line, lineStart, dashes) = (line + 1, offset, 0)
      if quote == 0 { startsToken = true }
      return nil
    }
    if quote != 0 {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), next != 0x0A { offset += 1 }
      if byte == quote { quote = 0 }
      return nil
    }
    switch byte {
    case 0x20, 0x09, 0x0D: break
    case UInt8(ascii: "#") where start == 0 || bytes[start - 1] <= 0x20:
      while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if startsToken || brackets > 0 { (brackets, startsToken) = (brackets + 1, true) }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      (brackets, startsToken) = (max(0, brackets - 1), false)
    case UInt8(ascii: ",") where brackets > 0: startsToken = true
    case UInt8(ascii: ":") where isBeforeBlank || brackets > 0: startsToken = true
    case UInt8(ascii: "-"), UInt8(ascii: "?"):
      startsToken = startsToken && isBeforeBlank
      if startsToken { dashes += 1 }
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if startsToken { quote = byte }
      startsToken = false
    case UInt8(ascii: "*") where startsToken && !isBeforeBlank:
      return fault(
        at: start, "YAML aliases (`*name`) are not allowed; write the value out")
    case UInt8(ascii: "&") where startsToken && !isBeforeBlank:
      return fault(
        at: start,
        "YAML anchors (`&name`) are not allowed; write the value out where it is used")
    case UInt8(ascii: "!") where startsToken:
      while offset < bytes.count, bytes[offset] > 0x20 { offset += 1 }
    default: startsToken = false
    }
    if brackets > Self.maximumDepth || dashes > Self.maximumDepth {
      return Fault(
        line: line, column: 0,
        message: "nested more than \(Self.maximumDepth) deep; a store file needs 4 levels")
    }
    return nil
  }

  private func fault(at offset: Int, _ message: String) -> Fault {
    Fault(line: line, column: offset - lineStart + 1, message: message)
  }
}
