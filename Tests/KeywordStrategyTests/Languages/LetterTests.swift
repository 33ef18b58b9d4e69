import Testing

/// Letters are written in several ways, and an explanation shows the item as it was written.
@Suite struct LetterTests {
  private static let german = SmallLanguage(
    "head: last\nletters: ä = ae, ö = oe, ü = ue, ß = ss\ncompounds: yes",
    ["Meat": ["Hähnchen"], "Household": ["Straßenkreide"], "Pantry": ["Öl", "Grieß"], "Produce": ["Gemüse"], "Drinks": ["Saft"]])

  @Test(arguments: [
    ("Hähnchen", "Meat"), ("haehnchen", "Meat"), ("hahnchen", "Meat"), ("HÄHNCHEN", "Meat"), ("ha\u{308}hnchen", "Meat"),
    ("Straßenkreide", "Household"), ("Strassenkreide", "Household"), ("strassenkreide", "Household"), ("Griess", "Pantry"),
    ("gemuese", "Produce"), ("gemuse", "Produce"), ("gemüsesaft", "Drinks"), ("gemuesesaft", "Drinks"),
  ])
  func `all ways to write a word`(item: String, section: String) { #expect(Self.german.section(item) == section) }

  @Test(arguments: [
    ("pl", "łosoś", "losos", "Meat & Seafood"), ("pl", "masło", "maslo", "Dairy & Eggs"),
    ("pl", "chleb żytni", "chleb zytni", "Bakery"),
    ("pl", "śmietana", "smietana", "Dairy & Eggs"), ("de", "Hähnchen", "haehnchen", "Meat & Seafood"),
    ("de", "Straßenkreide", "strassenkreide", "Household & Cleaning"), ("de", "Möhren", "moehren", "Produce"),
    ("sv", "smör", "smor", "Dairy & Eggs"), ("sv", "ägg", "agg", "Dairy & Eggs"), ("sv", "bröd", "brod", "Bakery"),
    ("es", "piña", "pina", "Produce"), ("es", "plátano", "platano", "Produce"), ("pt", "maçã", "maca", "Produce"),
    ("pt", "feijão", "feijao", "Pantry & Canned Goods"), ("fr", "œufs", "oeufs", "Dairy & Eggs"),
    ("fr", "crème fraîche", "creme fraiche", "Dairy & Eggs"), ("it", "tè", "te", "Beverages"), ("nl", "crème", "creme", nil),
  ])
  func `an item without its accents is the same`(language: String, item: String, plain: String, section: String?) throws {
    let found = try LanguageFolder.sections([item, plain], in: language)
    #expect(found[0] == found[1])
    if let section { #expect(found[0] == section) }
  }

  @Test(arguments: [
    ("2 Haehnchen frisch", "Hähnchen", "Haehnchen"), ("  HÄHNCHEN!", "Hähnchen", "HÄHNCHEN"),
    ("1 l Gemüsesaft", "Saft", "saft"), ("Gemuesesaft, naturtrüb", "Saft", "saft"), ("GEMU\u{308}SESAFT", "Saft", "SAFT"),
    ("500 g Grieß", "Grieß", "Grieß"),
  ])
  func `spans are of the item as it was written`(item: String, keyword: String, span: String) throws {
    let found = try #require(Self.german.evidence(item))
    #expect(found == (keyword, span))
  }

  @Test(arguments: [
    ("leche entera de avena", "leche"), ("2 l LECHE de avena", "LECHE"), ("crema agria", "crema agria"),
    ("¡crema agria!", "crema agria"), ("aceite d'oliva", "aceite d'oliva"), ("aceite d’oliva", "aceite d’oliva"),
  ])
  func `nor does the order of a head-first name move them`(item: String, span: String) throws {
    let store = SmallLanguage(
      "head: first\napostrophe: cuts\nof: de, d\nfiller: l",
      ["Dairy": ["leche", "crema agria"], "Pantry": ["~avena", "aceite d'oliva"]])
    #expect(try #require(store.evidence(item)).span == span)
  }

  @Test func `what stands before an apostrophe is a word of its own where the language says so`() {
    let keywords: KeyValuePairs<String, [String]> = ["Pantry": ["~avoine"], "Dairy": ["lait"]]
    let cutting = SmallLanguage("head: first\napostrophe: cuts\nof: de, d", keywords)
    let joining = SmallLanguage("head: first\napostrophe: joins\nof: de, d", keywords)
    #expect(cutting.section("d'avoine") == "Pantry")
    #expect(joining.section("d'avoine") == nil)
  }
}
