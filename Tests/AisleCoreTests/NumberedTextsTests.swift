import AisleCore
import Testing

@Suite("Texts have numbers")
struct NumberedTextsTests {
  @Test("Each has one, the next where it is new, and is found by it", arguments: [1, 2, 3])
  func numbers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var texts = NumberedTexts()
    var known: [[UInt8]: UInt32] = [:]
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...20, using: &random)
      let text = (0..<length).map { _ in UInt8.random(in: 0x61...0x63, using: &random) }
      let number = known[text] ?? UInt32(known.count)
      known[text] = number
      #expect(texts.number(of: text) == number, "seed \(seed), \(text)")
      #expect(texts[number] == String(decoding: text, as: UTF8.self), "seed \(seed)")
    }
    #expect(texts.count == known.count)
    #expect(texts.all == known.sorted { $0.value < $1.value }.map { String(decoding: $0.key, as: UTF8.self) })
  }

  @Test("Two spellings of one character are two texts")
  func spellings() {
    var texts = NumberedTexts()
    #expect(texts.number(of: "caf\u{E9}".utf8) == 0)
    #expect(texts.number(of: "cafe\u{301}".utf8) == 1)
  }

  @Test("They are found among others, where they are there")
  func amongOthers() {
    var (texts, others) = (NumberedTexts(), NumberedTexts())
    for text in ["a", "b", "", "c"] { _ = texts.number(of: text.utf8) }
    for text in ["c", "b", "d"] { _ = others.number(of: text.utf8) }
    #expect(texts.numbers(among: others) == [nil, 1, nil, 0])
  }
}
