import AisleCore

/// Finds the known word that a slip of the hand made an unknown one of (a letter left out, added, mistaken, or swapped with its
/// neighbour), or that was written without its vowels.
///
/// Two words are one slip apart when they are the same after a letter is left out of either or both at the same place, or at two
/// neighbouring ones where those letters are swapped (after Garbe: SymSpell, 2012). So a word costs one probe a letter and no comparison
/// with the vocabulary. The first letter is taken to be right. Where several words would do, the likeliest slip is taken, and of those the
/// word that stands in most keywords.
struct SlipTable {
  /// 32 bits of the hash of a word with a letter missing, of its consonants, or of the word itself; and of its word the rank in 3 bits,
  /// the place of that letter in 5, 0 for none, the letter's last 3 bits, and the number in 21. Beside the hash of consonants the place is
  /// the word's vowels, a bit each. 0 is an empty row.
  typealias Row = UInt64

  /// The most words that slips are found of.
  private static let maximumNumber: UInt32 = 1 << 21 - 1

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
  private let words: UnsafePointer<PhraseIndex.Row>
  private let wordCount: UInt32

  /// - Parameter words: The table of words: a row of slips that names none of them counts for nothing.
  init(_ tables: SlipTables, words: FlatTable<PhraseIndex.Row>) {
    rows = tables.rows.address
    mask = tables.rows.count - 1
    filter = HashFilter(tables.filter)
    self.words = words.address
    wordCount = UInt32(clamping: words.count)
  }

  /// A word that was meant, and how likely: greater is likelier.
  struct Guess {
    let number: UInt32
    let likelihood: Int
  }

  /// The word that lower-case letters, a singular, are one slip away from.
  func slip(_ letters: UnsafeBufferPointer<UInt8>) -> Guess? {
    guard Self.singularLengths.contains(letters.count) else { return nil }
    var best: Guess?
    Self.forEachSlip(letters) { hash, gap in
      forEachRow(of: hash) { row in
        guard let kind = Kind(letters, gap, row), kind.likelihood + row.rank > best?.likelihood ?? -1,
          Self.isLikely(kind, letters, gap, row)
        else { return }
        best = Guess(number: row.number, likelihood: kind.likelihood + row.rank)
      }
    }
    return best
  }

  /// Whether it is a slip rather than another word: "whisked" is no whiskey, and hardly any word of four letters is meant by another word.
  private static func isLikely(_ kind: Kind, _ letters: UnsafeBufferPointer<UInt8>, _ gap: Int, _ row: Row) -> Bool {
    let length = letters.count - (gap == 0 ? 0 : 1) + (row.gap == 0 ? 0 : 1)
    if length <= shortestMeant, kind != .doubling, kind != .swapping { return false }
    let ending = inflections.first { $0.count + 2 < letters.count && letters.suffix($0.count).elementsEqual($0) }
    return ending.map { max(gap, row.gap) < letters.count - $0.count } ?? true
  }

  /// Shorter words are meant only where a letter is doubled, or two are swapped.
  private static let shortestMeant = 4
  /// Endings of words that have other forms.
  private static let inflections = ["ing", "est", "ed", "er", "ly", "en"].map { Array($0.utf8) }

  /// What a hand does wrong.
  private enum Kind {
    case doubling, swapping, adding, omitting, mistaking

    /// The slip that makes a row's word of letters, when both are the same without the letters at their gaps; `nil` for two slips.
    init?(_ letters: UnsafeBufferPointer<UInt8>, _ gap: Int, _ row: Row) {
      switch (gap, row.gap) {
      case (0, 0): self = .doubling  // The very word, which is known in another form only.
      case (0, _): self = row.letter == letters[row.gap - 1] & 7 ? .doubling : .omitting
      case (_, 0): self = letters[gap] == letters[gap - 1] ? .doubling : .adding
      case (row.gap, _): self = .mistaking
      case (row.gap - 1, _), (row.gap + 1, _):
        guard row.letter == letters[gap] & 7 else { return nil }
        self = .swapping
      default: return nil
      }
    }

    /// In steps of a rank.
    var likelihood: Int {
      switch self {
      case .doubling, .swapping: 8
      case .adding, .omitting: 4
      case .mistaking: 0
      }
    }
  }

  /// The number of the word whose consonants lower-case letters are, or would be without their vowels. A word loses vowels when it is cut
  /// short, but gains none: `BRGG` is Bragg's, `BURGOO` is not.
  func word(ofSkeleton letters: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let count = letters.count - letters.dropFirst().count(where: Self.isVowel)
    guard Self.skeletonLengths.contains(count) else { return nil }
    let vowels = Self.vowels(of: letters)
    var best: Row?
    forEachRow(of: Self.skeletonHash(letters, isDoubled: true)) { row in
      if vowels & ~row.gap == 0, row.rank > best?.rank ?? -1 { best = row }
    }
    return best?.number
  }

  /// Which vowels stand behind the first letter, a bit each.
  private static func vowels(of letters: UnsafeBufferPointer<UInt8>) -> Int {
    letters.dropFirst().reduce(0) { $0 | vowelBit($1) }
  }

