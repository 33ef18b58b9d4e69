import AisleCore

/// Words that say how much of an item is wanted, not what: `oat milk` and `2 cartons of oat milk` are the same product. See `measures.txt`.
struct MeasureWords: Sendable {
  static let shared = MeasureWords(PackageResources.measures_txt)

  /// Keys by their lowest bits, 0 for none; open addressing.
  private let slots: FlatTable<UInt64>
  /// The keys of words that hold the product before `of`, or in the plural after a number, and name another one elsewhere.
  private let holders: FlatTable<UInt64>
  private let of: UInt64

  private static let slotCount = 2048

  private init(_ text: [UInt8]) {
    let words = Words()
    var slots = ContiguousArray<UInt64>(repeating: 0, count: Self.slotCount)
    var holders: ContiguousArray<UInt64> = []
    for line in text.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let padded = line + [UInt8](repeating: 0, count: Batch.padding)
      padded.withUnsafeBufferPointer { if let base = $0.baseAddress { words.scan(base, count: line.count) } }
      // The first word is a language.
      for key in UnsafeBufferPointer(start: words.keys, count: words.count).dropFirst() {
        if line.starts(with: "holds ".utf8) { holders.append(key) }
        var slot = Self.slot(of: key)
        while slots[slot] != 0, slots[slot] != key { slot = (slot + 1) & (Self.slotCount - 1) }
        slots[slot] = key
      }
    }
    (self.slots, self.holders) = (FlatTable(slots), FlatTable(holders))
    of = words.key(ofWord: Array("of".utf8))
  }

  private static func slot(of key: UInt64) -> Int { Int(truncatingIfNeeded: key &>> 16) & (slotCount - 1) }

  /// Whether a word of an item says how much.
  @inline(__always)
  func contains(_ word: Int, of words: Words) -> Bool {
    if words.marks[word].contains(.digit) { return true }
    let (key, slots) = (words.keys[word], slots.address)
    var slot = Self.slot(of: key)
    while slots[slot] != 0 {
      if slots[slot] == key { return !isHolder(key) || holdsProduct(word, words) }
      slot = (slot &+ 1) & (Self.slotCount &- 1)
    }
    return false
  }

  /// Whether a word with this key holds a product, and is one too: `bottle`.
  func isHolder(_ key: UInt64) -> Bool { holders.contains(key) }

  /// Whether a word that may be a product says how much of another: `bottle of water`, `2 bottles water`.
  private func holdsProduct(_ word: Int, _ words: Words) -> Bool {
    guard word + 1 < words.count else { return false }
    if words.keys[word + 1] == of { return word + 2 < words.count }
    return word > 0 && words.marks[word].contains(.plural) && words.marks[word - 1].contains(.digit)
  }
}
