import AisleCore

/// The keywords of a taxonomy as a trie over words, laid out for one pass over an item.
///
/// Two open-addressing tables of 16-byte rows hold it all: one row a word, one row a longer phrase, each with the keywords that end
/// there. An item costs one cache line a word, and one more for each phrase that goes on; a filter keeps it from looking for those that do not. A row is recognized by a part of its hash:
/// with the row's place that makes 40 bits or more, so that a strange word passes for a known one about once in 10⁸ times.
final class PhraseIndex: Sendable {
  /// What ends at a word or phrase, and what may follow it.
  struct Row: BitwiseCopyable {
    /// Part of the hash; odd, so that 0 is an empty row. In the word table the lowest bits but one hold the word's role.
    var tag: UInt32 = 0
    /// The keyword that ends here in its singular.
    var singular = Ending.none
    /// The keyword that ends here in its plural.
    var plural = Ending.none
    /// A bit for each next word's number modulo 32: a zero bit says that no phrase goes on with the word.
    var next: UInt32 = 0
  }

  /// A keyword with what the choice between keywords needs of it, in 29 bits.
  struct Ending: BitwiseCopyable, Equatable {
    let rawValue: UInt32

    static let none = Ending(rawValue: .max)

    private init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ keyword: Int, _ entry: KeywordTable.Entry) {
      rawValue = UInt32(keyword) | UInt32(entry.section) << 19 | UInt32(entry.strength) << 27
    }

    @inline(__always) var keyword: KeywordID { KeywordID(rawValue: rawValue & 0x7FFFF) }
    @inline(__always) var section: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 19) }
    @inline(__always) var strength: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 27) & 3 }
  }

  /// The tables of an index, as `PhraseIndexBuilder` makes them and a file holds them.
  struct Tables {
    var words: FlatTable<Row>
    var phrases: FlatTable<Row>
    /// `filterBits` bits for each row of `phrases`, found by the beginning of a phrase's hash: a zero bit says that there is no such
    /// phrase. It fits where the rows do not, near the processor, and most pairs of words are no phrase.
    var filter: FlatTable<UInt64>
    /// What words look like with a letter missing, and without vowels: see `SlipTable`.
    var slips: FlatTable<SlipTable.Row>
    /// The roles that words have, by the number in their rows.
    var roles: FlatTable<UInt32>
    /// The multipliers of the two hashes.
    var seeds: FlatTable<UInt64>
  }

  let taxonomy: Taxonomy
  let tables: Tables
  let moves: MoveTable
  /// How much a keyword counts: a row a strength (descriptor, flavor, good, decisive), a column a zone.
  let weights: FlatTable<UInt32>
  /// How likely a winner is right, by the number of its `PhraseEvidence`.
  let confidences: FlatTable<Float>

  private let keywordCount: UInt32
  private let sectionCount: Int

  /// Whether an ending's keyword and section are the taxonomy's, as they are but in a damaged file.
  @inline(__always)
  func holds(_ ending: Ending) -> Bool {
    ending.keyword.rawValue < keywordCount && Int(ending.section) < sectionCount
  }

  /// Marks the place of a phrase, to tell it from a word's.
  static let phraseBit: UInt32 = 1 << 31
  /// How many bits of the filter there are for a row of the phrase table.
  static let filterBits = 4
  /// How many roles there may be, the alias's included.
  static let roleCount = 32
  /// The role of another spelling; its row's `next` is the place of the word it stands for.
  static let aliasRole: UInt32 = 31

  /// - Parameters:
  ///   - weights: What to weigh keywords with; the taxonomy's own when left out.
  ///   - numbersEvidence: Whether confidences are evidences' numbers instead: see `PhraseEvidence.init(numbered:)`.
  init(_ taxonomy: Taxonomy, _ tables: Tables, weights: PhraseWeights? = nil, numbersEvidence: Bool = false) {
    self.taxonomy = taxonomy
    self.tables = tables
    keywordCount = UInt32(taxonomy.keywords.count)
    sectionCount = taxonomy.sections.count
    let finder = Finder(tables)
    let scanner = Words()
    moves = MoveTable(taxonomy) { finder.word(scanner.key(ofWord: $0)) }
    let settled = weights ?? taxonomy.weights
    self.weights = FlatTable(ContiguousArray(settled.weights.joined().map { UInt32($0) }))
    confidences = FlatTable(numbersEvidence ? PhraseEvidence.numbers : PhraseEvidence.confidences(settled))
  }

  /// The word that a move goes by, in normalized bytes: its last, so that "in oil" goes by "oil".
  static func keyWord(of move: Move) -> [UInt8] {
    // Most are normalized as they stand, and every run asks for all of them.
    let blank = UInt8(ascii: " ")
    let isNormalized = move.word.utf8.allSatisfy { $0 == blank || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    if isNormalized { return Array(move.word.utf8.split(separator: blank).last ?? "".utf8[...]) }
    return Array((Normalizer.normalize(move.word).split(separator: " ").last ?? "").utf8)
  }

  /// The tables' addresses and sizes, at hand in registers.
  struct Finder {
    let words: UnsafePointer<Row>
    let phrases: UnsafePointer<Row>
    let roles: UnsafePointer<UInt32>
    private let filter: UnsafePointer<UInt64>
    private let filterShift: UInt64
    private let wordSeed: UInt64
    private let wordShift: UInt64
    private let wordMask: UInt32
    private let phraseSeed: UInt64
    private let phraseShift: UInt64
    private let phraseMask: UInt32

    init(_ tables: Tables) {
      // The tables are never empty; see `PhraseIndexBuilder.bits`.
      words = tables.words.address
      phrases = tables.phrases.address
      filter = tables.filter.address
      filterShift = UInt64(64 - (tables.filter.count * 64).trailingZeroBitCount)
      roles = tables.roles.address
      (wordSeed, phraseSeed) = (tables.seeds[0], tables.seeds[1])
      wordShift = UInt64(64 - tables.words.count.trailingZeroBitCount)
      wordMask = UInt32(tables.words.count - 1)
      phraseShift = UInt64(64 - tables.phrases.count.trailingZeroBitCount)
      phraseMask = UInt32(tables.phrases.count - 1)
    }

    /// The place of a word, or `nil` for an unknown one.
    @inline(__always)
    func word(_ key: UInt64) -> UInt32? {
      let hash = key &* wordSeed
      let tag = PhraseIndex.tag(ofWord: hash)
      var place = UInt32(truncatingIfNeeded: hash &>> wordShift)
      while true {
        let found = words[Int(place)].tag
        if found & ~0x3E == tag {
          if found & 0x3E != PhraseIndex.aliasRole &<< 1 { return place }
          let standard = words[Int(place)].next
          return standard <= wordMask ? standard : nil  // A damaged file may say anything.
        }
        if found == 0 { return nil }
        place = (place &+ 1) & wordMask
      }
    }

    /// The place of the phrase that goes on from a place with a word, or `nil`; ask only where `Row.next` has the word's bit.
    @inline(__always)
    func phrase(_ from: UInt32, _ word: UInt32) -> UInt32? {
      let hash = PhraseIndex.hash(from, word, phraseSeed)
      let bit = hash &>> filterShift
      if filter[Int(bit &>> 6)] &>> (bit & 63) & 1 == 0 { return nil }
      let tag = UInt32(truncatingIfNeeded: hash) | 1
      var place = UInt32(truncatingIfNeeded: hash &>> phraseShift)
      while true {
        let found = phrases[Int(place)].tag
        if found == tag { return place }
        if found == 0 { return nil }
        place = (place &+ 1) & phraseMask
      }
    }
  }

  /// The part of a word's hash that its row keeps; bits 1…5 are left for the role.
  @inline(__always)
  static func tag(ofWord hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 8) & ~0x3E | 1 }

  @inline(__always)
  static func hash(_ from: UInt32, _ word: UInt32, _ seed: UInt64) -> UInt64 {
    var hash = (UInt64(from) &<< 32 | UInt64(word)) &* seed
    hash ^= hash &>> 32
    return hash &* 0xD6E8_FEB8_6659_FD93
  }
}

