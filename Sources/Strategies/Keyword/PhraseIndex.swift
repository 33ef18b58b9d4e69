import AisleCore

/// The keywords of a taxonomy as a trie over words, laid out for one pass over an item.
///
/// Two tables of eight-byte rows hold it all: one row a word, one row a longer phrase, each with the keyword that ends there. Rows are found
/// by perfect hashes, so that a lookup touches one of them and both tables stay near the processor: memory is what an item waits for.
/// A row is recognized by a part of its hash, so that a strange word passes for a known one about once in 10⁸ times.
final class PhraseIndex: Sendable {
  /// What ends at a word or phrase, and whether a longer one goes on from it.
  struct Row: BitwiseCopyable {
    /// From the lowest: the ending (29 bits), or where it is among `Tables.doubles`; whether it is there; whether phrases go on; an unused
    /// one; the tag (32 bits), part of the hash and odd, so that 0 is an empty row. Of a word's tag the upper 5 bits are its role.
    let bits: UInt64

    static let empty = Row(bits: 0)
    /// A row for a word that a store does not know.
    static let unknown = Row(Ending.none.rawValue, tag: 0)

    private init(bits: UInt64) { self.bits = bits }

    init(_ ending: UInt32, isDouble: Bool = false, goesOn: Bool = false, tag: UInt32) {
      bits = UInt64(ending & Ending.none.rawValue) | (isDouble ? 1 << 29 : 0) | (goesOn ? 1 << 30 : 0) | UInt64(tag) << 32
    }

    /// A word's row for another spelling of it, which leads to the word's number.
    init(aliasOf number: UInt32, tag: UInt32) { self.init(number, tag: tag | UInt32(PhraseIndex.aliasRole) << 27) }

    /// The same row with another ending if `changes` is 1, as it is if that is 0: without a branch, since either is not to be foreseen.
    @inline(__always)
    func ending(_ ending: Ending, if changes: UInt64) -> Row {
      let mask = UInt64(Ending.none.rawValue) & (0 &- changes)
      return Row(bits: bits & ~mask | UInt64(ending.rawValue) & mask)
    }

    @inline(__always) var tag: UInt32 { UInt32(truncatingIfNeeded: bits &>> 32) }
    @inline(__always) var role: Int { Int(truncatingIfNeeded: bits &>> 59) }
    @inline(__always) var ending: Ending { Ending(rawValue: UInt32(truncatingIfNeeded: bits) & Ending.none.rawValue) }
    @inline(__always) var isDouble: Bool { bits &>> 29 & 1 == 1 }
    /// 1 where phrases go on, else 0.
    @inline(__always) var goesOn: UInt64 { bits &>> 30 & 1 }
  }

  /// A keyword with what the choice between keywords needs of it, in 29 bits.
  struct Ending: BitwiseCopyable, Equatable {
    let rawValue: UInt32

    static let none = Ending(rawValue: 0x1FFF_FFFF)

    fileprivate init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ keyword: Int, _ entry: KeywordTable.Entry) {
      rawValue = UInt32(keyword) | UInt32(entry.section) << 19 | UInt32(entry.strength) << 27
    }

    /// The bits of a section.
    static func bits(ofSection section: UInt8) -> UInt32 { UInt32(section) << 19 }

    /// The same ending for a section, by its bits, with another number for the keyword, modulo 2³²; none where the bits are those of `none`.
    @inline(__always)
    func moved(toSection bits: UInt32, by shift: UInt32) -> Ending {
      Ending(rawValue: rawValue & 0x1800_0000 | bits | (rawValue &+ shift) & 0x7FFFF)
    }

