import AisleCore
import AisleTesting
import KeywordStrategy
import Testing

/// Substring mode is the classic keyword table, exactly, so that an app that has one can move over and compare.
@Suite struct SubstringTests {
  /// The classic table, as an app writes it.
  private struct Reference {
    let table: [(section: SectionID, keyword: [UInt8])]

    init(_ taxonomy: Taxonomy) {
      table = taxonomy.matchOrder.flatMap { section in
        taxonomy.keywords.filter { $0.section == section }.map { (section, Array($0.text.lowercased().utf8)) }
      }
    }

    func section(_ item: [UInt8]) -> SectionID? {
      let text = Array(String(decoding: item, as: UTF8.self).lowercased().utf8)
      return table.first { text.contains($0.keyword) }?.section
    }
  }

  /// Keywords that overlap each other and that lowercasing changes the length of.
  private static let keywordPool = [
    "a", "b", "ab", "ba", "aab", "abab", "babb", "bbbb", "abc", "cab", "bca", "milk", "oat milk", "ilk", "apple", "pineapple",
    "apple pie", "pie", "ham", "graham", "shampoo", "egg", "eggplant", "crème", "crème fraîche", "fraîche", "jalapeño",
    "İçli köfte", "köfte", "Straße", "ﬁsh", "ΣΑΣ", "豆腐", "腐", "김치", "🍎", "é", "e\u{301}", "7-up", "m&m's", "half & half",
    "Ice Cream", "CREAM",
  ]

  @Test(arguments: 0..<100) func `it agrees with the reference on 1,000 random items of a random store`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let taxonomy = Self.randomStore(&random)
    let strategy = KeywordStrategy(taxonomy, mode: .substring)
    let reference = Reference(taxonomy)
    let items = (0..<1000).map { _ in Self.randomItem(&random) }
    for (item, decision) in zip(items, strategy.decisions(items, in: taxonomy)) {
      let expected = reference.section(item)
      guard decision?.section != expected else { continue }
      Issue.record(
        """
        seed \(seed), item \(item) `\(String(decoding: item, as: UTF8.self))`: expected \(expected.map { taxonomy[$0].name } ?? "nil"), \
        got \(strategy.explain(decision, in: taxonomy)); keywords \(reference.table.map { String(decoding: $0.keyword, as: UTF8.self) })
        """)
      return
    }
  }

  @Test func `it agrees with the reference on Kroger`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    let reference = Reference(taxonomy)
    let items = [
      "oat milk", "2 lbs Chicken Thighs", "Jalapeño poppers", "CRÈME FRAÎCHE", "birthday card", "qqqq", "", "ice", "🥛 milk",
      "m\u{0}ilk",
    ].map { Array($0.utf8) }
    for (item, decision) in zip(items, try KrogerFolder.substring.decisions(items, in: taxonomy)) {
      #expect(decision?.section == reference.section(item), "`\(String(decoding: item, as: UTF8.self))`")
    }
  }

  @Test func `the match order decides, not the walking order and not the length`() {
    let sections: KeyValuePairs = ["Produce": ["pineapple"], "Bakery": ["apple pie"], "Snacks": ["apple"]]
    let expectations = [
      (["Produce", "Bakery", "Snacks"], "Produce"), (["Bakery", "Snacks", "Produce"], "Bakery"),
      (["Snacks", "Produce", "Bakery"], "Snacks"), (["Bakery", "Snacks", "Produce", "Bakery"], "Bakery"),
    ]
    for (order, expected) in expectations {
      let taxonomy = SmallStore.make(sections, matchOrder: order)
      let decision = KeywordStrategy(taxonomy, mode: .substring).decision("pineapple pie, apple pie", in: taxonomy)
      #expect(decision.map { taxonomy[$0.section].name } == expected, "\(order)")
    }
  }

  @Test func `it finds keywords inside words`() {
    let taxonomy = SmallStore.make(["Meat": ["ham"], "Household": ["shampoo"]])
    let decision = KeywordStrategy(taxonomy, mode: .substring).decision("Shampoo", in: taxonomy)
    #expect(decision.map { taxonomy[$0.section].name } == "Meat")
  }

  @Test(arguments: 100..<110) func `its span holds its keyword`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let taxonomy = Self.randomStore(&random)
    let strategy = KeywordStrategy(taxonomy, mode: .substring)
    let items = (0..<1000).map { _ in Self.randomItem(&random) }
    for (item, decision) in zip(items, strategy.decisions(items, in: taxonomy)) {
      guard let decision else { continue }
      let keyword = decision.evidence.keyword.map { taxonomy.keywords[$0] }
      #expect(keyword?.section == decision.section, "seed \(seed), item \(item)")
      #expect(strategy.ruleName(decision) == "substring")
      #expect((0...1).contains(decision.confidence))
      guard let span = decision.evidence.span else {
        #expect(item.contains { $0 >= 0x80 }, "seed \(seed), item \(item): an ASCII item has a span")
        continue
      }
      let text = String(decoding: item[span], as: UTF8.self)
      #expect(text.lowercased() == keyword?.text.lowercased(), "seed \(seed), item \(item), span \(span)")
    }
  }

  // MARK: Random stores and items

  private static func randomStore(_ random: inout SeededGenerator) -> Taxonomy {
    let keywords = keywordPool.shuffled(using: &random).prefix(Int.random(in: 1...16, using: &random))
    var parts: [[String]] = [[], [], [], []]
    for keyword in keywords { parts[Int.random(in: 0..<4, using: &random)].append(keyword) }
    let order = ["One", "Two", "Three", "Four"].shuffled(using: &random).prefix(Int.random(in: 3...4, using: &random))
    return SmallStore.make(["One": parts[0], "Two": parts[1], "Three": parts[2], "Four": parts[3]], matchOrder: Array(order))
  }

  private static func randomItem(_ random: inout SeededGenerator) -> [UInt8] {
    var item: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let keyword = keywordPool[Int.random(in: 0..<keywordPool.count, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: item += Array(keyword.utf8)
      case 1: item += Array(keyword.uppercased().utf8)
      case 2: item += Array(keyword.utf8).prefix(Int.random(in: 0...keyword.utf8.count, using: &random))
      case 3: item += Array(keyword.utf8).suffix(Int.random(in: 0...keyword.utf8.count, using: &random))
      case 4: item += (0..<4).map { _ in UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "c"), using: &random) }
      case 5: item.append(UInt8.random(in: 0...255, using: &random))
      case 6:
        let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "\u{FFFD}"
        item += Array(String(scalar).utf8)
      default: item.append(0x20)
      }
    }
    return item
  }
}
