import AisleCore
import RegexStrategy
import Testing

/// What a pattern matches, and which of several decides.
@Suite struct MatchingTests {
  @Test(arguments: [
    ("aa batt", "AA Batteries", "AA Batt"), ("crème", "CRÈME fraîche", "CRÈME"), ("🍎", "2 x 🍎🍎", "🍎"),
    (#"\d+/\d+"#, "beef 93/7", "93/7"),
    (#"\bpk\b"#, "12 PK", "PK"), ("[é-ü]", "Jalapeño", "ñ"), (".", "é", "é"), ("^a.c$", "aéc", "aéc"), (#"\x{1F34E}"#, "🍎", "🍎"),
    ("strasse|straße", "STRASSE", "STRASSE"), ("k", "\u{212A}", "\u{212A}"), ("soap", "\u{17F}oap", "\u{17F}oap"),
    (#"(?<n>a)\k<n>"#, "xaax", "aa"), (#"a\Kb"#, "ab", "b"),
  ]) func `patterns are caseless and know letters beyond ASCII`(expression: String, item: String, match: String) {
    let store = PatternStore(expression)
    #expect(store.strategy().match(Array(item.utf8), in: store.taxonomy) == match)
    #expect(store.warnings.lines == [])
  }

  @Test(arguments: [
    ("aa", "a a"), ("^b", "ab"), ("é", "e"), ("x*", "abc"), ("x*|^", ""), (#"\bpk"#, "12pk"), ("a", ""), (#"(?=a)"#, "a"),
  ]) func `it abstains where nothing, or nothing of any length, matches`(expression: String, item: String) {
    let store = PatternStore(expression)
    #expect(store.strategy().match(Array(item.utf8), in: store.taxonomy) == nil)
    #expect(store.warnings.lines == [])
  }

  @Test func `the span is where the match stands in the item's bytes`() {
    let store = PatternStore(#"\d+/\d+"#)
    let decision = store.strategy().decisions([Array("rinderhack für 93/7".utf8)], in: store.taxonomy)[0]
    #expect(decision?.evidence.span == 16..<20)
    #expect(decision?.evidence.pattern == PatternID(rawValue: 0))
    #expect(decision?.evidence.rule == 0)
    #expect(decision?.confidence == 0.9)
  }

  @Test func `bytes that are no UTF-8 match nothing, and those around them still do`() {
    let store = PatternStore("milk.")
    let strategy = store.strategy()
    #expect(strategy.match([0xFF, 0xC3] + Array("milk!".utf8) + [0xE2, 0x82], in: store.taxonomy) == "milk!")
    #expect(strategy.match(Array("milk".utf8) + [0xFF], in: store.taxonomy) == nil)
    #expect(strategy.match(Array("mi\0lk".utf8), in: store.taxonomy) == nil)
    #expect(strategy.match(Array("\0milk\0".utf8), in: store.taxonomy) == "milk\0")
    #expect(store.warnings.lines == [])
  }

  @Test(arguments: [(255, true), (256, true), (257, false), (1 << 20, false)])
  func `an item of more than 256 bytes is no name of a good`(count: Int, isSeen: Bool) {
    let store = PatternStore("milk$")
    let item = [UInt8](repeating: UInt8(ascii: "x"), count: count - 4) + Array("milk".utf8)
    #expect(store.strategy().match(item, in: store.taxonomy) == (isSeen ? "milk" : nil))
  }

  @Test func `of several patterns that match the most confident decides, among equals the first`() {
    let store = PatternStore([
      .init(name: "unsure", expression: "milk", confidence: 0.5), .init(name: "first", expression: "oat milk", confidence: 0.8),
      .init(name: "second", expression: "oat", confidence: 0.8), .init(name: "sure", expression: "oat milk 2%", confidence: 0.95),
    ])
    let strategy = store.strategy()
    let cases = [
      ("milk", "unsure"), ("oat milk", "first"), ("oats", "second"), ("oat milk 2%", "sure"), ("OAT MILK 1%", "first"),
    ]
    for (item, name) in cases { #expect(strategy.pattern(item, in: store.taxonomy) == name, "\(item)") }
    #expect(strategy.pattern("kale", in: store.taxonomy) == nil)
  }

  @Test func `decided items are left alone`() {
    let store = PatternStore("milk")
    var batch = Batch(["milk", "milk"], taxonomy: store.taxonomy)
    let earlier = Decision(section: SectionID(rawValue: 0), confidence: 0.1)
    batch.decide(1, earlier)
    store.strategy().decide(&batch)
    #expect(batch.decisions[0]?.confidence == 0.9)
    #expect(batch.decisions[1]?.confidence == 0.1)
  }

  @Test func `a store without patterns abstains on everything`() {
    let store = PatternStore([])
    #expect(store.strategy().decisions([Array("milk".utf8), []], in: store.taxonomy) == [nil, nil])
  }
}
