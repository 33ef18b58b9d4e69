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
