import AisleCore
import AisleTesting
@testable import RegexStrategy
import Testing

/// An index of patterns that was written down and taken up again, and what is refused.
@Suite struct PatternIndexImageTests {
  private static let store = PatternStore([
    .init(name: "share", expression: #"\b(?:93/7|80/20)\b"#, confidence: 0.7),
    .init(name: "size", expression: #"^\s*\d+ ?(?:oz|lb)$"#),
    .init(name: "fruit", expression: "[🍎🍏]"), .init(name: "coffee", expression: "☕|é"),
    .init(name: "any", expression: ".*x?y?", confidence: 0.1), .init(name: "mail", expression: #"\w@\w"#),
  ])
  private static let items = ["beef 93/7", "12 oz", "2 x 🍎", "☕", "a@b", "milk", "\u{212A}", "x", " 3 LB"].map { Array($0.utf8) }

  private static func decisions(_ index: PatternIndex?) -> [Decision?] {
    RegexStrategy(store.taxonomy, index: index).decisions(items, in: store.taxonomy)
  }

  /// Lays blocks one after the other, each from a multiple of 16.
  private static func lay(_ parts: [[UInt8]]) -> (FlatMemory, [Range<Int>]) {
    var bytes = ContiguousArray<UInt8>()
    var blocks: [Range<Int>] = []
    for part in parts {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16))
      blocks.append(bytes.count..<bytes.count + part.count)
      bytes.append(contentsOf: part)
    }
    return (FlatMemory(copying: bytes), blocks)
  }

  @Test func `an index read from its image decides the same`() throws {
    let parts = PatternIndex(Self.store.taxonomy.patterns).image().map { Array($0) }
    #expect(parts.count == PatternIndex.blockCount)
    let (memory, blocks) = Self.lay(parts)
    let read = try #require(PatternIndex(Self.store.taxonomy.patterns, image: memory, blocks: blocks))
    #expect(Self.decisions(read) == Self.decisions(nil))
    #expect(Self.decisions(nil).compactMap { $0 }.count == Self.items.count)
  }

  @Test func `an index of other patterns, or a part of one, is refused`() {
    let patterns = Self.store.taxonomy.patterns
    let parts = PatternIndex(patterns).image().map { Array($0) }
    let (memory, blocks) = Self.lay(parts)
    #expect(PatternIndex(Array(patterns.dropLast()), image: memory, blocks: blocks) == nil)
    #expect(PatternIndex(patterns, image: memory, blocks: Array(blocks.dropLast())) == nil)
    for number in [0, 1, 2, 6] {
      var shorter = blocks
      shorter[number] = shorter[number].lowerBound..<shorter[number].lowerBound
      #expect(PatternIndex(patterns, image: memory, blocks: shorter) == nil, "block \(number)")
    }
  }

  @Test(arguments: 1...4) func `whatever an image holds, deciding ends and stays within it`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let parts = PatternIndex(Self.store.taxonomy.patterns).image().map { Array($0) }
    var taken = 0
    for _ in 0..<300 {
      var damaged = parts
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let block = damaged.indices.filter { !damaged[$0].isEmpty }.randomElement(using: &random) ?? 0
        let place = Int.random(in: 0..<damaged[block].count, using: &random)
        damaged[block][place] = [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      let (memory, blocks) = Self.lay(damaged)
      guard let index = PatternIndex(Self.store.taxonomy.patterns, image: memory, blocks: blocks) else { continue }
      _ = Self.decisions(index)
      taken += 1
    }
    #expect(taken > 0, "seed \(seed)")
  }
}
