import Testing

/// A word in another form is the same word, unless the forms are different products.
@Suite struct InflectionTests {
  private static let store = SmallLanguage(
    "head: last\nendings: a y i ą ę ów ek -",
    [
      "Produce": ["~pomidor", "~banan"], "Bakery": ["chleb", "bułka"], "Household": ["kolla"], "Deli": ["kolly"],
      "Dairy": ["ser"],
    ])

  @Test(arguments: [
    ("pomidory", "Produce"), ("pomidora", "Produce"), ("pomidorów", "Produce"), ("pomidorow", "Produce"), ("bananek", "Produce"),
    ("bułki", "Bakery"), ("bułkę", "Bakery"), ("bulek", nil), ("sery", "Dairy"),
  ])
  func `forms by a language's endings`(item: String, section: String?) { #expect(Self.store.section(item) == section) }

  @Test func `forms that are keywords of two sections stay two words`() {
    #expect(Self.store.section("kolla") == "Household")
    #expect(Self.store.section("kolly") == "Deli")
    #expect(Self.store.section("kollów") == nil)
  }

  @Test func `a stem of two letters is too short`() {
    let store = SmallLanguage("head: last\nendings: a y -", ["Dairy": ["ser"], "Drinks": ["tea"]])
    #expect(store.section("tea") == "Drinks")
    #expect(store.section("tey") == nil)
  }

  @Test(arguments: [
    // Cases.
    ("pl", ["mleko", "mleka"], "Dairy & Eggs"), ("pl", ["ziemniaki", "ziemniaków", "ziemniak"], "Produce"),
    ("pl", ["pomidor", "pomidory", "pomidorów", "pomidora"], "Produce"), ("pl", ["kurczak", "kurczaka"], "Meat & Seafood"),
    // Numbers and genders.
    ("es", ["tomate", "tomates"], "Produce"), ("es", ["galleta", "galletas"], "Snacks"),
    ("fr", ["pomme", "pommes"], "Produce"), ("fr", ["gâteau", "gâteaux"], "Bakery"),
    ("it", ["pomodoro", "pomodori"], "Produce"), ("it", ["mela", "mele"], "Produce"), ("it", ["carota", "carote"], "Produce"),
    ("pt", ["limão", "limões"], "Produce"), ("pt", ["tomate", "tomates"], "Produce"),
    ("de", ["Apfel", "Äpfel", "Äpfeln"], "Produce"), ("de", ["Zwiebel", "Zwiebeln"], "Produce"),
    ("nl", ["appel", "appels"], "Produce"), ("nl", ["tomaat", "tomaten"], "Produce"), ("sv", ["äpple", "äpplen"], "Produce"),
    // Diminutives.
    ("es", ["tomatitos", "tomatito"], "Produce"), ("nl", ["wortels", "worteltjes"], "Produce"), ("nl", ["tomaatjes"], "Produce"),
    ("it", ["zucchine", "zucchina"], "Produce"), ("de", ["Brot", "Brötchen"], "Bakery"),
  ])
  func `the project's languages know their forms`(language: String, forms: [String], section: String) throws {
    #expect(try LanguageFolder.sections(forms, in: language) == forms.map { _ in section })
  }
}
