/// Text that a terminal shows as it is: what it would obey or not show is made visible.
///
/// One rule for every format and command: a control character comes out as its picture (`␛`), and `U+FFFD` stands for what has none:
/// the controls from U+007F on, bytes that are no UTF-8, and everything that is not seen where it stands: format characters (of zero
/// width, direction marks, tags, the soft hyphen, a byte order mark), line and paragraph separators, private, unassigned and default
/// ignorable characters, after the Unicode version of the Swift runtime. Within an emoji they stay, since it could not be read without: a
/// variation selector after a character that is one, and a joiner between two.
package enum VisibleText {
  /// A text in one line.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var result = String.UnicodeScalarView()
    var emoji = EmojiSequence()
    let scalars = text.unicodeScalars
    var place = scalars.startIndex
    while place < scalars.endIndex {
      let scalar = scalars[place]
      scalars.formIndex(after: &place)
      let next = place < scalars.endIndex ? scalars[place] : nil
      result.append(emoji.keeps(scalar, before: next) || !isHidden(scalar) ? scalar : picture(scalar))
    }
    return String(result)
  }

  /// Text of many lines on its way to a terminal: newlines stay, and tabs, but no return before a newline; `nil` where all is visible.
  ///
  /// - Parameter keepsStyle: Whether sequences that only change colors and weights, or clear the line, stay, as those of `Style` and of a line that
  ///   tells progress. What is not ours must have been made visible before.
  package static func page(_ bytes: UnsafeRawBufferPointer, keepsStyle: Bool) -> [UInt8]? {
    if bytes.allSatisfy({ isPlain($0) || $0 == 0x0A || $0 == 0x09 }) { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var start = bytes.startIndex
    var place = start
    /// Adds what lies before a place, made visible.
    func finish(_ end: Int) {
      if end > start { result += line(String(decoding: bytes[start..<end], as: UTF8.self)).utf8 }
    }
    while place < bytes.endIndex {
      let kept = keptLength(bytes[place...], keepsStyle)
      if let kept {
        finish(place)
        result += bytes[place..<place + kept]
        place += kept
        start = place
      } else if bytes[place] == 0x0D, place + 1 < bytes.endIndex, bytes[place + 1] == 0x0A {
        finish(place)
        place += 1
        start = place
      } else {
        place += 1
      }
    }
    finish(place)
    return result
  }

  /// The length of what stays as it is where the bytes begin; `nil` for what is text.
  private static func keptLength(_ bytes: Slice<UnsafeRawBufferPointer>, _ keepsStyle: Bool) -> Int? {
    switch bytes.first {
    case 0x0A, 0x09: return 1
    case 0x0D where keepsStyle && bytes.dropFirst().starts(with: clearLine): return 1
    case 0x1B where keepsStyle:
      if bytes.starts(with: clearLine) { return clearLine.count }
      guard bytes.dropFirst().first == UInt8(ascii: "[") else { return nil }
      let parameters = bytes.dropFirst(2).prefix(16)
        .prefix { $0 == UInt8(ascii: ";") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return bytes.dropFirst(2 + parameters.count).first == UInt8(ascii: "m") ? parameters.count + 3 : nil
    default: return nil
    }
  }

  private static let clearLine = Array("\u{1B}[K".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  private static func picture(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" : "\u{FFFD}"
  }

  /// Whether a terminal would obey a character, or show nothing where it stands.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

/// Follows a text to tell which of its hidden characters belong to an emoji.
private struct EmojiSequence {
  /// Whether an emoji ends here, so that a joiner may follow.
  private var isEmoji = false
  /// Whether a variation selector may follow.
  private var takesSelector = false

  /// Whether a character that would be hidden belongs to the emoji at hand.
  mutating func keeps(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    switch scalar {
    case "\u{FE0E}", "\u{FE0F}":
      defer { takesSelector = false }
      return takesSelector
    case "\u{200D}":
      defer { (isEmoji, takesSelector) = (false, false) }
      return isEmoji && next.map(Self.isPicture) == true
    default:
      isEmoji = Self.isPicture(scalar)
      // Digits take one too, in a keycap.
      takesSelector = scalar.properties.isEmoji
      return false
    }
  }

  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0x7F && scalar.properties.isEmoji }
}
