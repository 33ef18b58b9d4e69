import AisleCore
import KeywordStrategy
import Testing

/// An index that was written down and taken up again is the same index.
@Suite struct ImageTests {
  @Test func `an index read from its image decides the same`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    let built = try KrogerFolder.phrase
    let (memory, blocks) = Self.lay(try #require(built.image()))
    let read = try #require(KeywordStrategy(taxonomy, image: memory, blocks: blocks))
    let items = OrdinaryItems.all + built.metadata.examples.map(\.item)
    #expect(read.mode == .phrase)
    #expect(read.decisions(items, in: taxonomy) == built.decisions(items, in: taxonomy))
    #expect(read.image() == built.image())
  }

  @Test func `the same taxonomy has the same image`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    #expect(KeywordStrategy(taxonomy).image() == KeywordStrategy(taxonomy).image())
  }

  @Test func `blocks that are no index are refused`() throws {
    let taxonomy = SmallStore.make(["Dairy": ["milk", "oat milk"]])
    let (memory, blocks) = Self.lay(try #require(KeywordStrategy(taxonomy).image()))
    #expect(KeywordStrategy(taxonomy, image: memory, blocks: blocks) != nil)
    for place in blocks.indices {
      var shorter = blocks
      shorter[place] = shorter[place].lowerBound..<shorter[place].upperBound - shorter[place].count / 4
      #expect(KeywordStrategy(taxonomy, image: memory, blocks: shorter) == nil, "block \(place) is short")
      #expect(KeywordStrategy(taxonomy, image: memory, blocks: Array(blocks.prefix(place))) == nil, "\(place) blocks")
    }
  }

  @Test func `substring mode has no image`() {
    #expect(KeywordStrategy(SmallStore.make(["Dairy": ["milk"]]), mode: .substring).image() == nil)
  }

  /// The rows of an index's tables, as the words of 4 bytes that they consist of.
  private static let rowWords = 4

  @Test(arguments: ["a full table of words", "a full table of phrases"]) func `is refused`(what: String) throws {
    let block = what.hasSuffix("words") ? 0 : 1
    try Self.expectRefusal(what) { words in
      for row in words[block].indices where row % Self.rowWords == 0 && words[block][row] == 0 { words[block][row] = 0x4141_4101 }
    }
  }

  @Test(arguments: [0, 1], [1, 2]) func `a row with a keyword or section that is not there decides nothing`(
    block: Int, column: Int
  )
    throws
  {
    for ending: UInt32 in [1 << 28 | 9999, 1 << 27 | 200 << 19, 0x7FFF_FFFF, 0xFFFF_FFFE] {
      let strategy = try Self.damaged { words in
        for row in words[block].indices where row % Self.rowWords == column && words[block][row] != .max {
          words[block][row] = ending
        }
      }
      let known = try #require(strategy)
      for item in ["milk", "oat milk", "chocolates"] {
        let keyword = known.decision(item, in: Self.small)?.evidence.keyword
        #expect(keyword.map { Int($0.rawValue) < Self.small.keywords.count } != false, "\(item) \(ending)")
      }
      if block == 0, column == 1 { #expect(known.decision("milk", in: Self.small) == nil, "\(ending)") }
    }
  }

  @Test func `a spelling of a word that is not there, or of a spelling, is no word`() throws {
    let alias: UInt32 = 0x3E
    for target: (Int, Int) -> Int in [{ count, _ in count }, { _, _ in 0x7FFF_FFFF }, { _, row in row }] {
      let strategy = try Self.damaged { words in
        let row = try #require(words[0].indices.first { $0 % Self.rowWords == 0 && words[0][$0] & alias == alias })
        words[0][row + 3] = UInt32(target(words[0].count / Self.rowWords, row / Self.rowWords))
      }
      // Its letters may still be known to the table of typos, but it is no spelling any more.
      let decision = strategy?.decision("moloko", in: Self.small)
      #expect(decision == nil || decision?.evidence.rule == strategy?.decision("chocolat", in: Self.small)?.evidence.rule)
      #expect(strategy?.decision("milk", in: Self.small) != nil)
    }
  }

  @Test(arguments: [UInt32.max, 0, 0x4000_0000]) func `a damaged table of typos corrects nothing, and its searches end`(
    place: UInt32
  ) throws {
    let taxonomy = Self.small
    var words = Self.words(try #require(KeywordStrategy(taxonomy).image()))
    for row in words[2].indices where row % 2 == 0 {
      words[2][row] = place
      if words[2][row + 1] == 0 { words[2][row + 1] = 1 }
    }
    let (memory, blocks) = Self.lay(words.map { Self.block($0) })
    let strategy = try #require(KeywordStrategy(taxonomy, image: memory, blocks: blocks))
    for item in ["chocolat", "cocolate", "zzzzzzzz"] { #expect(strategy.decision(item, in: taxonomy) == nil, "`\(item)`") }
  }

  private static let small = SmallStore.make(
    ["Dairy": ["milk", "oat milk"], "Snacks": ["chocolate"]], spellings: "moloko = milk")

  /// The words of 4 bytes that blocks consist of.
  private static func words(_ image: [FlatBlock]) -> [[UInt32]] {
    image.map { block in
      stride(from: 0, to: block.count, by: 4).map { start in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[start + $1]) << UInt32(8 * $1) }
      }
    }
  }

  private static func block(_ words: [UInt32]) -> FlatBlock { FlatTable(ContiguousArray(words)).block }

  /// Damages the image of a small store; no index may come of it.
  private static func expectRefusal(_ what: String, _ damage: (inout [[UInt32]]) throws -> Void) throws {
    #expect(try damaged(damage) == nil, "\(what)")
  }

  /// The strategy that the damaged image of a small store makes, if any.
  private static func damaged(_ damage: (inout [[UInt32]]) throws -> Void) throws -> KeywordStrategy? {
    var words = words(try #require(KeywordStrategy(small).image()))
    var (memory, blocks) = lay(words.map { block($0) })
    try #require(KeywordStrategy(small, image: memory, blocks: blocks) != nil)
    try damage(&words)
    (memory, blocks) = lay(words.map { block($0) })
    return KeywordStrategy(small, image: memory, blocks: blocks)
  }

  /// Lays blocks of bytes one after the other, each from a multiple of 16.
  private static func lay(_ parts: [FlatBlock]) -> (FlatMemory, [Range<Int>]) {
    var bytes: ContiguousArray<UInt8> = []
    var blocks: [Range<Int>] = []
    for part in parts {
      bytes.append(contentsOf: repeatElement(0, count: (16 - bytes.count % 16) % 16))
      blocks.append(bytes.count..<bytes.count + part.count)
      bytes.append(contentsOf: part)
    }
    return (FlatMemory(copying: bytes), blocks)
  }
}