  static func isVowel(_ letter: UInt8) -> Bool { vowelBit(letter) != 0 }

  /// A vowel's own bit, 0 for other letters.
  private static func vowelBit(_ letter: UInt8) -> Int {
    switch letter {
    case UInt8(ascii: "a"): 1
    case UInt8(ascii: "e"): 2
    case UInt8(ascii: "i"): 4
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "u"): 16
    default: 0
    }
  }

  /// The hashes of a word, with 0, and of it without each of its letters but the first, with the letter's place.
  ///
  /// A word's hash is the sum of its letters, each times a power of the base, so that all take one pass together.
  @inline(__always)
  private static func forEachSlip(_ letters: UnsafeBufferPointer<UInt8>, _ body: (UInt64, Int) -> Void) {
    let base: UInt64 = 0x100_0000_01B3
    // The letters behind the gap, as they stand without it.
    var behind: UInt64 = 0
    for letter in letters.dropFirst().reversed() { behind = (behind &+ UInt64(letter)) &* base }
    var before = UInt64(letters[0])
    body(mix(before &+ behind), 0)
    behind = 0
    for letter in letters.dropFirst(2).reversed() { behind = (behind &+ UInt64(letter)) &* base }
    var power = base
    for gap in 1..<letters.count {
      body(mix(before &+ behind), gap)
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

  private func forEachRow(of hash: UInt64, _ body: (Row) -> Void) {
    if filter.mayHold(hash) == 0 { return }
    // A search never goes round: a table from elsewhere may be full.
    for step in 0...mask {
      let row = rows[(Int(truncatingIfNeeded: hash) &+ step) & mask]
      if row == 0 { return }
      if row >> 32 == hash >> 32, 1...wordCount ~= row.number, words[Int(row.number) - 1].tag != 0 { body(row) }
    }
  }

  /// Makes the table.
  struct Builder {
    private(set) var rows: ContiguousArray<Row>

    /// - Parameter capacity: How many letters will be added in all.
    init(capacity: Int) {
      let bits = max(4, Int.bitWidth - (3 * capacity / 2).leadingZeroBitCount)
      rows = .init(repeating: 0, count: 1 << bits)
    }

    /// Adds the lower-case letters of a word's singular; what looks like one added before is left out.
    ///
    /// - Parameter uses: How many keywords have the word.
    /// - Parameter isRare: Whether those are few; a short word then is no likelier what was meant than any name.
    mutating func add(_ letters: [UInt8], number: UInt32, uses: UInt32, isRare: Bool) {
      guard number <= SlipTable.maximumNumber else { return }
      let rank = Row.rank(uses)
      letters.withUnsafeBufferPointer { letters in
        if SlipTable.singularLengths.contains(letters.count), !isRare || letters.count > SlipTable.longestName {
          SlipTable.forEachSlip(letters) { hash, gap in
            insert(Row(hash, rank: rank, gap: gap, letter: gap == 0 ? 0 : letters[gap], number: number), hash)
          }
        }
        let vowels = SlipTable.vowels(of: letters)
        if letters.count > 3, vowels != 0 {
          for isDoubled in [true, false] {
            let hash = SlipTable.skeletonHash(letters, isDoubled: isDoubled)
            insert(Row(hash, rank: rank, gap: vowels, letter: 0, number: number), hash)
          }
        }
      }
    }

    private mutating func insert(_ row: Row, _ hash: UInt64) {
      let mask = rows.count - 1
      var slot = Int(truncatingIfNeeded: hash) & mask
      while rows[slot] != 0 {
        if rows[slot].isLike(row) { return }
        slot = (slot + 1) & mask
      }
      rows[slot] = row
    }
  }
}

extension SlipTable.Row {
  fileprivate init(_ hash: UInt64, rank: UInt64, gap: Int, letter: UInt8, number: UInt32) {
    self = hash & 0xFFFF_FFFF_0000_0000 | rank << 29 | UInt64(gap & 31) << 24 | UInt64(letter & 7) << 21 | UInt64(number)
  }

  /// 0…7, a step for twice as many uses from 3 on.
  fileprivate static func rank(_ uses: UInt32) -> UInt64 {
    let steps = UInt32.bitWidth - (uses / 3).leadingZeroBitCount
    return UInt64(Swift.min(steps, 7))
  }

  fileprivate var rank: Int { Int(truncatingIfNeeded: self >> 29) & 7 }
  fileprivate var gap: Int { Int(truncatingIfNeeded: self >> 24) & 31 }
  fileprivate var letter: UInt8 { UInt8(truncatingIfNeeded: self >> 21) & 7 }
  fileprivate var number: UInt32 { UInt32(truncatingIfNeeded: self) & (1 << 21 - 1) }

  /// Whether two rows can be told apart by their ranks and numbers only.
  fileprivate func isLike(_ other: Self) -> Bool {
    let looks: UInt64 = 0xFFFF_FFFF_1FE0_0000
    return self & looks == other & looks
  }
}
