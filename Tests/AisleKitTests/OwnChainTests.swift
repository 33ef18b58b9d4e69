import AisleCore
import AisleKit
import Testing

/// An app's strategies in a chain of its own, with a slower one behind them.
@Suite struct OwnChainTests {
  /// Takes whatever nothing else decides for a snack.
  private struct LastResort: Strategy {
    var metadata: StrategyMetadata {
      StrategyMetadata(id: "last-resort", summary: "what is left is a snack", rationale: "", examples: [])
    }

    func decide(_ batch: inout Batch) async {
      let snacks = batch.sectionID(named: "Snacks")
      for item in Array(batch.undecided) { batch.decide(item, Decision(section: snacks, confidence: 0.5)) }
    }
  }

  private static func categorizer(_ more: Chain.Link...) throws -> Categorizer {
    let aisle = try #require(AisleTests.aisle)
    return try Categorizer(
      taxonomy: aisle.taxonomy, chain: Chain(aisle.chain.links + more, policy: aisle.chain.policy))
  }

  @Test func `an app's own chain answers as the app does, and says why`() async throws {
    let item = try await Self.categorizer().categorize("2 cartons Oat Milk")
    #expect(item.item == "2 cartons Oat Milk")
    #expect(item.section.name == "Dairy & Eggs" && item.section.color == .blue)
    #expect(item.confidence > 0.5 && item.confidence <= 1)
    #expect(item.strategy == "keyword")
    #expect(item.keyword?.text == "oat milk")
    #expect(item.keyword?.location.path.hasSuffix("taxonomies/shelves/plant-milk.txt") == true)
    #expect(item.match == "Oat Milk")
    #expect(item.rule != nil)
    #expect(item.note == nil && item.move == nil)
  }

  @Test func `an answer names the move that took the product elsewhere, and the keyword that spoke for another section`()
    async throws
  {
    let categorizer = try Self.categorizer()
    #expect(try await categorizer.categorize("frozen lovage").move?.word == "frozen")
    let item = try await categorizer.categorize("turnip sausage")
    #expect(item.runnerUp?.text == "turnip", "\(item)")
  }

  @Test func `what stands behind the app's strategies decides what they leave`() async throws {
    let items = ["kale", "", "🥛", "chicken thighs", "\0", "qwrtzx bqkjv", "kale"]
    let alone = try await Self.categorizer().categorize(items)
    #expect(alone.map(\.item) == items)
    #expect(alone[0].section.name == "Produce" && alone[6] == alone[0] && alone[3].section.name == "Meat & Seafood")
    #expect(alone[5].section.name == "Other" && alone[5].strategy == nil)
    let more = try await Self.categorizer(Chain.Link(LastResort())).categorize(items)
    #expect(more[5].section.name == "Snacks" && more[5].strategy == "last-resort")
    #expect(more[0] == alone[0] && more[3] == alone[3])
  }

  @Test func `a store that is not compiled in is an error that says which there are`() {
    let error = #expect(throws: UnknownStore.self) { _ = try Aisle(store: "krogr") }
    #expect(
      error?.description
        == "unknown store `krogr`; did you mean `kroger`? (known: \(Taxonomy.builtInStores.joined(separator: ", ")))")
    #expect(Taxonomy.builtIn("krogr") == nil)
  }
}
