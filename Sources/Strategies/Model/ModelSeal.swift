import AisleCore

/// The last line of a model, by which it shows that nothing before it has changed: `checksum` and 16 hexadecimal digits.
enum ModelSeal {
  private static let word = "checksum "
  /// How many bytes the line takes, its end included.
  static let size = word.utf8.count + 17

  /// The line for the lines before it.
  static func line(_ text: UnsafeBufferPointer<UInt8>) -> String { word + FNV1a.text(checksum(text)) + "\n" }

  /// Whether a text ends with the line that belongs there.
  static func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= size else { return false }
    let end = text.count - size
    return line(UnsafeBufferPointer(rebasing: text[..<end])).utf8.elementsEqual(text[end...])
  }

  /// A checksum of bytes: eight at a time are mixed into one of four sums in turn, so that each byte and its place count. It finds
  /// accidents, not forgeries.
  ///
  /// - Complexity: O(bytes), some ten bytes a nanosecond.
  private static func checksum(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(text)
    func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
      let sum = (sum ^ word) &* 0x9E37_79B1_85EB_CA87
      return sum ^ sum &>> 29
    }
    func word(_ offset: Int) -> UInt64 { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    var offset = 0
    while offset &+ 32 <= bytes.count {
      a = mixed(a, word(offset))
      b = mixed(b, word(offset &+ 8))
      c = mixed(c, word(offset &+ 16))
      d = mixed(d, word(offset &+ 24))
      offset &+= 32
    }
    while offset < bytes.count {
      a = mixed(a, UInt64(bytes[offset]))
      offset &+= 1
    }
    return [b, c, d, UInt64(bytes.count)].reduce(a, mixed)
  }
}
