/// What an ASCII character that belongs to no word does to those beside it.
enum Separator {
  /// Keeps them apart.
  case separates
  /// Ends a part of the item, as a comma does.
  case breaks
  /// Must be folded first: it may join what it stands between.
  case needsFolding

  /// 1 for a byte that always breaks, 0 for any other.
  ///
  /// Looked up in the bits of a number, since which byte comes is not to be foreseen; so is `isDoubtful`.
  @inline(__always)
  static func breaks(_ byte: UInt8) -> UInt64 {
    let low = bit(",") | bit("(") | bit(")") | bit(";") | bit(":")
    let high = bit("[") | bit("|")
    return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1
  }

  /// 1 for a byte that may break or need folding, as `at` says; 0 for any other.
  @inline(__always)
  static func isDoubtful(_ byte: UInt8) -> UInt64 {
    let low = bit("'") | bit("&") | bit("-") | bit(".")
    let high = bit("`")
    return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1
  }

  /// A character's bit among the 64 that it belongs to.
  @inline(__always)
  private static func bit(_ character: Unicode.Scalar) -> UInt64 { 1 &<< UInt64(character.value & 63) }

  /// What the byte at a place does.
  static func at(_ place: Int, of item: UnsafePointer<UInt8>, count length: Int) -> Separator {
    if breaks(item[place]) == 1 { return .breaks }
    return switch item[place] {
    case UInt8(ascii: "'"), UInt8(ascii: "&"), UInt8(ascii: "`"): .needsFolding
    case UInt8(ascii: "-"): isApart(place..<place + 1, in: item, count: length) ? .breaks : .separates
    case UInt8(ascii: "."): joinsInitials(place, of: item, count: length) ? .needsFolding : .separates
    default: .separates
    }
  }

  /// Whether a dash has blanks on both sides, so that it breaks.
  @inline(__always)
  static func isApart(_ dash: Range<Int>, in item: UnsafePointer<UInt8>, count length: Int) -> Bool {
    dash.lowerBound > 0 && item[dash.lowerBound - 1] == 0x20 && dash.upperBound < length && item[dash.upperBound] == 0x20
  }

  /// Whether a dot stands between single letters: "o.j.", "t.p.".
  static func joinsInitials(_ dot: Int, of item: UnsafePointer<UInt8>, count length: Int) -> Bool {
    func isLetter(_ place: Int) -> Bool { place >= 0 && place < length && item[place].isASCIILetter }
    func isMore(_ place: Int) -> Bool {
      isLetter(place) || place >= 0 && place < length && (item[place].isASCIIDigit || item[place] >= 0x80)
    }
    return isLetter(dot - 1) && !isMore(dot - 2) && isLetter(dot + 1) && !isMore(dot + 2)
  }
}
