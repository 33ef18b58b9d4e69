/// The bytes of items as the prefilter sees them: 63 kinds, so that a set of kinds is a word and a pair of kinds a small number.
///
/// Upper and lower case are one kind, and so are some rare signs. Bytes that are not ASCII are of two kinds: those that begin a letter
/// beyond the basic plane, where the emoji are, and all others.
enum Letter {
  /// The kind of what is neither ASCII that can be printed nor begins an emoji.
  static let other: UInt8 = 0
  private static let rareSign: UInt8 = 61
  private static let emoji: UInt8 = 62

  /// The kind of each byte.
  static let kinds: [UInt8] = (0...255).map { byte in
    let byte = UInt8(byte)
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return byte - UInt8(ascii: "a") + 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte - UInt8(ascii: "A") + 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0") + 27
    case 0xF0...: return emoji
    default:
      guard let place = Array(" !\"#$%&'()*+,-./:;<=>?@_".utf8).firstIndex(of: byte) else {
        return (0x20..<0x7F).contains(byte) ? rareSign : other
      }
      return UInt8(place) + 37
    }
  }

  /// The kind that an item holds one of where a scalar or another case of it stands.
  ///
  /// Beyond ASCII the other cases are beyond ASCII too, and in the same plane, but for the long s and the Kelvin sign; the prefilter
  /// looks for those where they are in the item.
  ///
  /// - Returns: `nil` for those two.
  static func kind(of scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case ..<0x80: kinds[Int(scalar.value)]
    case 0x17F, 0x212A: nil
    case ..<0x10000: other
    default: emoji
    }
  }

  /// The kinds of the ten digits, a bit each.
  static let digits: UInt64 = 0x3FF << 27

  /// How likely an item holds each kind: about twenty letters a list item, by how often English has them.
  private static let likelihood: [Double] = {
    // Percent of letters, a to z.
    let letters = [8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2, 6.1, 7, 0.2, 0.8, 4, 2.4, 6.7, 7.5, 1.9, 0.1, 6, 6.3, 9.1, 2.8, 1, 2.4, 0.2, 2, 0.1]
    var shares = [Double](repeating: 0.001, count: 64)
    for (place, percent) in letters.enumerated() { shares[place + 1] = percent / 100 }
    for digit in 27..<37 { shares[digit] = 0.01 }
    shares[Int(kinds[0x20])] = 0.12
    return shares
  }()

  /// About how likely an item holds a text of kinds.
  static func likelihood(of text: [UInt8]) -> Double {
    guard let rarest = rarestPair(of: text) else { return text.first.map { min(1, 20 * likelihood[Int($0)]) } ?? 1 }
    return min(1, 20 * likelihood[Int(text[rarest])] * likelihood[Int(text[rarest + 1])])
  }

  /// Where the pair that fewest items hold begins; `nil` for a text of one kind.
  static func rarestPair(of text: [UInt8]) -> Int? {
    func weight(_ place: Int) -> Double { likelihood[Int(text[place])] * likelihood[Int(text[place + 1])] }
    return text.indices.dropLast().min { weight($0) < weight($1) }
  }
}
