/// Texts, each once, by numbers from 0 in the order they came.
package struct NumberedTexts: Sendable {
  /// The texts' bytes, one after the other.
  private var bytes: [UInt8] = []
  /// Where each text ends in `bytes`.
  private var ends: [Int] = []
  /// A hash table with open addressing: the upper half of a text's hash above its number and 1; 0 where there is none.
  private var slots = [UInt64](repeating: 0, count: 64)

  package init() {}

  /// How many there are.
  package var count: Int { ends.count }

  /// The text of a number.
  package subscript(number: UInt32) -> String { String(decoding: bytes[range(Int(number))], as: UTF8.self) }

  /// All of them, in the order of their numbers.
  package var all: [String] { (0..<UInt32(count)).map { self[$0] } }

  /// For each of these texts, its number among others; `nil` where the others have none such.
  package func numbers(among others: NumberedTexts) -> [UInt32?] {
    var others = others
    let known = others.count
    return ends.indices.map { number in
      let found = others.number(of: bytes[range(number)])
      return found < known ? found : nil
    }
  }

  /// The number of a text, a new one where it has none.
  ///
  /// - Complexity: O(bytes).
  package mutating func number(of text: some Collection<UInt8>) -> UInt32 {
    text.withContiguousStorageIfAvailable { number(of: $0) } ?? Array(text).withUnsafeBufferPointer { number(of: $0) }
  }

  /// The number of a text, a new one where it has none.
  ///
  /// - Complexity: O(bytes).
  package mutating func number(of text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let hash = Self.hash(text)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash >> 32 {
        let number = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) - 1
        if isText(number, text) { return UInt32(number) }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    slots[slot] = Self.slot(hash, count)
    if 2 * count > slots.count { grow() }
    return UInt32(count - 1)
  }

  private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  private func isText(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = range(number)
    if range.count != text.count { return false }
    let (start, text) = (range.lowerBound, UnsafeRawBufferPointer(text))
    return bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= text.count {
        let word = bytes.loadUnaligned(fromByteOffset: start + place, as: UInt64.self)
        if word != text.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
        place += 8
      }
      while place < text.count, bytes[start + place] == text[place] { place += 1 }
      return place == text.count
    }
  }

  private mutating func grow() {
    slots = [UInt64](repeating: 0, count: 2 * slots.count)
    for number in ends.indices {
      let hash = bytes.withUnsafeBufferPointer { Self.hash(UnsafeBufferPointer(rebasing: $0[range(number)])) }
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Self.slot(hash, number + 1)
    }
  }

  private static func slot(_ hash: UInt64, _ count: Int) -> UInt64 { hash & ~0xFFFF_FFFF | UInt64(count) }

  /// A hash of eight bytes at a time: the bytes of a name are many times those of its hash.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(text)
    var hash = UInt64(text.count)
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
    }
    var place = 0
    while place + 8 <= text.count {
      add(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < text.count {
      rest = rest << 8 | UInt64(text[place])
      place += 1
    }
    add(rest)
    return hash &* 0xBF58_476D_1CE4_E5B9 ^ hash >> 29
  }
}
