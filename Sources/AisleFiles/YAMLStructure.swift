import AisleCore

/// Looks over a YAML text for what must not reach a parser: nesting deeper than any store file has, anchors and aliases.
///
/// A parser resolves aliases before anyone can refuse them, and hashes a key with all that it expands to; so they are found here,
/// without one. Comments and quoted texts are passed over.
///
/// Only a parser knows where a text that goes on over lines ends, and a quotation mark inside one would hide what follows it. So
/// whatever makes texts go on is refused too, and where a quotation mark may be part of a text, what it seems to quote is looked over.
struct YAMLStructure {
  /// What is refused, and where: line and column from 1, in bytes.
  struct Fault {
    let line: Int
    let column: Int
    let message: String
  }

  /// The deepest nesting that a store file needs is 6; parsers overflow their stack somewhere past thousands.
  static let maximumDepth = 32

  private var line = 1
  private var lineStart = 0
  private var brackets = 0
  private var dashes = 0
  private var startsToken = true
  /// Whether nothing but a token can start here: no text of the line before goes on.
  private var startsSurely = true
  private var isComment = false
  private var quote: UInt8 = 0
  private var quoteStart = 0
  /// The place after the last closing quotation mark.
  private var quoteEnd = -1
  /// Whether the quotation mark may be part of a text of a list or fields in brackets, so that tokens may follow within.
  private var mayHide = false

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
      if quote != 0 {
        return fault(at: quoteStart, "quoted text must end on its line; close the quote or write the text on one line")
      }
      (line, lineStart, dashes, isComment, startsToken) = (line + 1, offset, 0, false, true)
      return nil
    }
    if Self.isOtherLineEnd(bytes, at: start) {
      return fault(at: start, "a line ending is neither LF nor CRLF; save the file with one of those")
    }
    if isComment { return nil }
    if quote != 0 { return readQuoted(byte, bytes, &offset, isBeforeBlank: isBeforeBlank) }
    switch byte {
    case 0x20, 0x09, 0x0D: break
    case UInt8(ascii: "#") where start == 0 || bytes[start - 1] <= 0x20: isComment = true
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if startsToken || brackets > 0 { (brackets, startsToken, startsSurely) = (brackets + 1, true, true) }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      (brackets, startsToken, startsSurely) = (max(0, brackets - 1), false, false)
    case UInt8(ascii: ",") where brackets > 0: (startsToken, startsSurely) = (true, true)
    case UInt8(ascii: ":") where isBeforeBlank || brackets > 0:
      startsToken = true
      startsSurely = isBeforeBlank || start == quoteEnd
    case UInt8(ascii: "-"), UInt8(ascii: "."):
      if start == lineStart, next == byte, start + 2 < bytes.count, bytes[start + 2] == byte {
        offset += 2  // The document's beginning or end; the document may stand on the same line.
      } else {
        startsToken = startsToken && isBeforeBlank && byte == UInt8(ascii: "-")
        if startsToken { dashes += 1 }
      }
      startsSurely = false
    case UInt8(ascii: "?"):
      if startsToken && isBeforeBlank { dashes += 1 }
      (startsToken, startsSurely) = (startsToken || brackets > 0, false)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if startsToken { (quote, quoteStart, mayHide) = (byte, start, brackets > 0 && !startsSurely) }
      (startsToken, startsSurely) = (false, false)
    case UInt8(ascii: "*") where startsToken && !isBeforeBlank: return alias(at: start)
    case UInt8(ascii: "&") where startsToken && !isBeforeBlank: return anchor(at: start)
    case UInt8(ascii: "|") where startsToken, UInt8(ascii: ">") where startsToken:
      return fault(
        at: start, "multiline text (`\(Character(Unicode.Scalar(byte)))`) is not allowed; write the text on one line")
    case UInt8(ascii: "!") where startsToken: passTag(bytes, &offset)
    default: (startsToken, startsSurely) = (false, false)
    }
    if brackets > Self.maximumDepth || dashes > Self.maximumDepth {
      return Fault(
        line: line, column: 0,
        message: "nested more than \(Self.maximumDepth) levels deep; a store file needs only 6")
    }
    return nil
  }

  /// Reads a byte in quotes, and moves past what it escapes.
  private mutating func readQuoted(_ byte: UInt8, _ bytes: [UInt8], _ offset: inout Int, isBeforeBlank: Bool) -> Fault? {
    let next = offset < bytes.count ? bytes[offset] : 0x0A
    switch byte {
    case UInt8(ascii: "\\") where quote == UInt8(ascii: "\"") && next != 0x0A && next != 0x0D: offset += 1
    case UInt8(ascii: "'") where quote == byte && next == byte: offset += 1
    case quote: (quote, quoteEnd) = (0, offset)
    case UInt8(ascii: "*") where mayHide && !isBeforeBlank && Self.endsToken(bytes[offset - 2]): return alias(at: offset - 1)
    case UInt8(ascii: "&") where mayHide && !isBeforeBlank && Self.endsToken(bytes[offset - 2]): return anchor(at: offset - 1)
    default: break
    }
    return nil
  }

  /// Moves past a tag, which ends at a blank and where a list or fields in brackets go on.
  private func passTag(_ bytes: [UInt8], _ offset: inout Int) {
    let isVerbatim = offset < bytes.count && bytes[offset] == UInt8(ascii: "<")
    while offset < bytes.count, bytes[offset] > 0x20 {
      if !isVerbatim, ",[]{}".utf8.contains(bytes[offset]) { return }
      offset += 1
      if isVerbatim, bytes[offset - 1] == UInt8(ascii: ">") { return }
    }
  }

  /// Whether a token can begin after a byte.
  private static func endsToken(_ byte: UInt8) -> Bool { byte <= 0x20 || ",[]{}:?".utf8.contains(byte) }

  /// Whether a return without a newline, or one of Unicode's line ends, which YAML knows too, is at a place.
  private static func isOtherLineEnd(_ bytes: [UInt8], at place: Int) -> Bool {
    func holds(_ next: UInt8, _ distance: Int) -> Bool { place + distance < bytes.count && bytes[place + distance] == next }
    switch bytes[place] {
    case 0x0D: return !holds(0x0A, 1)
    case 0xC2: return holds(0x85, 1)
    case 0xE2: return holds(0x80, 1) && (holds(0xA8, 2) || holds(0xA9, 2))
    default: return false
    }
  }

  private func alias(at offset: Int) -> Fault { fault(at: offset, "YAML aliases (`*name`) are not allowed; write the value out") }

  private func anchor(at offset: Int) -> Fault {
    fault(at: offset, "YAML anchors (`&name`) are not allowed; write the value out where it is used")
  }

  private func fault(at offset: Int, _ message: String) -> Fault {
    Fault(line: line, column: offset - lineStart + 1, message: message)
  }
}
