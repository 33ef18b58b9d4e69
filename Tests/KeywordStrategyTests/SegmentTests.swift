import AisleCore
import KeywordStrategy
import Testing

/// What commas, parentheses, colons and brackets keep apart.
@Suite struct SegmentTests {
  private static let taxonomy = SmallStore.make([
    "Pantry": ["granola", "~vanilla", "pepper"], "Bakery": ["muffin"], "Frozen": ["ice cream"], "Dairy": ["milk", "~cheese"],
  ])
  private static let strategy = KeywordStrategy(taxonomy)

  @Test(arguments: [
    ("granola muffins", "Bakery"), ("[ ] granola muffins", "Bakery"), ("[x] granola muffins", "Bakery"),
    ("(2) granola muffins", "Bakery"), ("1: granola muffins", "Bakery"), ("Acme: granola muffins", "Bakery"),
    ("Acme, (new); granola muffins", "Bakery"), ("[ ] granola, muffins", "Pantry"), ("granola (muffins)", "Pantry"),
  ])
  func `what stands before the first good ends no head`(item: String, section: String) throws {
    #expect(try Self.section(of: item) == section)
  }

  @Test(arguments: [
    ("ice cream flavored milk", "Dairy"), ("ice cream, flavor vanilla", "Frozen"), ("ice cream (style: vanilla)", "Frozen"),
    ("milk (free)", "Dairy"), ("milk, free", "Dairy"), ("milk free muffin", "Bakery"), ("muffin no, pepper", "Bakery"),
    ("not, milk with vanilla", "Dairy"),
  ])
  func `a word that unsays does so within its part of the item`(item: String, section: String) throws {
    #expect(try Self.section(of: item) == section)
  }

  @Test func `no before a comma unsays nothing after it`() throws {
    let apart = try #require(Self.strategy.decision("any, no, milk pepper", in: Self.taxonomy))
    let together = try #require(Self.strategy.decision("any, no milk pepper", in: Self.taxonomy))
    #expect(apart.evidence.runnerUp.map { Self.taxonomy.keywords[$0].text } == "milk")
    #expect(apart.confidence < together.confidence)
  }

  private static func section(of item: String) throws -> String {
    taxonomy[try #require(strategy.decision(item, in: taxonomy), "`\(item)`").section].name
  }
}
