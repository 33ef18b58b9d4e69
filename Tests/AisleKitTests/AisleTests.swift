import AisleCatalog
import AisleKit
import Foundation
import LearnedStrategy
import Testing

/// The library as an app uses it.
@Suite struct AisleTests {
  /// Opened once: indexing a store takes a second in a debug build.
  static let aisle = try? Aisle(store: "kroger")

  private func aisle() throws -> Aisle { try #require(Self.aisle) }

  @Test func `two lines categorize an item, at once, on any thread`() throws {
    let answer = try aisle().categorize("2 lbs chicken thighs")
    #expect(answer.section == "Meat & Seafood" && answer.sectionID == "meat-seafood" && answer.color == .red)
    #expect(answer.item == "2 lbs chicken thighs")
    #expect(answer.strategy == "keyword" && answer.confidence > 0.8 && answer.confidence <= 1)
    #expect(answer.match == "chicken thighs" && answer.span == 6..<20)
    #expect(answer.shelf != nil && answer.source?.contains("/\(answer.shelf ?? "").txt:") == true)
    #expect(answer.keyword == "chicken thigh" && answer.explanation == "chicken thigh (\(answer.rule ?? ""))")
  }

  @Test func `patterns are asked where the keywords are not sure`() throws {
    let answer = try aisle().categorize("AA 8ct")
    #expect(answer.strategy == "regex" && answer.section == "Household & Cleaning" && answer.shelf == "batteries")
    #expect(answer.rule == "pattern" && answer.keyword == "battery-size-only" && answer.match == "AA 8ct")
  }

  @Test func `the trained model is weighed with the keywords, and the answer says so`() throws {
    let (agreed, alone) = (try aisle().categorize("softened butter"), try aisle().categorize("crunchy almondbutterish"))
    #expect(agreed.strategy == "keyword" && agreed.secondOpinion?.hasSuffix("(Dairy & Eggs)") == true)
    #expect(alone.strategy == "model" || alone.secondOpinion != nil)
  }

  @Test func `the shelf is the one that the item ends up on`() throws {
    #expect(try aisle().categorize("oat milk").shelf == "plant-milk")
    let moved = try aisle().categorize("frozen lovage")
    #expect(moved.section == "Frozen Foods")
    let shelf = try #require(moved.shelf.flatMap { try? aisle().taxonomy.shelf(named: $0) })
    #expect(try aisle().taxonomy[aisle().taxonomy[shelf].section].name == "Frozen Foods")
  }

  @Test func `what nothing decides goes to the fallback, without a strategy`() throws {
    let answer = try aisle().categorize("qwrtzx bqkjv")
    #expect(answer.section == "Other" && answer.sectionID == "other" && answer.confidence == 0)
    #expect(answer.strategy == nil && answer.shelf == nil && answer.keyword == nil && answer.explanation == "")
  }

  @Test(arguments: ["", "\0", "🥛", " ", "a,b", String(repeating: "milk ", count: 100_000), "\u{FFFF}"])
  func `any text has an answer`(item: String) throws {
    let answer = try aisle().categorize(item)
    #expect(answer.item == item)
    #expect(try aisle().sections.contains { $0.name == answer.section && $0.id == answer.sectionID })
  }

  @Test func `many items are answered in their order, each as if it were alone`() throws {
    let aisle = try aisle()
    let items = (0..<3000).map { ["kale", "oat milk", "", "chicken thighs", "🥛", "93/7", "\($0) eggs"][$0 % 7] }
    let answers = aisle.categorize(items)
    #expect(answers.map(\.item) == items)
    for place in stride(from: 0, to: items.count, by: 97) { #expect(answers[place] == aisle.categorize(items[place])) }
    #expect(aisle.categorize([]) == [])
  }

  // MARK: The command

  /// The items of the corpus, and those that show what the strategies do.
  private func items() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "corpus")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".tsv") }.sorted().flatMap {
      file in
      try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "\t" }) }
    }
  }

  @Test(arguments: [false, true])
  func `it answers as the command's usual chain does, on all items of the corpus`(hasCorrections: Bool) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "aisle-\(UUID().uuidString).db")
    defer { for suffix in ["", "-index"] { try? FileManager.default.removeItem(atPath: path.path + suffix) } }
    let taxonomy = try aisle().taxonomy
    let aisle = hasCorrections ? try Aisle(taxonomy: taxonomy, corrections: path) : try aisle()
    let items = try items()
    #expect(items.count > 7000)
    if hasCorrections {
      for item in items.indices where item % 700 == 0 { try aisle.correct(items[item], to: "snacks", by: "jane") }
      try aisle.correct("Silk", to: "plant-milk", by: "joe")
    }
    var context = StrategyContext(taxonomy: taxonomy)
    context.corrections = hasCorrections ? try LearnedCorrections.open(path.path) : nil
    let text = hasCorrections ? StrategyCatalog.defaultChainWithCorrections : StrategyCatalog.defaultChain
    let chain = try StrategyCatalog.builtIn.chain(
      try ChainSpecification(text), policy: StrategyCatalog.defaultPolicy, in: context
    ).chain
    let expected = try await Categorizer(taxonomy: taxonomy, chain: chain).categorize(items)
    let answers = aisle.categorize(items)
    let different = zip(answers, expected).filter { answer, expected in
      answer.section != expected.section.name || answer.confidence != expected.confidence || answer.strategy != expected.strategy
        || answer.match != expected.match || answer.note != expected.note
    }
    #expect(different.count == 0)
    #expect(
      Set(answers.map(\.strategy)).isSuperset(
        of: hasCorrections ? ["learned", "keyword", "model", "regex", nil] : ["keyword", "model", "regex"]))
  }

  // MARK: JSON

  @Test func `an answer goes through JSON and back`() throws {
    for item in ["2 lbs chicken thighs", "93/7", "xyzzy", "turnip sausage", "frozen lovage"] {
      let answer = try aisle().categorize(item)
      #expect(try JSONDecoder().decode(Answer.self, from: JSONEncoder().encode(answer)) == answer)
    }
  }

  @Test func `a span that is none is an error`() throws {
    let line = #"{"item":"a","section":"b","section_id":"b","color":"red","confidence":0.5,"strategy":"keyword","span":"5-2"}"#
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Answer.self, from: Data(line.utf8)) }
  }

  // MARK: Sections

  @Test func `sections have ids that stay when they change places`() throws {
    #expect(
      try aisle().sections.map(\.id) == [
        "produce", "bakery", "meat-seafood", "dairy-eggs", "frozen-foods", "pantry-canned-goods", "international",
        "condiments-sauces", "snacks", "beverages", "household-cleaning", "other",
      ])
    func ids(_ names: String...) -> [String] {
      var builder = TaxonomyBuilder(store: "s", name: "S")
      for name in names { _ = builder.addSection(Section(name: name, color: .red)) }
      return builder.build().stableSectionIDs
    }
    #expect(ids("Deli", "Café & Bar", "野菜", "Kids' Corner") == ["deli", "café-bar", "野菜", "kids-corner"])
    let (some, turned) = (ids("A & B", "A/B", "🥬"), ids("🥬", "A/B", "A & B"))
    #expect(some == turned.reversed() && Set(some).count == 3)
    #expect(some[0].hasPrefix("a-b-") && some[2].hasPrefix("section-"))
  }
}
