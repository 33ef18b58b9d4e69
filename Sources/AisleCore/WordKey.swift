/// Reduces a word to its singular, and that to 64 bits.
@usableFromInline
package enum WordKey {
  /// How a word's singular is made of it: its first `length` bytes, the last of them read as "y" if `endsInY`.
  @usableFromInline
  package struct Singular {
    @usableFromInline package var length: Int
    @usableFromInline package var endsInY = false
    @usableFromInline package var isPlural = false

    @inlinable
    init(length: Int, endsInY: Bool = false) { (self.length, self.endsInY) = (length, endsInY) }
  }

  /// Berries is a berry, boxes a box, hummus a hummus, and cookies and cookie are both a "cooky".
  @inlinable @inline(__always)
  package static func singular(_ word: UnsafePointer<UInt8>, _ length: Int, caseBit: UInt8) -> Singular {
    var singular = Singular(length: length)
    guard length > 3 else { return singular }
    let last = word[length &- 1] | caseBit
    if last == UInt8(ascii: "e"), word[length &- 2] | caseBit == UInt8(ascii: "i") {
      return Singular(length: length &- 1, endsInY: true)
    }
    guard last == UInt8(ascii: "s") else { return singular }
    let second = word[length &- 2] | caseBit
    if second == UInt8(ascii: "s") || second == UInt8(ascii: "u") || second == UInt8(ascii: "i") { return singular }
    singular.isPlural = true
    singular.length = length &- 1
    guard second == UInt8(ascii: "e") else { return singular }
    let third = word[length &- 3] | caseBit
    switch third {
    case UInt8(ascii: "i") where length > 4:
      singular.length = length &- 2
      singular.endsInY = true
    case UInt8(ascii: "o") where length > 5, UInt8(ascii: "x"): singular.length = length &- 2
    case UInt8(ascii: "h"), UInt8(ascii: "s"), UInt8(ascii: "z"):
      let fourth = word[length &- 4] | caseBit
      let isSibilant = third == UInt8(ascii: "h") ? fourth == UInt8(ascii: "c") || fourth == UInt8(ascii: "s") : fourth == third
      if isSibilant { singular.length = length &- 2 }
    default: break
    }
    return singular
  }

  /// The bytes of a folded word's singular, e.g. for comparing its letters.
  static func singular(ofFolded word: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let base = word.baseAddress else { return [] }
    let singular = singular(base, word.count, caseBit: 0x20)
    var bytes = word.prefix(singular.length).map { $0 < 0x80 ? $0 | 0x20 : $0 }
    if singular.endsInY { bytes[bytes.count - 1] = UInt8(ascii: "y") }
    return bytes
  }

  /// The key of a word's singular, and whether the word was a plural.
  ///
  /// Words of up to 16 bytes have keys of their own but for chance (2⁻⁶⁴); longer ones are mixed in eight bytes at a time.
  @inlinable @inline(__always)
  package static func key(_ word: UnsafePointer<UInt8>, _ length: Int, caseBits: UInt64) -> (key: UInt64, isPlural: Bool) {
    let singular = singular(word, length, caseBit: UInt8(truncatingIfNeeded: caseBits))
    let (length, endsInY, isPlural) = (singular.length, singular.endsInY, singular.isPlural)
    // Of a word of up to eight bytes `high` counts as nothing: a mask, since how long words are is not to be foreseen.
    let isShort = (length &- 9) &>> 63  // -1, or 0 for a long one
    var low = UnsafeRawPointer(word).loadUnaligned(as: UInt64.self) | caseBits
    low &= UInt64.max &>> UInt64(truncatingIfNeeded: (64 &- 8 &* length) & isShort)
    var high = UnsafeRawPointer(word + ((length &- 8) & ~isShort)).loadUnaligned(as: UInt64.self) | caseBits
    if endsInY {
      if length <= 8 { low = endingInY(low, length) } else { high = endingInY(high, 8) }
    }
    if length > 16 {
      for offset in stride(from: 8, to: length &- 8, by: 8) {
        low = mix(low, UnsafeRawPointer(word + offset).loadUnaligned(as: UInt64.self) | caseBits)
      }
    }
    return (mix(low, (high &+ UInt64(length)) & ~UInt64(bitPattern: Int64(isShort))), isPlural)
  }

  @inlinable @inline(__always)
  static func endingInY(_ bytes: UInt64, _ length: Int) -> UInt64 {
    let shift = UInt64(8 &* (length &- 1))
    return bytes & ~(0xFF &<< shift) | UInt64(UInt8(ascii: "y")) &<< shift
  }

  @inlinable @inline(__always)
  static func mix(_ low: UInt64, _ high: UInt64) -> UInt64 {
    let mixed = (low &* 0x9E37_79B9_7F4A_7C15) ^ (high &* 0xC2B2_AE3D_27D4_EB4F)
    return mixed ^ mixed &>> 32
  }
}
