import AisleCore

/// The keywords of a taxonomy as a trie over words, built for one pass over an item.
///
/// A word's number is the number of its trie node. Words, nodes and edges lie in three flat tables of at most 16 bytes a row, small
/// enough to stay in a processor's cache: an item costs one probe a word, and one more for each phrase that goes on.
final class PhraseIndex: Sendable {
  /// A place in the trie, reached by a word or a phrase.
  struct Node: BitwiseCopyable {
    /// The keyword that ends here in its singular, or -1.
    var singular: Int32 = -1
    /// The keyword that ends here in its plural, or -1.
    var plural: Int32 = -1
    /// A bit for each next word's number modulo 64: a zero bit says that no phrase goes on with the word.
    var next: UInt64 = 0
  }

  /// What the choice between keywords needs of one.
  struct Rank: BitwiseCopyable {
    var section: UInt8
    var strength: UInt8
    var shelf: UInt16
  }

  /// A row of the word table: 32 bits of the key's hash, the word's role, its node plus one. 0 is an empty row.
  ///
  /// With the row's place some 48 bits of the hash are compared, so that a strange word passes for a known one once in 10⁹ times.
  typealias WordRow = UInt64

  /// A row of the edge table: the node it leaves, the word it reads, the node it leads to plus one. 0 is an empty row.
  typealias EdgeRow = UInt64

  static let nodeBits: UInt64 = 22
  static let nodeMask: UInt64 = 1 << nodeBits - 1

  /// The tables of an index, as `PhraseIndexBuilder` makes them and a file holds them.
  struct Tables {
    var words: FlatTable<WordRow>
    var edges: FlatTable<EdgeRow>
    var nodes: FlatTable<Node>
    var ranks: FlatTable<Rank>
    /// The multiplier of the word hash.
    var seed: UInt64
  }

  let taxonomy: Taxonomy
  let tables: Tables
  /// The moves of each word that has any, by the word's node.
  let moves: [UInt32: [Int]]

  private let wordShift: UInt64
  private let wordMask: Int
  private let edgeMask: Int

  init(_ taxonomy: Taxonomy, _ tables: Tables) {
    self.taxonomy = taxonomy
    self.tables = tables
    wordMask = tables.words.count - 1
    wordShift = UInt64(64 - tables.words.count.trailingZeroBitCount)
    edgeMask = tables.edges.count - 1
    var moves: [UInt32: [Int]] = [:]
    let scanner = Words()
    for (place, move) in taxonomy.moves.enumerated() {
      let key = scanner.key(ofWord: Array(Normalizer.normalize(move.word).utf8))
      let row = Self.find(key, tables, wordShift, wordMask)
      if row != 0 { moves[UInt32(row & Self.nodeMask) - 1, default: []].append(place) }
    }
    self.moves = moves
  }

  /// The row of a word, or 0 for an unknown one.
  @inline(__always)
  func find(_ key: UInt64) -> WordRow { Self.find(key, tables, wordShift, wordMask) }

  @inline(__always)
  private static func find(_ key: UInt64, _ tables: Tables, _ shift: UInt64, _ mask: Int) -> WordRow {
    guard let rows = tables.words.elements.baseAddress else { return 0 }
    let hash = key &* tables.seed
    var slot = Int(truncatingIfNeeded: hash &>> shift)
    let tag = hash &<< 32
    while true {
      let row = rows[slot]
      if row == 0 || row & 0xFFFF_FFFF_0000_0000 == tag { return row }
      slot = (slot &+ 1) & mask
    }
  }

  /// The node reached from `node` by `word` plus one, or 0; ask only where `Node.next` has the word's bit.
  @inline(__always)
  func step(_ node: UInt32, _ word: UInt32) -> UInt32 {
    guard let rows = tables.edges.elements.baseAddress else { return 0 }
    let key = UInt64(node) &<< 20 | UInt64(word)
    var slot = Int(truncatingIfNeeded: Self.hash(edge: key)) & edgeMask
    while true {
      let row = rows[slot]
      if row == 0 { return 0 }
      if row &>> Self.nodeBits == key { return UInt32(truncatingIfNeeded: row & Self.nodeMask) }
      slot = (slot &+ 1) & edgeMask
    }
  }

  @inline(__always)
  static func hash(edge key: UInt64) -> UInt64 { (key &* 0x9E37_79B9_7F4A_7C15) &>> 40 }
}

extension PhraseIndex {
  /// The tables as blocks of bytes.
  func image() -> [[UInt8]] {
    [
      Array(tables.words.rawBytes), Array(tables.edges.rawBytes), Array(tables.nodes.rawBytes), Array(tables.ranks.rawBytes),
      withUnsafeBytes(of: tables.seed) { Array($0) },
    ]
  }

  /// Reads what `image` wrote; `nil` when the blocks are no index of this taxonomy.
  convenience init?(_ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>]) {
    guard blocks.count == 5, blocks[4].count == 8 else { return nil }
    func count<Element>(_ block: Int, of type: Element.Type) -> Int { blocks[block].count / MemoryLayout<Element>.stride }
    let words = count(0, of: WordRow.self)
    let edges = count(1, of: EdgeRow.self)
    guard words.nonzeroBitCount == 1, edges.nonzeroBitCount == 1, count(3, of: Rank.self) == taxonomy.keywords.count else { return nil }
    self.init(
      taxonomy,
      Tables(
        words: FlatTable(memory, at: blocks[0].lowerBound, count: words),
        edges: FlatTable(memory, at: blocks[1].lowerBound, count: edges),
        nodes: FlatTable(memory, at: blocks[2].lowerBound, count: count(2, of: Node.self)),
        ranks: FlatTable(memory, at: blocks[3].lowerBound, count: count(3, of: Rank.self)),
        seed: memory.bytes.loadUnaligned(fromByteOffset: blocks[4].lowerBound, as: UInt64.self)))
  }
}
