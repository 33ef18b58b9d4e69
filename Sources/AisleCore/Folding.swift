/// Folds text beyond ASCII: case, diacritics, width and canonical variants of a letter reach the same bytes.
struct Folding {
  /// The table, read once, when the first item that needs it comes along.
  static let shared = Folding()

  private var sources: [UInt32] = []
  private var offsets: [UInt16] = [0]
  private var targets: [UInt32] = []

  private init() {
    FoldingTable.text.withUTF8Buffer { text in
      var number: UInt32 = 0
      var digits = 0
      var isSource = true
      for byte in text {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): (number, digits) = (number << 4 | UInt32(byte - 0x30), digits + 1)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): (number, digits) = (number << 4 | UInt32(byte - 0x37), digits + 1)
        default:
          if digits > 0 {
            if isSource { sources.append(number) } else { targets.append(number) }
            isSource = false
          }
          (number, digits) = (0, 0)
          if byte == UInt8(ascii: ";") {
            offsets.append(UInt16(truncatingIfNeeded: targets.count))
            isSource = true
          }
        }
      }
    }
  }

  /// What the letters of two bytes that European languages have fold to, from U+0080 on: one ASCII letter or two, the first one lowest;
  /// `separator` for what separates words, as ® does; 0 for whatever folds otherwise.
  static let latin = FlatTable<UInt16>(
    ContiguousArray(
      (0..<Int(latinLeads) * 64).map { place in
        var (packed, bits) = (UInt32(0), UInt32(0))
        let isWord = Unicode.Scalar(0x80 + UInt32(place)).map { scalar in
          shared.fold(scalar) { value in
            packed |= value < 0x80 && bits < 16 ? value << bits : .max
            bits += 8
          }
        }
        return isWord == false ? separator : UInt16(exactly: packed) ?? 0
      }))

  /// No letters: what separates words.
  static let separator = UInt16.max

  /// Which of the marks and symbols that shops print, from U+2000 on, separate words, a bit each: ™ does.
  static let symbols = FlatTable<UInt64>(
    ContiguousArray(
      (0..<symbolCount / 64).map { place in
        (0..<64).reduce(0) { bits, bit in
          guard let scalar = Unicode.Scalar(firstSymbol + UInt32(place * 64 + bit)), !shared.fold(scalar, emit: { _ in }) else {
            return bits
          }
          return bits | 1 << UInt64(bit)
        }
      }))
  static var firstSymbol: UInt32 { 0x2000 }
  static var symbolCount: Int { 0x200 }

  /// The first byte that letters of `latin` begin with.
  static let firstLatinLead: UInt8 = 0xC2
  /// How many such bytes there are.
  static let latinLeads: UInt8 = 8

  /// A scalar's value, of full-width ASCII the usual one's.
  static func usualWidth(_ scalar: Unicode.Scalar) -> UInt32 {
    0xFF01...0xFF5E ~= scalar.value ? scalar.value - 0xFEE0 : scalar.value
  }

  /// The folded form of a scalar beyond ASCII, one scalar at a time; nothing is emitted for a combining mark that folds away.
  ///
  /// - Returns: `false` for what is neither letter, mark nor digit, and so separates words.
  func fold(_ scalar: Unicode.Scalar, emit: (UInt32) -> Void) -> Bool {
    let value = scalar.value
    switch value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099...0x309A, 0xFE20...0xFE2F, 0xFE00...0xFE0F,
      0xFF9E...0xFF9F, 0xAD, 0x200B...0x200D, 0x2060, 0xFEFF:
      return true
    case 0xAC00...0xD7A3:  // Hangul syllables decompose by arithmetic (Unicode, section 3.12).
      let index = value - 0xAC00
      emit(0x1100 + index / 588)
      emit(0x1161 + index % 588 / 28)
      if index % 28 > 0 { emit(0x11A7 + index % 28) }
      return true
    default: break
    }
    if let row = row(of: value) {
      for target in targets[Int(offsets[row])..<Int(offsets[row + 1])] { emit(target) }
      return true
    }
    guard Self.isWord(scalar) else { return false }
    emit(value)
    return true
  }

  /// Whether a scalar is a letter, a mark or a digit. It stands apart since whoever asks Unicode's properties sets room aside for them first.
  @inline(never)
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
      .decimalNumber:
      true
    default: false
    }
  }

  private func row(of value: UInt32) -> Int? {
    var low = 0
    var high = sources.count
    while low < high {
      let middle = (low + high) / 2
      if sources[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < sources.count && sources[low] == value ? low : nil
  }
}
