import AisleCore
import KeywordStrategy
import Testing

/// Two keywords that are the same after normalization: which of them wins would be an accident of file order.
@Suite struct ConflictTests {
  @Test(arguments: [
    ("crème fraîche", "creme fraiche"), ("half-and-half", "half & half"), ("half and half", "half n half"),
    ("reese's", "reeses"),
    ("Apple", "~apple"), ("ice cream", "ice-cream"), ("ｍｉｌｋ", "milk"), ("cre\u{300}me", "crème"), ("dr. pepper", "dr pepper"),
    ("!gelato", "?gelato"), ("m&ms", "m & ms"), ("yoghurt", "yogurt"),
  ])
  func `keywords that normalize the same are found`(first: String, second: String) {
    let apart: KeyValuePairs = ["One": [first], "Two": [second]]
    let together: KeyValuePairs = ["One": ["other", first, second], "Two": []]
    for sections in [apart, together] {
      let taxonomy = SmallStore.make(sections, spellings: "yoghurt = yogurt\nn = and")
      let conflicts = KeywordStrategy(taxonomy).conflicts
      #expect(conflicts.count == 1, "\(sections)")
      let strength = ["~", "?", "!"]
      let texts = [first, second].map { text in strength.contains { text.hasPrefix($0) } ? String(text.dropFirst()) : text }
      #expect(conflicts.map { taxonomy.keywords[$0.first].text } == [texts[0]])
      #expect(conflicts.map { taxonomy.keywords[$0.second].text } == [texts[1]])
    }
  }

  @Test(arguments: [
    ("pepper", "peppers"), ("leaf", "leaflet"), ("ice cream", "cream ice"), ("butter", "peanut butter"), ("glass", "glasses"),
    ("red", "read"), ("oat milk", "oatmilk"), ("7 up", "7up"),
  ])
  func `keywords that differ are no conflict`(first: String, second: String) {
    #expect(KeywordStrategy(SmallStore.make(["One": [first], "Two": [second]])).conflicts.isEmpty)
  }

  @Test func `each repetition is told`() {
    let taxonomy = SmallStore.make(["One": ["apple", "pear"], "Two": ["Apple", "pear"], "Three": ["APPLE"]])
    let conflicts = KeywordStrategy(taxonomy).conflicts.map { [$0.first.rawValue, $0.second.rawValue] }
    #expect(conflicts == [[0, 2], [1, 3], [0, 4]])
  }

  @Test func `spellings that lead nowhere are told`() {
    let taxonomy = SmallStore.make(["Beverages": ["orange juice"]], spellings: "oj = orange juice\naj = apple juice")
    #expect(KeywordStrategy(taxonomy).straySpellings.map(\.variant) == ["aj"])
    let others = SmallStore.make(
      ["Dairy": ["oat milk", "milk bread", "wish-bone", "gogurt"]],
      spellings:
        "foozle = barzle\n!!! = milk\nmilk bread = oat milk\nmilk = bread\nwishbn = wish-bone\ngogrt = go-gurt\nmlk = milk")
    let strategy = KeywordStrategy(others)
    #expect(strategy.straySpellings.map(\.variant).sorted() == ["!!!", "foozle", "gogrt", "milk", "milk bread"])
    #expect(strategy.decision("wishbn", in: others) != nil)
  }

  @Test func `a word that ends in i or u has a plural where keywords hold it`() {
    let taxonomy = SmallStore.make([
      "Produce": ["thai chili", "kiwi", "tofu", "tofus press", "blini", "blinis"], "Sport": ["tennis", "tenni"],
    ])
    let strategy = KeywordStrategy(taxonomy)
    for (item, keyword) in [
      ("thai chilis", "thai chili"), ("Kiwis", "kiwi"), ("tofus", "tofu"), ("tofu press", "tofus press"), ("tennis", "tennis"),
      ("blinis", "blinis"), ("blini", "blini"),
    ] {
      let found = strategy.decision(item, in: taxonomy)?.evidence.keyword
      #expect(found.map { taxonomy.keywords[$0].text } == keyword, "\(item)")
    }
  }

  @Test func `spellings may outnumber the keywords by far`() {
    let spellings = (0..<6000).map { "vv\($0)x = apple" }.joined(separator: "\n")
    let taxonomy = SmallStore.make(["Produce": ["apple"]], spellings: spellings)
    let strategy = KeywordStrategy(taxonomy)
    #expect(strategy.straySpellings.isEmpty)
    for number in [0, 1, 2999, 5999] { #expect(strategy.decision("vv\(number)x", in: taxonomy) != nil, "\(number)") }
  }

  @Test func `Kroger has no conflicts and no stray spellings`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    let strategy = try KrogerFolder.phrase
    let conflicts = strategy.conflicts.map { pair in
      let (first, second) = (taxonomy.keywords[pair.first], taxonomy.keywords[pair.second])
      return "`\(first.text)` at \(first.location) and `\(second.text)` at \(second.location)"
    }
    #expect(conflicts.isEmpty, "\(conflicts.joined(separator: "\n"))")
    #expect(strategy.straySpellings.isEmpty)
  }
}