    /// The bits that it has, whatever a damaged file says.
    @inline(__always) var masked: Ending { Ending(rawValue: rawValue & Self.none.rawValue) }
    @inline(__always) var keyword: KeywordID { KeywordID(rawValue: rawValue & 0x7FFFF) }
    @inline(__always) var section: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 19) }
    @inline(__always) var strength: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 27) }
  }

  /// Endings of a word or phrase whose singular and plural are keywords of their own.
  struct Double: BitwiseCopyable {
    let singular: Ending
    let plural: Ending
  }

  /// The tables of an index, as `PhraseIndexBuilder` makes them and a file holds them.
  struct Tables {
    var words: FlatTable<Row>
    var phrases: FlatTable<Row>
    /// The pilots of the perfect hashes of both.
    var wordPilots: FlatTable<UInt8>
    var phrasePilots: FlatTable<UInt8>
    var doubles: FlatTable<Double>
    /// The `HashFilter` of the phrases: most pairs of words are none.
    var filter: FlatTable<UInt64>
    /// What words look like with a letter missing, and without vowels.
    var slips: SlipSource
    /// The roles that words have, by the number in their rows.
    var roles: FlatTable<UInt32>
    /// The multipliers of the two hashes.
    var seeds: FlatTable<UInt64>
    /// The words that only sections' own keywords hold.
    var ownWords: FlatTable<OwnWord>
    /// The numbers of the words that the taxonomy's moves go by.
    var moveWords: FlatTable<UInt32>
  }

  /// A word of a section's own keyword that stands on no shelf: a store that lacks the section does not know it.
  struct OwnWord: BitwiseCopyable {
    let number: UInt32
    let section: UInt32
  }

  let taxonomy: Taxonomy
  let tables: Tables
  let moves: MoveTable
  /// How much a keyword counts: a row a strength (descriptor, flavor, good, decisive), a column a zone.
  let weights: FlatTable<UInt32>
  /// How likely a winner is right, by the number of its `PhraseEvidence`.
  let confidences: FlatTable<Float>

  /// The languages that it is read in.
  let languages: LanguageTable
  private let keywordCount: UInt32
  private let sectionCount: Int

  /// Whether an ending's keyword and section are the taxonomy's, as they are but in a damaged file.
  @inline(__always)
  func holds(_ ending: Ending) -> Bool {
    ending.keyword.rawValue < keywordCount && Int(ending.section) < sectionCount
  }

  /// How many roles there may be, the alias's included.
  static let roleCount = 32
  /// The role of another spelling.
  static let aliasRole: Int = 31

  /// - Parameters:
  ///   - weights: What to weigh keywords with; the taxonomy's own when left out.
  ///   - numbersEvidence: Whether confidences are evidences' numbers instead: see `PhraseEvidence.init(numbered:)`.
  init(
    _ taxonomy: Taxonomy, _ tables: Tables, weights: PhraseWeights? = nil, numbersEvidence: Bool = false
  ) {
    self.taxonomy = taxonomy
    self.tables = tables
    languages = LanguageTable(taxonomy.languages)
    keywordCount = UInt32(taxonomy.keywords.count)
    sectionCount = taxonomy.sections.count
    moves = MoveTable(taxonomy, words: tables.moveWords)
    let settled = weights ?? taxonomy.weights
    self.weights = FlatTable(ContiguousArray(settled.weights.joined().map { UInt32($0) }))
    confidences = FlatTable(numbersEvidence ? PhraseEvidence.numbers : PhraseEvidence.confidences(settled))
  }

  /// The keys of the words that moves go by: the last of each, so that "in oil" goes by "oil". An apostrophe cuts none, in any language.
  static func keys(of moves: [Move]) -> [UInt64] {
    let scanner = Words()
    return moves.map { move in
      scanner.scan(move.word)
      return scanner.count == 0 ? 0 : scanner.keys[scanner.count - 1]
    }
  }

  /// The tables' addresses and sizes, at hand in registers.
  ///
  /// A word is known by its number, which is its place in the table plus one; 0 is an unknown word.
  struct Finder {
    private let words: UnsafePointer<Row>
    private let phrases: UnsafePointer<Row>
    private let wordHash: PerfectHash
    private let phraseHash: PerfectHash
    private let doubles: UnsafePointer<Double>
    private let doubleCount: UInt32
    private let roles: UnsafePointer<UInt32>
    private let filter: HashFilter
    private let wordSeed: UInt64
    private let phraseSeed: UInt64
    private let wordCount: UInt32

    init(_ tables: Tables) {
      words = tables.words.address
      phrases = tables.phrases.address
      wordHash = PerfectHash(tables.wordPilots, placeCount: tables.words.count)
      phraseHash = PerfectHash(tables.phrasePilots, placeCount: tables.phrases.count)
      doubles = tables.doubles.address
      doubleCount = UInt32(tables.doubles.count)
      filter = HashFilter(tables.filter)
      roles = tables.roles.address
      (wordSeed, phraseSeed) = (tables.seeds[0], tables.seeds[1])
      wordCount = UInt32(tables.words.count)
    }

    /// The number of a word, 0 for an unknown one.
    @inline(__always)
    func word(_ key: UInt64) -> UInt32 {
      let hash = PhraseIndex.hash(ofWord: key, wordSeed)
      let place = wordHash.place(hash)
      let row = words[Int(place)]
      let isKnown = row.tag & PhraseIndex.wordTags == PhraseIndex.tag(ofWord: hash)
      if row.role == PhraseIndex.aliasRole, isKnown {
        // A damaged file may say anything.
        let number = row.ending.rawValue
        return number <= wordCount && self.row(number).role != PhraseIndex.aliasRole ? number : 0
      }
      return isKnown ? place &+ 1 : 0
    }

    /// The row of a word by its number; an unknown word has some row too.
    @inline(__always)
    func row(_ number: UInt32) -> Row { words[Int(max(number, 1) &- 1)] }

    /// What a word does, by its number.
    @inline(__always)
    func roles(_ number: UInt32) -> UInt32 { number == 0 ? 0 : roles[row(number).role] }

    /// The row of the phrase that goes on with a word from another; `nil` where there is none, or `isTogether` is 0.
    ///
    /// - Parameter hash: The other phrase's, or a word's number; becomes this phrase's.
    @inline(__always)
    func next(_ row: Row, _ hash: inout UInt64, _ word: UInt32, isTogether: UInt64 = 1) -> Row? {
      // Worked out without branches up to here: how far a phrase goes is not to be foreseen.
      hash = PhraseIndex.hash(hash, word, phraseSeed)
      guard row.goesOn & (word == 0 ? 0 : 1) & filter.mayHold(hash) & isTogether == 1 else { return nil }
      return phrase(hash)
    }

    @inline(__always)
    private func phrase(_ hash: UInt64) -> Row? {
      let row = phrases[Int(phraseHash.place(hash))]
      return row.tag == PhraseIndex.tag(ofPhrase: hash) ? row : nil
    }

    /// What ends at a row: of two keywords the one whose form is the word's.
    @inline(__always)
    func ending(_ row: Row, isPlural: Bool) -> Ending {
      if !row.isDouble { return row.ending }
      guard row.ending.rawValue < doubleCount else { return .none }  // A damaged file may say anything.
      let double = doubles[Int(row.ending.rawValue)]
      return (isPlural ? double.plural : double.singular).masked
    }
  }

  /// The bits of a word's tag that are not its role.
  private static let wordTags: UInt32 = 1 << 27 - 1

  @inline(__always)
  static func hash(ofWord key: UInt64, _ seed: UInt64) -> UInt64 { key &* seed }

  /// The part of a word's hash that its row keeps.
  @inline(__always)
  static func tag(ofWord hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 12) & wordTags | 1 }

  @inline(__always)
  static func hash(_ from: UInt64, _ word: UInt32, _ seed: UInt64) -> UInt64 {
    let hash = (from &* 0xFF51_AFD7_ED55_8CCD &+ UInt64(word)) &* seed
    return (hash ^ hash &>> 32) &* 0xD6E8_FEB8_6659_FD93
  }

  /// The part of a phrase's hash that its row keeps.
  @inline(__always)
  static func tag(ofPhrase hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) | 1 }
}
