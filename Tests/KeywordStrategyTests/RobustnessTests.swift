import AisleCore
import AisleTesting
import KeywordStrategy
import Testing

/// Whatever bytes come in, an answer comes out that can be relied on.
@Suite struct RobustnessTests {
  private static let words = "milk apple, butter & jam (frozen) with Crème 12oz for no free ".utf8

  /// Items that no one would write and that come in all the same.
  private static let odd: [(name: String, item: [UInt8])] = [
    ("empty", []),
    ("a blank", [0x20]),
    ("4,096 blanks", [UInt8](repeating: 0x20, count: 4096)),
    ("digits", Array("0123456789".utf8)),
    ("5,000 digits", [UInt8](repeating: UInt8(ascii: "7"), count: 5000)),
    ("emoji", Array("🍎🥛👩‍👩‍👧‍👦🇩🇪".utf8)),
    ("1,000 emoji", Array(String(repeating: "🥛", count: 1000).utf8)),
    ("64 words", words("milk", 64)),
    ("65 words", words("milk", 65)),
    ("5,000 words", words("apple", 5000)),
    ("3,000 single letters", words("a", 3000)),
    ("2,048 bytes", [UInt8](repeating: UInt8(ascii: "x"), count: 2048)),
    ("2,049 bytes", [UInt8](repeating: UInt8(ascii: "x"), count: 2049)),
    ("a megabyte without a blank", [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)),
    ("a megabyte of words", Array([[UInt8]](repeating: Array(words), count: 16000).joined())),
    ("a letter cut at 2,048 bytes", [UInt8](repeating: 0x20, count: 2047) + Array("é milk".utf8)),
    ("4,000 accents", Array(("e" + String(repeating: "\u{301}", count: 4000)).utf8)),
    ("4,000 letters that fold to several", Array(String(repeating: "ﷺ", count: 4000).utf8)),
    ("5,000 commas", [UInt8](repeating: UInt8(ascii: ","), count: 5000)),
    ("5,000 ampersands", [UInt8](repeating: UInt8(ascii: "&"), count: 5000)),
    ("5,000 apostrophes", [UInt8](repeating: UInt8(ascii: "'"), count: 5000)),
    ("NULs", [0, 0, 0]),
    ("a NUL inside", Array("mi\0lk milk".utf8)),
    ("all bytes", (0...255).map { UInt8($0) }),
    ("a lone lead byte", Array("milk ".utf8) + [0xC3]),
    ("a cut sequence", Array("milk ".utf8) + [0xF0, 0x9F, 0xA5]),
    ("overlong", [0xC0, 0xAF, 0xE0, 0x80, 0xAF]),
    ("a surrogate", [0xED, 0xA0, 0x80]),
    ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]),
    ("control characters", Array("\u{1B}[31mmilk\u{7}\r\n\t".utf8)),
    ("only a combining mark", Array("\u{301}".utf8)),
    ("right to left", Array("\u{202E}klim חלב".utf8)),
    ("every role at once", Array("no free of with in for flavored 2 lbs bag of and &, (frozen) dried baby".utf8)),
  ]

  private static func words(_ word: String, _ count: Int) -> [UInt8] {
    Array([String](repeating: word, count: count).joined(separator: " ").utf8)
  }

  private static func strategies() throws -> [KeywordStrategy] { [try KrogerFolder.phrase, try KrogerFolder.substring] }

  @Test(arguments: odd.map(\.name)) func `it takes`(name: String) throws {
    let taxonomy = try KrogerFolder.taxonomy
    let item = try #require(Self.odd.first { $0.name == name }).item
    for strategy in try Self.strategies() {
      let alone = strategy.decisions([item], in: taxonomy)[0]
      #expect(Self.fault(alone, item, strategy, taxonomy) == nil)
      let among = strategy.decisions([Array("oat milk".utf8), item, Array("apple juice".utf8)], in: taxonomy)
      #expect(among[1] == alone, "mode \(strategy.mode)")
      #expect(among[0] == strategy.decision("oat milk", in: taxonomy), "mode \(strategy.mode)")
      #expect(among[2] == strategy.decision("apple juice", in: taxonomy), "mode \(strategy.mode)")
    }
  }

  @Test(arguments: 1...10) func `it takes 2,000 random items`(seed: Int) throws {
    let taxonomy = try KrogerFolder.taxonomy
    var random = SeededGenerator(seed: UInt64(seed))
    let source = Array(Self.words)
    let items: [[UInt8]] = (0..<2000).map { _ in
      var item: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let start = Int.random(in: 0..<source.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: item.append(UInt8.random(in: 0...255, using: &random))
        case 1:
          let scalar = Unicode.Scalar(UInt32.random(in: 0...0x2FFFF, using: &random)) ?? "\u{FFFD}"
          item += Array(String(scalar).utf8)
        case 2: item += Array(taxonomy.keywords[Int.random(in: 0..<taxonomy.keywords.count, using: &random)].text.utf8)
        default: item += source[start..<min(start + Int.random(in: 1...12, using: &random), source.count)]
        }
      }
      return item
    }
    for strategy in try Self.strategies() {
      for (item, decision) in zip(items, strategy.decisions(items, in: taxonomy)) {
        if let fault = Self.fault(decision, item, strategy, taxonomy) {
          Issue.record("seed \(seed), mode \(strategy.mode), item \(item): \(fault)")
          return
        }
      }
    }
  }

  @Test func `64 words and 2,048 bytes of an item are read, and no more`() throws {
    let taxonomy = SmallStore.make(["Dairy": ["milk"]])
    let strategy = KeywordStrategy(taxonomy)
    let filler = String(repeating: "zz ", count: 63)
    #expect(strategy.decision(filler + "milk", in: taxonomy) != nil)
    #expect(strategy.decision(filler + "zz milk", in: taxonomy) == nil)
    #expect(strategy.decision(String(repeating: " ", count: 2044) + "milk", in: taxonomy) != nil)
    #expect(strategy.decision(String(repeating: " ", count: 2048) + "milk", in: taxonomy) == nil)
  }

  @Test(arguments: KeywordStrategy.Mode.allCases) func `a store without keywords abstains`(mode: KeywordStrategy.Mode) {
    let taxonomy = SmallStore.make(["Empty": []])
    #expect(KeywordStrategy(taxonomy, mode: mode).decisions(["milk", "", "2 lbs frozen peas"], in: taxonomy) == [nil, nil, nil])
  }

  /// What is wrong with a decision about any bytes; `nil` when nothing is.
  private static func fault(_ decision: Decision?, _ item: [UInt8], _ strategy: KeywordStrategy, _ taxonomy: Taxonomy) -> String?
  {
    guard let decision else { return nil }
    if !(decision.confidence >= 0 && decision.confidence <= 1) { return "confidence \(decision.confidence)" }
    if Int(decision.section.rawValue) >= taxonomy.sections.count { return "section \(decision.section)" }
    if let span = decision.evidence.span, span.upperBound > item.count { return "span \(span) beyond the item" }
    if decision.evidence.keyword == nil { return "no keyword" }
    return strategy.ruleName(decision) == nil ? "no rule" : nil
  }
}
