import AisleCore

/// Finds the keyword that a single slip of the hand made an unknown word of: a letter left out, added, mistaken, or swapped with its
/// neighbour.
///
/// It is asked only where nothing in an item is known, so it never turns one good into another. Two words are one slip apart when they
/// are the same after a letter is left out of either or both (Garbe: SymSpell, 2012), so a word costs one probe a letter and no
/// comparison with the vocabulary. The first letter is taken to be right.
struct TypoCorrector {
  /// 32 bits of the hash of a keyword with a letter missing, or of the keyword itself; its word's place plus one. 0 is an empty row.
  typealias Row = UInt64

  /// The lengths of words that are corrected; in shorter ones a letter makes another word too easily.
  private static let lengths = 5...24

  private let rows: UnsafePointer<Row>
  private let mask: Int
  private let wordCount: UInt32

  /// - Parameter wordCount: The number of places in the word table: a row that names another one, in a table from elsewhere, counts
  ///   for nothing.
  init(_ gaps: FlatTable<Row>, wordCount: Int) {
    rows = gaps.address
    mask = gaps.count - 1
    self.wordCount = UInt32(clamping: wordCount)
  }

  /// Whether a folded word is one that typos may be corrected in or to.
  static func mayCorrect(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    lengths.contains(word.count) && word.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
  }

  /// The place of the word that is meant, or `nil`.
  func correct(_ word: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard Self.mayCorrect(word) else { return nil }
    let letters = Words.singular(ofFolded: word)
    if let place = find(Self.hash(letters, without: nil)) { return place }
    for gap in 1..<letters.count {
      if let place = find(Self.hash(letters, without: gap)) { return place }
    }
    return nil
  }

  private static func hash(_ letters: [UInt8], without gap: Int?) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for (place, letter) in letters.enumerated() where place != gap { hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash &>> 29) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash &>> 32
  }

  private func find(_ hash: UInt64) -> UInt32? {
    // A search never goes round: a table from elsewhere may be full.
    for step in 0...mask {
      let row = rows[(Int(truncatingIfNeeded: hash) &+ step) & mask]
      if row == 0 { return nil }
      if row >> 32 == hash >> 32 {
        let place = UInt32(truncatingIfNeeded: row) &- 1
        return place < wordCount ? place : nil
      }
    }
    return nil
  }

  /// Makes the table.
  struct TableBuilder {
    private(set) var rows: ContiguousArray<Row>

    /// - Parameter capacity: How many letters will be added in all.
    init(capacity: Int) {
      let bits = max(4, Int.bitWidth - (3 * capacity / 2).leadingZeroBitCount)
      rows = .init(repeating: 0, count: 1 << bits)
    }

    /// Adds a keyword; what looks like one added before is left out.
    mutating func add(_ letters: [UInt8], place: UInt32) {
      insert(TypoCorrector.hash(letters, without: nil), place)
      for gap in 1..<letters.count { insert(TypoCorrector.hash(letters, without: gap), place) }
    }

    private mutating func insert(_ hash: UInt64, _ place: UInt32) {
      let mask = rows.count - 1
      var slot = Int(truncatingIfNeeded: hash) & mask
      while rows[slot] != 0 {
        if rows[slot] >> 32 == hash >> 32 { return }
        slot = (slot + 1) & mask
      }
      rows[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(place + 1)
    }
  }
}
