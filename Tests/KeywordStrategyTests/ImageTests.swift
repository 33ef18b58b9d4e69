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
    let kinds = ["oat", "rice", "soy", "hemp", "cashew", "almond", "pea", "nut", "goat", "sheep"]
    let taxonomy = SmallStore.make(["Dairy": kinds.map { "\($0) milk" }], moves: "frozen, canned: * -> Dairy")
    let (memory, blocks) = Self.lay(try #require(KeywordStrategy(taxonomy).image()))
    #expect(KeywordStrategy(taxonomy, image: memory, blocks: blocks) != nil)
    for place in blocks.indices {
      #expect(KeywordStrategy(taxonomy, image: memory, blocks: Array(blocks.prefix(place))) == nil, "\(place) blocks")
      // Any number of words and phrases may have two endings, and any be a section's own.
      if place == Self.doubles || place == Self.ownWords { continue }
      var shorter = blocks
      shorter[place] = shorter[place].lowerBound..<shorter[place].upperBound - (shorter[place].count + 3) / 4
      #expect(KeywordStrategy(taxonomy, image: memory, blocks: shorter) == nil, "block \(place) is short")
    }
  }

  @Test func `substring mode has no image`() {
    #expect(KeywordStrategy(SmallStore.make(["Dairy": ["milk"]]), mode: .substring).image() == nil)
  }

  /// The tables of rows, and that of endings in singular and plural.
  private static let (rowTables, doubles, ownWords) = ([0, 1], 8, 10)

  @Test(arguments: rowTables) func `a row with a keyword or section that is not there decides nothing`(table: Int) throws {
    // Of a row's two words the first is the ending, and bit 29 says that there are two.
    for ending: UInt32 in [1 << 28 | 9999, 1 << 27 | 200 << 19, 0x1FFF_FFFF, 1 << 29 | 7, 0x3FFF_FFFF, 0xFFFF_FFFE] {
      let strategy = try Self.damaged { parts in
        for word in 0..<parts[table].count where word % 2 == 0 && parts[table][word + 1] != 0 { parts[table][word] = ending }
      }
      let known = try #require(strategy)
      for item in ["milk", "oat milk", "chocolates", "pea", "peas"] {
        let keyword = known.decision(item, in: Self.small)?.evidence.keyword
        #expect(keyword.map { Int($0.rawValue) < Self.small.keywords.count } != false, "\(item) \(ending)")
      }
      if table == 0 { #expect(known.decision("milk", in: Self.small) == nil, "\(ending)") }
    }
  }

  @Test func `two endings that are not there decide nothing`() throws {
    #expect(KeywordStrategy(Self.small).decision("pea", in: Self.small)?.section.rawValue == 1)
    #expect(KeywordStrategy(Self.small).decision("peas", in: Self.small)?.section.rawValue == 0)
    let strategy = try #require(
      try Self.damaged { parts in
        for word in 0..<parts[Self.doubles].count { parts[Self.doubles][word] = 1 << 28 | 9999 }
      })
    for item in ["pea", "peas"] { #expect(strategy.decision(item, in: Self.small) == nil, "\(item)") }
    // Bits that an ending does not have are no part of its strength.
    let strange = try #require(
      try Self.damaged { parts in for word in 0..<parts[Self.doubles].count { parts[Self.doubles][word] |= 7 << 29 } })
    for item in ["pea", "peas"] {
      #expect(strange.decision(item, in: Self.small) == KeywordStrategy(Self.small).decision(item, in: Self.small), "\(item)")
    }
  }

  @Test func `a table full of rows decides the same, since each word is looked for in one place`() throws {
    let strategy = try #require(
      try Self.damaged { parts in
        for table in Self.rowTables {
          for word in 0..<parts[table].count where word % 2 == 1 && parts[table][word] == 0 { parts[table][word] = 0x0141_4141 }
        }
      })
    for item in ["milk", "oat milk", "chocolates", "zzzzzzzz"] {
      #expect(strategy.decision(item, in: Self.small) == KeywordStrategy(Self.small).decision(item, in: Self.small), "\(item)")
    }
  }

  @Test func `a spelling of a word that is not there, or of a spelling, is no word`() throws {
    let alias: UInt32 = 31  // in the upper five bits of a row's tag
    for target: (Int, Int) -> Int in [{ count, _ in count + 1 }, { _, _ in 0x1FFF_FFFF }, { _, row in row + 1 }, { _, _ in 0 }] {
      let strategy = try Self.damaged { parts in
        let tag = try #require((0..<parts[0].count).first { $0 % 2 == 1 && parts[0][$0] >> 27 == alias })
        parts[0][tag - 1] = UInt32(target(parts[0].count / 2, tag / 2))
      }
      // Its letters may still be known to the table of typos, but it is no spelling any more.
      let decision = strategy?.decision("moloko", in: Self.small)
      #expect(decision == nil || decision?.evidence.rule == strategy?.decision("chocolat", in: Self.small)?.evidence.rule)
      #expect(strategy?.decision("milk", in: Self.small) != nil)
    }
  }

  @Test(arguments: [UInt32.max, 0, 0x4000_0000]) func `a damaged table of typos corrects nothing, and its searches end`(
    number: UInt32
  ) throws {
    let strategy = try #require(
      try Self.damaged { parts in
        for word in 0..<parts[2].count where word % 2 == 0 {
          parts[2][word] = number
          if parts[2][word + 1] == 0 { parts[2][word + 1] = 1 }
        }
      })
    for item in ["chocolat", "cocolate", "zzzzzzzz"] { #expect(strategy.decision(item, in: Self.small) == nil, "`\(item)`") }
  }

  private static let small = SmallStore.make(
    ["Dairy": ["milk", "oat milk", "peas"], "Snacks": ["chocolate", "pea"]], spellings: "moloko = milk")

  /// A block of bytes, by words of 4.
  private struct Part {
    var bytes: [UInt8]

    var count: Int { bytes.count / 4 }
    subscript(word: Int) -> UInt32 {
      get { (0..<4).reduce(0) { $0 | UInt32(bytes[4 * word + $1]) << UInt32(8 * $1) } }
      set { for place in 0..<4 { bytes[4 * word + place] = UInt8(truncatingIfNeeded: newValue >> UInt32(8 * place)) } }
    }
  }

  /// The strategy that the damaged image of a small store makes, if any.
  private static func damaged(_ damage: (inout [Part]) throws -> Void) throws -> KeywordStrategy? {
    var parts = try #require(KeywordStrategy(small).image()).map { Part(bytes: Array($0)) }
    try damage(&parts)
    let (memory, blocks) = lay(parts.map { FlatTable(ContiguousArray($0.bytes)).block })
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
