/// Bytes as printable text, so that they can be compiled in as a string literal and read without Foundation.
///
/// The bytes are taken as little-endian words of 64 bits, each written as eleven digits of six bits, the lowest first. A digit is the lower
/// six bits of a character (`@`…`~` and `?`, which leave out the quotation mark and the number sign). Zeros cost nothing: after the number of
/// bytes, every 64 words are preceded by one that has a bit for each word that is not 0, and only those follow. One word more is at the end,
/// since reading looks ahead.
package enum PackedText {
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
    append(0, to: &text)
    return text
  }

  private static func append(_ word: UInt64, to text: inout [UInt8]) {
    for digit in 0..<digitCount {
      let bits = UInt8(word >> UInt64(6 * digit) & 63)
      text.append(bits == 63 ? UInt8(ascii: "?") : UInt8(ascii: "@") | bits)
    }
  }

  /// How many bytes a text that `write` made stands for.
  package static func byteCount(_ text: StaticString) -> Int { Int(word(text.utf8Start)) }

  /// The bytes of a text that `write` made.
  ///
  /// - Parameter change: Makes of them what is wanted, in their place.
  /// - Complexity: O(bytes); some 2 ns a word of 64 bits in a release build.
  package static func read(
    _ text: StaticString, change: (UnsafeMutableRawPointer) -> Void = { _ in }
  ) -> FlatMemory {
    text.withUTF8Buffer { read($0, change: change) }
  }

  package static func read(
    _ text: UnsafeBufferPointer<UInt8>, change: (UnsafeMutableRawPointer) -> Void = { _ in }
  ) -> FlatMemory {
    guard let start = text.baseAddress, text.count >= 2 * digitCount else { return FlatMemory(copying: ContiguousArray<UInt8>()) }
    let count = Int(word(start))
    var next = start + digitCount
    let wordCount = (count &+ 7) / 8
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(8 * wordCount, 16), alignment: 16)
    let words = bytes.bindMemory(to: UInt64.self, capacity: wordCount)
    var place = 0
    // Plain loops over pointers, since apps open stores in debug builds too.
    while place < wordCount {
      let end = min(place &+ 64, wordCount)
      var mask = word(next)
      next = next + digitCount
      while place < end {
        // Without a branch, since which words are 0 is not to be foreseen.
        let isThere = mask & 1
        words[place] = word(next) & (0 &- isThere)
        next = next + digitCount &* Int(truncatingIfNeeded: isThere)
        mask = mask &>> 1
        place = place &+ 1
      }
    }
    precondition(next + digitCount == start + text.count, "a packed text is cut off")
    change(bytes)
    return FlatMemory(bytes, count: count) { start, _ in start.deallocate() }
  }

  /// The word of eleven digits.
  @inline(__always)
  private static func word(_ text: UnsafePointer<UInt8>) -> UInt64 {
    // Eight digits at once: side by side in pairs, then in fours, then all.
    let digits = UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
    let pairs = digits & 0x003F_003F_003F_003F | digits &>> 2 & 0x0FC0_0FC0_0FC0_0FC0
    let fours = pairs & 0x0000_0FFF_0000_0FFF | pairs &>> 4 & 0x00FF_F000_00FF_F000
    let low = fours & 0xFF_FFFF | fours &>> 8 & 0xFFFF_FF00_0000
    let high = UInt64(text[8]) & 63 | (UInt64(text[9]) & 63) &<< 6 | (UInt64(text[10]) & 63) &<< 12
    return (low | high &<< 48).littleEndian
  }
}

extension FlatTable {
  /// The elements of a packed text.
  ///
  /// - Parameter change: Makes of them what is wanted, in their place.
  package init(packed text: StaticString, change: (UnsafeMutablePointer<Element>, Int) -> Void = { _, _ in }) {
    let count = PackedText.byteCount(text) / MemoryLayout<Element>.stride
    let memory = PackedText.read(text) { change($0.bindMemory(to: Element.self, capacity: count), count) }
    self.init(memory, at: 0, count: count)
  }
}
