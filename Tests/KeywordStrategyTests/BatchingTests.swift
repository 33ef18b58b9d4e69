import AisleCore
import AisleTesting
import KeywordStrategy
import Testing

/// An item's decision depends on the item alone.
@Suite struct BatchingTests {
  private static let items =
    OrdinaryItems.all + KeywordStrategy(SmallStore.make(["Produce": ["apple"]])).metadata.examples.map(\.item)

  private static func strategies() throws -> [KeywordStrategy] { [try KrogerFolder.phrase, try KrogerFolder.substring] }

  @Test(arguments: [1, 2, 7, 64, 333]) func `batches of any size give the same decisions`(size: Int) throws {
    let taxonomy = try KrogerFolder.taxonomy
    for strategy in try Self.strategies() {
      let together = strategy.decisions(Self.items, in: taxonomy)
      var apart: [Decision?] = []
      var batch = Batch(taxonomy: taxonomy)
      for start in stride(from: 0, to: Self.items.count, by: size) {
        batch.removeAll()
        for item in Self.items[start..<min(start + size, Self.items.count)] { batch.append(Array(item.utf8)) }
        strategy.decide(&batch)
        apart += batch.decisions
      }
      #expect(apart == together, "mode \(strategy.mode)")
    }
  }

  @Test(arguments: 1...3) func `the order of the items gives the same decisions`(seed: Int) throws {
    let taxonomy = try KrogerFolder.taxonomy
    for strategy in try Self.strategies() {
      var random = SeededGenerator(seed: UInt64(seed))
      let together = strategy.decisions(Self.items, in: taxonomy)
      let order = Self.items.indices.shuffled(using: &random)
      #expect(
        strategy.decisions(order.map { Self.items[$0] }, in: taxonomy) == order.map { together[$0] },
        "seed \(seed), mode \(strategy.mode)")
    }
  }

  @Test func `what stands next to an item in memory gives the same decisions`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    for strategy in try Self.strategies() {
      let apart = strategy.decisions(Self.items, in: taxonomy)
      for neighbor in ["x", "s", " juice", ", frozen", "\u{301}", "é"] {
        var text: [UInt8] = []
        var extents: ContiguousArray<Batch.Extent> = []
        for item in Self.items {
          text += Array(neighbor.utf8)
          extents.append(Batch.Extent(start: UInt32(text.count), length: UInt32(item.utf8.count)))
          text += Array(item.utf8)
        }
        text += Array(neighbor.utf8) + [UInt8](repeating: 0, count: Batch.padding)
        var batch = Batch(taxonomy: taxonomy)
        batch.setItems(text: text, extents: extents)
        strategy.decide(&batch)
        let differing = Self.items.indices.first { batch.decisions[$0] != apart[$0] }.map { Self.items[$0] }
        #expect(differing == nil, "between `\(neighbor)`, mode \(strategy.mode)")
      }
    }
  }

  @Test func `deciding twice changes nothing`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    for strategy in try Self.strategies() {
      var batch = Batch(Self.items, taxonomy: taxonomy)
      strategy.decide(&batch)
      let once = batch.decisions
      strategy.decide(&batch)
      #expect(batch.decisions == once)
    }
  }

  @Test func `two strategies made of one taxonomy agree`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    for mode in KeywordStrategy.Mode.allCases {
      let first = KeywordStrategy(taxonomy, mode: mode).decisions(Self.items, in: taxonomy)
      #expect(KeywordStrategy(taxonomy, mode: mode).decisions(Self.items, in: taxonomy) == first, "mode \(mode)")
    }
  }

  @Test func `items that are decided already stay as they are, and change nothing for the others`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    for strategy in try Self.strategies() {
      let alone = strategy.decisions(Self.items, in: taxonomy)
      var batch = Batch(Self.items, taxonomy: taxonomy)
      for index in Self.items.indices where index % 3 == 0 {
        batch.decide(index, Decision(section: taxonomy.fallback, confidence: 0.125))
      }
      strategy.decide(&batch)
      for index in Self.items.indices {
        let expected = index % 3 == 0 ? Decision(section: taxonomy.fallback, confidence: 0.125) : alone[index]
        #expect(batch.decisions[index] == expected, "`\(Self.items[index])`, mode \(strategy.mode)")
      }
      for (index, item) in Self.items.enumerated() { #expect(Array(batch.bytes(index)) == Array(item.utf8)) }
    }
  }
}
