extension ExpressionReader {
  /// Reads the inside of `[…]`.
  mutating func characterClass() throws(Unread) -> Part {
    let isNegated = take("^")
    var found = Members()
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      place += 1
      if scalar == "[", let sign = next, ":.=".unicodeScalars.contains(sign) { throw Unread() }
      var first = scalar
      if scalar == "\\" {
        guard let escaped = next else { throw Unread() }
        place += 1
        if let set = Self.escapedSet(escaped) {
          found.add(set)
          continue
        }
        if !Self.isSign(escaped) { throw Unread() }
        first = escaped
      }
      var last = first
      if next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" {
        last = scalars[place + 1]
        if last == "\\" || last == "[" { throw Unread() }
        place += 2
      }
      found.add(first, last)
    }
    if !take("]") { throw Unread() }
    return isNegated ? .unknown(Letter.all) : found.part
  }

  /// What an escaped letter in a class stands for; `nil` for itself.
  private static func escapedSet(_ scalar: Unicode.Scalar) -> Letter.Kinds? {
    switch scalar {
    case "d": Letter.digits
    case "w": Letter.wordLetters
    case "s": Letter.blanks
    case "h", "S", "W", "H", "D": Letter.all
    default: nil
    }
  }

  /// What a class takes.
  private struct Members {
    private var kinds: Letter.Kinds = 0
    private var isASCII = true
    /// The emoji in it, where there is nothing else.
    private var emoji: UInt64? = 0

    mutating func add(_ set: Letter.Kinds) {
      kinds |= set
      emoji = nil
      if set == Letter.all { isASCII = false }
    }

    mutating func add(_ first: Unicode.Scalar, _ last: Unicode.Scalar) {
      guard first.value <= last.value else { return add(Letter.all) }
      if last.isASCII {
        for value in first.value...last.value { kinds |= 1 << UInt64(Letter.kinds[Int(value)]) }
        emoji = nil
        return
      }
      isASCII = false
      let hasASCIICases = [0x17F, 0x212A].contains { (first.value...last.value).contains($0) }
      if first.isASCII || hasASCIICases { return add(Letter.all) }
      // The other cases of a letter stay in its plane.
      kinds |= last.value <= 0xFFFF ? 1 << UInt64(Letter.other) : Letter.strange
      let range = first.value...last.value
      guard let known = emoji, range.count <= 64 else {
        emoji = nil
        return
      }
      let scalars = range.compactMap { Unicode.Scalar($0) }
      emoji = scalars.allSatisfy(Letter.isEmoji) ? scalars.reduce(known) { $0 | Letter.emojiBit($1) } : nil
    }

    var part: Part {
      if kinds == Letter.all || kinds == 0 { return .unknown(Letter.all) }
      if isASCII { return .byte(kinds) }
      if let emoji, emoji != 0 {
        var part = Part(texts: [Letter.fourBytes], kinds: Letter.strange, begins: Letter.strange)
        part.requirement.emoji = emoji
        return part
      }
      var part = Part.unknown(kinds)
      part.requirement.tighten([[kinds]])
      return part
    }
  }
}
