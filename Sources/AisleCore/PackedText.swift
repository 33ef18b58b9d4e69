/// Bytes as printable text, so that they can be compiled in as a string literal and read without Foundation.
///
/// The bytes are taken as little-endian words of 64 bits, each written as eleven digits of six bits, the lowest first (`$`…`c`, which leave
/// out the quotation mark and the number sign). Zeros cost nothing: after the number of bytes, every 64 words are preceded by one that
/// has a bit for each word that is not 0, and only those follow.
package enum PackedText {
  private static let firstDigit = UInt8(ascii: "$")
  private static let digitCount = 11

  /// The text of some bytes: 1.4 characters a byte, zeros left out.
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
    for digit in 0..<digitCount { text.append(firstDigit + UInt8(word >> UInt64(6 * digit) & 63)) }
  }

  /// The bytes of a text that `write` made.
  ///
  /// - Complexity: O(bytes); some 2 ns a word of 64 bits in a release build.
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

  /// Reads eleven digits and moves past them.
  @inline(__always)
  private static func word(_ text: inout UnsafePointer<UInt8>) -> UInt64 {
    // Eight digits at once: side by side in pairs, then in fours, then all.
    let digits = UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self)) &- 0x2424_2424_2424_2424
    let pairs = digits & 0x003F_003F_003F_003F | digits &>> 2 & 0x0FC0_0FC0_0FC0_0FC0
    let fours = pairs & 0x0000_0FFF_0000_0FFF | pairs &>> 4 & 0x00FF_F000_00FF_F000
    let low = fours & 0xFF_FFFF | fours &>> 8 & 0xFFFF_FF00_0000
    let high = UInt64(text[8] &- firstDigit) | UInt64(text[9] &- firstDigit) &<< 6 | UInt64(text[10] &- firstDigit) &<< 12
    text = text + digitCount
    return (low | high &<< 48).littleEndian
  }
}
