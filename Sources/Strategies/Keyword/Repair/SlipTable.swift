import AisleCore

/// Finds the known word that a slip of the hand made an unknown one of (a letter left out, added, mistaken, or swapped with its
/// neighbour), or that was written without its vowels.
///
/// Two words are one slip apart when they are the same after a letter is left out of either or both (Garbe: SymSpell, 2012), so a
/// word costs one probe a letter and no comparison with the vocabulary. The first letter is taken to be right. Where several words
/// would do, the one that stands in most keywords is taken.
struct SlipTable {
  /// 32 bits of the hash of a word with a letter missing, of its consonants, or of the word itself; its word's number. 0 is an empty
  /// row.
  typealias Row = UInt64

  /// The lengths of words, as they are written, that slips are found in; in shorter ones a letter makes another word too easily.
  static let slipLengths = 5...24
  /// The lengths of their singulars.
  private static let singularLengths = 4...24
  /// The length up to which a rare word is not what an unknown one was meant to be.
  private static let longestName = 6
  /// The lengths of words without vowels.
  static let skeletonLengths = 3...10

  private let rows: UnsafePointer<Row>
  private let mask: Int
  private let filter: HashFilter
  private let wordCount: UInt32

  /// - Parameter wordCount: The largest number of a word: a row that names another one, in a table from elsewhere, counts for nothing.
  init(_ table: FlatTable<Row>, _ filter: FlatTable<UInt64>, wordCount: Int) {
    rows = table.address
    mask = table.count - 1
    self.filter = HashFilter(filter)
    self.wordCount = UInt32(clamping: wordCount)
  }

  /// The number of the word that lower-case letters, a singular, are one slip away from.
  func slip(_ letters: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard Self.singularLengths.contains(letters.count) else { return nil }
    var found: UInt32?
    Self.forEachSlip(letters) { hash in
      found = find(hash)
      return found == nil
    }
    return found
  }

  /// The number of the word whose consonants lower-case letters are, or would be without their vowels.
  func word(ofSkeleton letters: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let count = letters.count - letters.dropFirst().count(where: Self.isVowel)
    return Self.skeletonLengths.contains(count) ? find(Self.skeletonHash(letters, isDoubled: true)) : nil
  }

  /// How many words the filter of a table with so many rows has; about half of them are empty.
  static func filterSize(rowCount: Int) -> Int { HashFilter.wordCount(rowCount / 2) }

  static func isVowel(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"): true
    default: false
    }
  }

  /// The hashes of a word, and of it without each of its letters but the first, until `body` gives `false`.
  ///
  /// A word's hash is the sum of its letters, each times a power of the base, so that all take one pass together.
  @inline(__always)
  private static func forEachSlip(_ letters: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Bool) {
    let base: UInt64 = 0x100_0000_01B3
    // The letters behind the gap, as they stand without it.
    var behind: UInt64 = 0
    for letter in letters.dropFirst().reversed() { behind = (behind &+ UInt64(letter)) &* base }
    var before = UInt64(letters[0])
    guard body(mix(before &+ behind)) else { return }
    behind = 0
    for letter in letters.dropFirst(2).reversed() { behind = (behind &+ UInt64(letter)) &* base }
    var power = base
    for gap in 1..<letters.count {
      guard body(mix(before &+ behind)) else { return }
      before &+= UInt64(letters[gap]) &* power
      if gap + 1 < letters.count { behind &-= UInt64(letters[gap + 1]) &* power }
      power &*= base
    }
  }

  /// The hash of the first letter and the consonants after it, each of two equal neighbours or one of them.
  private static func skeletonHash(_ letters: UnsafeBufferPointer<UInt8>, isDoubled: Bool) -> UInt64 {
    var hash: UInt64 = 0x8422_2325_CBF2_9CE4  // Not where the hashes of words begin.
    for place in letters.indices where place == 0 || !isVowel(letters[place]) {
      if !isDoubled, place > 0, letters[place] == letters[place - 1] { continue }
      hash = (hash ^ UInt64(letters[place])) &* 0x100_0000_01B3
    }
    return mix(hash)
  }

  private static func mix(_ hash: UInt64) -> UInt64 {
    let hash = (hash ^ hash &>> 29) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash &>> 32
  }

  private func find(_ hash: UInt64) -> UInt32? {
    if filter.mayHold(hash) == 0 { return nil }
    // A search never goes round: a table from elsewhere may be full.
    for step in 0...mask {
      let row = rows[(Int(truncatingIfNeeded: hash) &+ step) & mask]
      if row == 0 { return nil }
      if row >> 32 == hash >> 32 {
        let number = UInt32(truncatingIfNeeded: row)
        return 1...wordCount ~= number ? number : nil
      }
    }
    return nil
  }

  /// Makes the table.
  struct Builder {
    private(set) var rows: ContiguousArray<Row>

    /// The `HashFilter` of the rows, which keep as much of a hash as it looks at.
    var filter: ContiguousArray<UInt64> {
      HashFilter.table(of: rows.lazy.filter { $0 != 0 }.map { $0 & 0xFFFF_FFFF_0000_0000 }, count: rows.count / 2)
    }

    /// - Parameter capacity: How many letters will be added in all.
    init(capacity: Int) {
      let bits = max(4, Int.bitWidth - (3 * capacity / 2).leadingZeroBitCount)
      rows = .init(repeating: 0, count: 1 << bits)
    }

    /// Adds the lower-case letters of a word's singular; what looks like one added before is left out.
    ///
    /// - Parameter isRare: Whether few keywords have the word; a short one then is no likelier what was meant than any name.
    mutating func add(_ letters: [UInt8], number: UInt32, isRare: Bool) {
      letters.withUnsafeBufferPointer { letters in
        if SlipTable.singularLengths.contains(letters.count), !isRare || letters.count > SlipTable.longestName {
          SlipTable.forEachSlip(letters) { hash in
            insert(hash, number)
            return true
          }
        }
        if letters.count > 3, letters.dropFirst().contains(where: SlipTable.isVowel) {
          insert(SlipTable.skeletonHash(letters, isDoubled: true), number)
          insert(SlipTable.skeletonHash(letters, isDoubled: false), number)
        }
      }
    }

    private mutating func insert(_ hash: UInt64, _ number: UInt32) {
      let mask = rows.count - 1
      var slot = Int(truncatingIfNeeded: hash) & mask
      while rows[slot] != 0 {
        if rows[slot] >> 32 == hash >> 32 { return }
        slot = (slot + 1) & mask
      }
      rows[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(number)
    }
  }
}