extension PhraseIndex {
  /// The tables as blocks of bytes.
  func image() -> [FlatBlock] {
    [
      tables.words.block, tables.phrases.block, tables.slips.block, tables.roles.block, tables.seeds.block, tables.filter.block,
    ]
  }

  /// Reads what `image` wrote; `nil` when the blocks are no index. Whatever they hold, looking up anything ends, and leads to nothing
  /// that is not there: what a row says is looked at when it is used, since most rows of a run are not.
  convenience init?(_ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>]) {
    guard blocks.count == 6, memory.holds(blocks), blocks[3].count == 4 * Self.roleCount, blocks[4].count == 16 else {
      return nil
    }
    let counts = [blocks[0].count / 16, blocks[1].count / 16, blocks[2].count / 8]
    guard counts.allSatisfy({ $0 >= 16 && $0.nonzeroBitCount == 1 }), blocks[5].count == counts[1] * Self.filterBits / 8 else {
      return nil
    }
    let tables = Tables(
      words: FlatTable(memory, at: blocks[0].lowerBound, count: counts[0]),
      phrases: FlatTable(memory, at: blocks[1].lowerBound, count: counts[1]),
      filter: FlatTable(memory, at: blocks[5].lowerBound, count: blocks[5].count / 8),
      slips: FlatTable(memory, at: blocks[2].lowerBound, count: counts[2]),
      roles: FlatTable(memory, at: blocks[3].lowerBound, count: Self.roleCount),
      seeds: FlatTable(memory, at: blocks[4].lowerBound, count: 2))
    guard Self.hasEnd(tables.words), Self.hasEnd(tables.phrases) else { return nil }
    self.init(taxonomy, tables)
  }

  /// Whether a table has an empty row, where every search ends.
  private static func hasEnd(_ rows: FlatTable<Row>) -> Bool { rows.elements.contains { $0.tag == 0 } }
}
