import AisleCore
import KeywordStrategy
import Testing

/// One slip of the hand, told from two; and the likeliest of several words.
@Suite struct SlipTests {
  private static let taxonomy: Taxonomy = {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let names = ["Fridge", "Cellar", "Shelf"].map { builder.addSection(Section(name: $0, color: .gray)) }
    builder.setFallback(names[2])
    for (section, text) in [
      (names[0], "olive\nsalsa\nbread\napple\ncharger\nvitamin\nvitamin water\nvitamin drink\nvitamin bread\nvitamin apple\n"),
      (names[1], "olay\nsalad\nbreaded\nalpen\nvitalis\nbattery\nsalsa charger\n"),
    ] {
      var text = text
      text.withUTF8 { builder.addShelf("shelf \(section.rawValue)", text: $0, path: "\(section.rawValue).txt", section: section) }
    }
    var spellings = "vitam = vitamin\nchardger = charger\n"
    spellings.withUTF8 { builder.addSpellings(text: $0, path: "spellings.txt") }
    return builder.build()
  }()

  private func keyword(_ item: String) -> String? {
    var batch = Batch([item], taxonomy: Self.taxonomy)
    KeywordStrategy(Self.taxonomy).decide(&batch)
    return batch.decisions[0]?.evidence.keyword.map { Self.taxonomy.keywords[$0].text }
  }

  @Test(arguments: [
    ("sallsa", "salsa"), ("salssa", "salsa"), ("saslsa", "salsa"), ("saalsa", "salsa"),  // a letter more
    ("chager", "charger"), ("chargr", "charger"), ("chrger", "charger"),  // a letter less
    ("chatger", "charger"), ("chargef", "charger"),  // another letter
    ("chagrer", "charger"), ("chrager", "charger"), ("aplpe", "apple"),  // neighbours swapped
    ("batteires", "battery"), ("battreies", "battery"), ("olvies", "olive"), ("oliives", "olive"),  // in the plural
  ])
  func `one slip is mended`(written: String, meant: String) { #expect(keyword(written) == meant) }

  @Test(arguments: ["chraegr", "charrgr", "ahcrger", "chhargerr", "sllaa", "ptattery", "bttaery", "catgher"])
  func `two slips are another word`(written: String) { #expect(keyword(written) == nil) }

  @Test(arguments: [("chardgers", "charger"), ("chardgrer", "charger"), ("vitam", "vitamin"), ("vitams", "vitamin")])
  func `a slip of another spelling is mended`(written: String, meant: String) { #expect(keyword(written) == meant) }

  @Test(arguments: ["vitama", "vitarm", "vtiam", "vitamt"])
  func `a slip never leads to a word that is cut off`(written: String) { #expect(keyword(written) == nil) }

  @Test(arguments: [("breadd", "bread"), ("sasla", "salsa"), ("vitamis", "vitamin")])
  func `of several words the likeliest slip is taken, then the one in most keywords`(written: String, meant: String) {
    #expect(keyword(written) == meant)
  }

  @Test(arguments: [("BTTRY", "battery"), ("BATTRY", "battery"), ("VTMN", "vitamin"), ("VTAMN", "vitamin"), ("btry", "battery")])
  func `a word that was cut short has lost vowels`(written: String, meant: String) { #expect(keyword(written) == meant) }

  @Test(arguments: ["BITTRY", "VTEMN", "CHORGR"])
  func `a word that was cut short has gained none`(written: String) { #expect(keyword(written) == nil) }

  @Test(arguments: [
    ("salsa chatger", "salsa charger"),
    ("vitamin watre", "vitamin water"), ("wtaer vitamin", "vitamin"), ("vitamin my watre", "vitamin"),
    ("one two three four five vitamin watre", "vitamin"),  // longer than what people write for an item
  ])
  func `beside a product a slip is mended where both are one name`(written: String, meant: String) {
    #expect(keyword(written) == meant)
  }

  @Test(arguments: [("vitaminwater", "vitamin water"), ("vitaminbreads", "vitamin bread"), ("my vitamindrink", "vitamin drink")])
  func `a word is split where one keyword is all of it`(written: String, meant: String) { #expect(keyword(written) == meant) }

  @Test(arguments: [("applesalsa", nil), ("APPLESALSA", "salsa"), ("salsa2apple", "apple")])
  func `one of its parts alone counts only in capitals or between digits`(written: String, meant: String?) {
    #expect(keyword(written) == meant)
  }
}
