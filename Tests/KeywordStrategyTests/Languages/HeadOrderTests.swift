import AisleCore
import Testing

/// Which end of a name says what it is.
@Suite struct HeadOrderTests {
  private static let products: KeyValuePairs<String, [String]> = [
    "Dairy": ["leche", "crema"], "Pantry": ["~avena", "arroz"], "Drinks": ["zumo"], "Produce": ["~manzana", "~limón"],
    "Sweets": ["galletas", "~chocolate"],
  ]
  private static let roles = "\njoins: con\nin: en\nexcludes: para, sin\nof: de\nadds: y\nfiller: el, la"
  private static let first = SmallLanguage("head: first" + roles, products)
  private static let last = SmallLanguage("head: last" + roles, products)

  @Test(arguments: [
    ("leche galletas", "Dairy", "Sweets"), ("zumo arroz", "Drinks", "Pantry"), ("galletas zumo leche", "Sweets", "Dairy"),
  ])
  func `of two products the one at the head wins`(item: String, first: String, last: String) {
    #expect(Self.first.section(item) == first)
    #expect(Self.last.section(item) == last)
  }

  @Test(arguments: [
    ("leche de avena", "Dairy"), ("zumo de manzana", "Drinks"), ("galletas con chocolate", "Sweets"),
    ("arroz con leche", "Pantry"),
    ("galletas sin leche", "Sweets"), ("arroz para leche", "Pantry"), ("zumo manzana y limón", "Drinks"),
  ])
  func `what follows a function word is not the head`(item: String, section: String) {
    #expect(Self.first.section(item) == section)
    #expect(Self.last.section(item) == section)
  }

  @Test func `a product whose last word begins another name is at most a flavor where the head comes last`() {
    let overlapping: KeyValuePairs = ["Snacks": ["vegan chips"], "Dairy": ["~chips dough", "~chips para pan"]]
    let last = SmallLanguage("head: last" + Self.roles, overlapping)
    #expect(last.section("vegan chips dough") == "Dairy")
    #expect(last.section("vegan chips para pan") == "Snacks")
    #expect(last.section("vegan chips, dough") == "Snacks")
    #expect(SmallLanguage("head: first" + Self.roles, overlapping).section("vegan chips dough") == "Snacks")
  }

  @Test func `what is a function word is no product of another language`() {
    let mixed = SmallLanguage(
      "head: last\nin: zum\nfiller: chez", ["Dairy": ["milch"], "Drinks": ["saft"]],
      english: ["Drinks": ["zum", "zum cola"], "Dairy": ["cheese"]], spellings: "chez = cheese")
    #expect(mixed.section("was zum naschen") == nil && mixed.section("chez") == nil)
    #expect(mixed.section("cheese") == "Dairy")
    #expect(mixed.section("zum cola") == "Drinks")
  }

  @Test func `words that do more kinds of things than there is room for keep the main one`() {
    let roles = Language.Role.allCases.map(\.rawValue)
    var words = Dictionary(uniqueKeysWithValues: roles.map { ($0, ["only\($0.filter(\.isLetter))"]) })
    for (place, role) in roles.enumerated() {
      for other in roles[(place + 1)...] where Set([role, other]) != ["joins", "filler"] {
        for each in [role, other] { words[each]?.append("\(role)\(other)".filter(\.isLetter)) }
      }
    }
    for role in ["joins", "filler"] { words[role]?.append("con") }
    let grammar = roles.map { "\($0): \(words[$0, default: []].joined(separator: " "))" }.joined(separator: "\n")
    let crowded = SmallLanguage("head: last\n" + grammar, Self.products)
    #expect(crowded.section("arroz con leche") == "Pantry")
    #expect(crowded.section("arroz onlyjoins leche") == "Pantry")
    #expect(crowded.section("arroz leche") == "Dairy")
  }

  @Test func `a name without a word of a head-first language ends with its head`() {
    let mixed = SmallLanguage(
      "head: first", ["Dairy": ["leche"], "Drinks": ["zumo"]], english: ["Dairy": ["milk"], "Drinks": ["juice"]])
    #expect(mixed.section("milk juice") == "Drinks")
    #expect(mixed.section("juice milk") == "Dairy")
    #expect(mixed.section("leche juice") == "Dairy")
  }

  @Test(arguments: [
    ("es", "leche de avena", "Dairy & Eggs"), ("es", "zumo de naranja", "Beverages"),
    ("es", "crema de cacahuete", "Condiments & Sauces"),
    ("fr", "lait d'avoine", "Dairy & Eggs"), ("fr", "beurre de cacahuète", "Condiments & Sauces"),
    ("fr", "jus de pomme", "Beverages"),
    ("it", "latte di avena", "Dairy & Eggs"), ("it", "succo di mela", "Beverages"),
    ("it", "passata di pomodoro", "Pantry & Canned Goods"),
    ("pl", "sok jabłkowy", "Beverages"), ("pl", "masło orzechowe", "Condiments & Sauces"),
    ("pl", "mleko owsiane", "Dairy & Eggs"),
    ("pt", "leite de aveia", "Dairy & Eggs"), ("pt", "sumo de laranja", "Beverages"),
    ("pt", "manteiga de amendoim", "Condiments & Sauces"),
  ])
  func `the project's head-first languages know the first word's product`(language: String, item: String, section: String) throws
  {
    #expect(try LanguageFolder.sections([item], in: language) == [section])
  }

  @Test(arguments: [
    ("de", "Milch mit Schokolade", "Dairy & Eggs"), ("nl", "melk met chocolade", "Dairy & Eggs"),
    ("sv", "mjölk med choklad", "Dairy & Eggs"),
    ("de", "Schokolade mit Milch", "Snacks"), ("nl", "chocolade met melk", "Snacks"), ("sv", "choklad med mjölk", "Snacks"),
  ])
  func `what comes with a product is not it in head-last languages either`(language: String, item: String, section: String) throws
  {
    #expect(try LanguageFolder.sections([item], in: language) == [section])
  }
}
