/// Bytes as printable text, so that they can be compiled in as a string literal and read without Foundation.
///
/// The bytes are taken as little-endian words of 64 bits, each written as ten digits of base 85 (Ascii85 with the digits `$`…`x`, which
/// leave out the quotation mark and the number sign). Zeros cost nothing: after the number of bytes, every 64 words are preceded by one that
/// has a bit for each word that is not 0, and only those follow.
package enum PackedText {
  private static let firstDigit = UInt8(ascii: "$")
  private static let digitCount = 10

  /// The text of some bytes: 1.25 characters a byte, zeros left out.
  package static func write(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 5 / 4 + 64)
    append(UInt64(bytes.count), to: &text)
    let wordCount = (bytes.count + 7) / 8
    func word(_ place: Int) -> UInt64 {
      if 8 * place + 8 <= bytes.count {
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
      }
      return bytes[(8 * place)...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    for start in stride(from: 0, to: wordCount, by: 64) {
      let words = (start..<min(start + 64, wordCount)).map(word)
      append(words.enumerated().reduce(0) { $1.element == 0 ? $0 : $0 | 1 << UInt64($1.offset) }, to: &text)
      for word in words where word != 0 { append(word, to: &text) }
    }
    return text
  }

  private static func append(_ word: UInt64, to text: inout [UInt8]) {
    for half in [word >> 32, word & 0xFFFF_FFFF] {
      for power: UInt64 in [52_200_625, 614_125, 7_225, 85, 1] { text.append(firstDigit + UInt8(half / power % 85)) }
    }
  }

  /// The bytes of a text that `write` made.
  ///
  /// - Complexity: O(bytes); some 3 ns a word of 64 bits in a release build, 100 ns in a debug build.
  package static func read(_ text: UnsafeBufferPointer<UInt8>) -> FlatMemory {
    guard var next = text.baseAddress, text.count >= digitCount else { return FlatMemory(copying: ContiguousArray<UInt8>()) }
    let count = Int(word(&next))
    let wordCount = (count &+ 7) / 8
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(8 * wordCount, 16), alignment: 16)
    let words = bytes.bindMemory(to: UInt64.self, capacity: wordCount)
    var place = 0
    // Plain loops over pointers, since apps open stores in debug builds too.
    while place < wordCount {
      let end = min(place &+ 64, wordCount)
      var mask = word(&next)
      while place < end {
        words[place] = mask & 1 == 0 ? 0 : word(&next)
        mask = mask &>> 1
        place = place &+ 1
      }
    }
    precondition(next == text.baseAddress.unsafelyUnwrapped + text.count, "a packed text is cut off")
    return FlatMemory(bytes, count: count) { start, _ in start.deallocate() }
  }

  /// Reads ten digits and moves past them.
  @inline(__always)
  private static func word(_ text: inout UnsafePointer<UInt8>) -> UInt64 {
    let high = half(text)
    let low = half(text + 5)
    text = text + digitCount
    return (high &<< 32 | low).littleEndian
  }

  @inline(__always)
  private static func half(_ text: UnsafePointer<UInt8>) -> UInt64 {
    let digits =
      (((UInt64(text[0]) &* 85 &+ UInt64(text[1])) &* 85 &+ UInt64(text[2])) &* 85 &+ UInt64(text[3])) &* 85 &+ UInt64(text[4])
    return digits &- 36 &* 52_822_061  // 85⁴ + 85³ + 85² + 85 + 1 times the first digit.
  }
}
