import AisleCore

/// The bytes of items as the prefilter sees them: of 63 kinds, so that a set of kinds is a word, and a pair of kinds a small number.
///
/// Upper and lower case are one kind, and so are some rare signs. Bytes that are not ASCII are of two kinds: those that begin a letter
/// beyond the basic plane, where the emoji are, and all others.
enum Letter {
  /// The kind of what is neither ASCII that can be printed, nor white, nor begins an emoji.
  static let other: UInt8 = 0
  private static let white: UInt8 = 60
  private static let rareSign: UInt8 = 61
  private static let emoji: UInt8 = 62

  /// The kind of each byte.
  static let kinds: [UInt8] = (0...255).map { byte in
    let byte = UInt8(byte)
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return byte - UInt8(ascii: "a") + 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte - UInt8(ascii: "A") + 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0") + 27
    case 0x09...0x0D: return white
    case 0xF0...: return emoji
    default:
      guard let place = signs.firstIndex(of: byte) else { return (0x20..<0x7F).contains(byte) ? rareSign : other }
      return UInt8(place) + 37
    }
  }

  /// The same, at an address that holds for good.
  static let table = FlatTable(ContiguousArray(kinds))

  private static let signs = Array(" !\"#$%&'()*+,-./:;<=>?@_".utf8)

  /// A set of kinds, a bit each.
  typealias Kinds = UInt64

  static let all = Kinds.max
  static let digits: Kinds = 0x3FF << 27
  /// What `\s` takes.
  static let blanks: Kinds = 1 << kinds[0x20] | 1 << white
  /// What `\w` takes.
  static let wordLetters: Kinds = 0x3FF_FFFF << 1 | digits | 1 << kinds[0x5F]
  /// What is not ASCII, and control characters.
  static let strange: Kinds = 1 << other | 1 << white | 1 << emoji
  /// What a letter of four bytes looks like.
  static let fourBytes: [Kinds] = [1 << emoji, 1 << other, 1 << other, 1 << other]

  /// Whether another case of a scalar is ASCII: the long s and the Kelvin sign. The prefilter looks for those in the item.
  static func isOtherCaseOfASCII(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x17F || scalar.value == 0x212A }

  /// Whether a scalar has four bytes and no other case, as emoji have.
  static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFFFF && !scalar.properties.isCased && !scalar.properties.changesWhenCaseMapped
  }

  /// The place of a letter of four bytes in a set of 64, by its last two bytes.
  static func emojiBit(_ third: UInt8, _ fourth: UInt8) -> UInt64 { 1 &<< UInt64((third &* 5 &+ fourth) & 63) }

  /// The place of a scalar that `isEmoji` in a set of 64.
  static func emojiBit(_ scalar: Unicode.Scalar) -> UInt64 {
    emojiBit(UInt8(truncatingIfNeeded: 0x80 | scalar.value >> 6 & 0x3F), UInt8(truncatingIfNeeded: 0x80 | scalar.value & 0x3F))
  }

  /// The kinds in a set.
  static func members(_ set: Kinds) -> [Int] { (0..<64).filter { set >> $0 & 1 == 1 } }
}
