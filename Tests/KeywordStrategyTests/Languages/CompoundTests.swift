import Testing

/// Words that grow together are read as their last part, behind parts that are known.
@Suite struct CompoundTests {
  private static let keywords: KeyValuePairs<String, [String]> = [
    "Dairy": ["Milch", "Vollmilch"], "Sweets": ["~Schokolade", "Stern"], "Meat": ["~Hähnchen", "Brust", "Filet"],
    "Drinks": ["Saft", "Tee"], "Produce": ["~Apfel", "~Kartoffel", "Kohl"], "Snacks": ["Chips"], "Pantry": ["Mehl", "Zucker"],
    "Flowers": ["Blume"], "Household": ["Papier", "Licht", "Topf"],
  ]
  private static let grammar = "head: last\nletters: ä = ae\nendings: e en n s -\nlinks: s es n en e"
  private static let growing = SmallLanguage(grammar + "\ncompounds: yes", keywords)
  private static let apart = SmallLanguage(grammar + "\ncompounds: no", keywords)

  @Test(arguments: [
    ("Vollmilchschokolade", "Sweets"), ("Hähnchenbrustfilet", "Meat"), ("Haehnchenbrustfilet", "Meat"), ("Apfelsaft", "Drinks"),
    ("Kartoffelchips", "Snacks"), ("Blumenkohl", "Produce"), ("Kartoffelmehl", "Pantry"), ("Apfelschokoladentee", "Drinks"),
    ("APFELSAFT", "Drinks"), ("2 Apfelsäfte", "Drinks"), ("Apfelsaft mild", "Drinks"),
  ])
  func `the last part is what it is`(item: String, section: String) {
    #expect(Self.growing.section(item) == section)
  }

  @Test(arguments: ["Apfelsaft", "Kartoffelchips", "Blumenkohl", "Hähnchenbrustfilet"])
  func `a language that does not say so grows none`(item: String) { #expect(Self.apart.section(item) == nil) }

  @Test(arguments: [("Blumenkohl", "Produce"), ("Apfelnsaft", "Drinks"), ("Milchenzucker", "Pantry")])
  func `letters may link the parts`(item: String, section: String) { #expect(Self.growing.section(item) == section) }

  @Test func `two ways to split a word that lead apart are neither`() {
    let store = SmallLanguage(
      "head: last\ncompounds: yes", ["Household": ["Becken"], "Snacks": ["Ecken"], "Pantry": ["Staub", "Stau"], "Meat": ["Tal"]])
    #expect(store.section("Staubecken") == nil)
    #expect(store.section("Talbecken") == "Household")
    #expect(store.section("Talecken") == "Snacks")
  }

  @Test func `where they lead to one section, it is sure`() {
    let store = SmallLanguage("head: last\ncompounds: yes", ["Household": ["Becken", "Ecken"], "Pantry": ["Staub", "Stau"]])
    #expect(store.section("Staubecken") == "Household")
  }

  @Test func `a word that only longer keywords have is split, or a form of a keyword, where nothing else is known`() {
    let store = SmallLanguage(
      "head: last\nendings: a e\ncompounds: yes",
      ["Spices": ["Zimtzucker Gewürz", "Zimt"], "Pantry": ["Zucker", "costoletta fritta"], "Meat": ["costolette"]])
    #expect(store.section("Zimtzucker") == "Pantry")
    #expect(store.section("Zimtzucker Gewürz") == "Spices")
    #expect(store.section("costoletta") == "Meat")
    #expect(store.section("costoletta fritta") == "Pantry")
    #expect(store.section("fritta") == nil)
  }

  @Test func `a last part that only measures or cuts leaves the choice to what stands before it`() {
    let store = SmallLanguage(
      "head: last\ncompounds: yes\nmeasure: zweige\nprepares: würfel", ["Produce": ["Apfel"], "Dairy": ["Milch"]])
    #expect(store.section("Apfelzweige") == "Produce")
    #expect(store.section("Milchapfelwürfel") == "Produce")
    #expect(store.section("Zweige") == nil)
    #expect(store.section("Quittzweige") == nil)
  }

  @Test(arguments: ["Tee", "Schein", "Teekohlx", "Saftig", "xyzkoh", "Brusttt"])
  func `what has no known last part stays unknown`(item: String) {
    #expect(Self.growing.section(item) == (item == "Tee" ? "Drinks" : nil))
  }

  @Test func `behind something unknown, the last part is less sure`() throws {
    let sure = try #require(Self.growing.strategy.decision("Apfelsaft", in: Self.growing.taxonomy))
    let unsure = try #require(Self.growing.strategy.decision("Quittrigsaft", in: Self.growing.taxonomy))
    #expect(sure.section == unsure.section)
    #expect(unsure.confidence < sure.confidence)
  }

  @Test(arguments: [
    ("de", "Vollmilchschokolade", "Snacks"), ("de", "Hähnchenbrustfilet", "Meat & Seafood"), ("de", "Apfelsaft", "Beverages"),
    ("de", "Kartoffelchips", "Snacks"), ("de", "Blumenkohl", "Produce"), ("de", "Quittenapfelsaft", "Beverages"),
    ("de", "Putenhähnchenbrust", "Meat & Seafood"), ("nl", "appelperensap", "Beverages"), ("nl", "bloemkool", "Produce"),
    ("nl", "kipfilet", "Meat & Seafood"), ("sv", "äppeljuice", "Beverages"), ("sv", "blomkål", "Produce"),
    ("sv", "kycklingbröstfilé", "Meat & Seafood"), ("sv", "mjölkchoklad", "Snacks"),
  ])
  func `the project's languages that grow words together`(language: String, item: String, section: String) throws {
    #expect(try LanguageFolder.sections([item], in: language) == [section])
  }
}
