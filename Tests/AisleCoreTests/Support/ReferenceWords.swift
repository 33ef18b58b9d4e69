import AisleCore

/// What a word is, said a scalar at a time with no thought of speed: the reference that `Words` is compared with.
enum ReferenceWords {
  /// What a scalar does to a word.
  private enum Effect {
    case letters(String), apostrophe, ampersand, breaks, separates
  }

  struct Word: Equatable, CustomStringConvertible {
    var folded: String
    var span: Range<Int>
    var segment: Int

    var description: String { "\(folded) \(span) #\(segment)" }
  }

  /// The scalars beyond ASCII that random items are made of, with what they fold to; `nil` for those that separate words.
  static let scalars: [(Unicode.Scalar, String?)] = [
    ("é", "e"), ("Ü", "u"), ("ß", "ss"), ("Ø", "o"), ("æ", "ae"), ("İ", "i"), ("ı", "i"), ("ﬁ", "fi"), ("Ａ", "a"), ("９", "9"),
    ("ｚ", "z"),
    ("\u{301}", ""), ("\u{200D}", ""), ("\u{AD}", ""), ("豆", "豆"), ("Д", "д"), ("ς", "σ"), ("가", "\u{1100}\u{1161}"), ("が", "か"),
    ("🍎", nil), ("\u{A0}", nil), ("½", nil), ("€", nil), ("—", nil), ("–", nil), ("\u{2028}", nil),
  ]

  private static let folded = Dictionary(uniqueKeysWithValues: scalars)

  static func words(in item: [UInt8]) -> [Word] {
    let item = Array(item.prefix(Words.maximumBytes))
    var words: [Word] = []
    var open: Word?
    var segment = 0
    func close(at offset: Int) {
      guard var word = open else { return }
      word.span = word.span.lowerBound..<offset
      words.append(word)
      open = nil
    }
    var offset = 0
    while offset < item.count {
      let (scalar, length) = scalar(in: item, at: offset)
      switch effect(of: scalar, length, in: item, at: offset) {
      case .letters(""): break
      case .letters(let letters):
        if open == nil { open = Word(folded: "", span: offset..<offset, segment: segment) }
        open?.folded += letters
      case .apostrophe: break  // Inside a word it is dropped; beside one the next scalar is a separator or the word goes on.
      case .ampersand:
        close(at: offset)
        words.append(Word(folded: "and", span: offset..<offset + 1, segment: segment))
      case .breaks:
        close(at: offset)
        segment += 1
      case .separates: close(at: offset)
      }
      offset += length
    }
    close(at: offset)
    return Array(words.prefix(Words.capacity))
  }

  /// Whether a dot has a single ASCII letter on either side.
  private static func isBetweenInitials(_ item: [UInt8], _ dot: Int) -> Bool {
    func scalar(_ place: Int) -> Unicode.Scalar { item.indices.contains(place) ? Unicode.Scalar(item[place]) : " " }
    let (before, after) = (scalar(dot - 1), scalar(dot + 1))
    guard before.isASCII, after.isASCII, before.properties.isAlphabetic, after.properties.isAlphabetic else { return false }
    return [scalar(dot - 2), scalar(dot + 2)].allSatisfy { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9" ~= $0) }
  }

  /// The scalar that begins at an offset, or `nil` and one byte where no UTF-8 does.
  private static func scalar(in item: [UInt8], at offset: Int) -> (Unicode.Scalar?, Int) {
    if item[offset] < 0x80 { return (Unicode.Scalar(item[offset]), 1) }
    for length in 2...4 where offset + length <= item.count {
      if let text = String(validating: item[offset..<offset + length], as: UTF8.self), let scalar = text.unicodeScalars.first {
        return (scalar, length)
      }
    }
    return (nil, 1)
  }

  /// What a scalar does where it stands.
  private static func effect(of scalar: Unicode.Scalar?, _ length: Int, in item: [UInt8], at offset: Int) -> Effect {
    if scalar == ".", isBetweenInitials(item, offset) { return .apostrophe }
    if let scalar, ["-", "–", "—"].contains(scalar) {
      let ends = [offset - 1, offset + length].map { item.indices.contains($0) ? item[$0] : 0 }
      return ends == [0x20, 0x20] ? .breaks : .separates
    }
    return effect(of: scalar)
  }

  private static func effect(of scalar: Unicode.Scalar?) -> Effect {
    guard let scalar else { return .separates }
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": return .letters(scalar.properties.lowercaseMapping)
    case "'", "`", "’": return .apostrophe
    case "&": return .ampersand
    case ",", "(", ")", ";", ":", "[", "|": return .breaks
    default:
      guard let known = folded[scalar], let letters = known else { return .separates }
      return .letters(letters)
    }
  }
}
