import AisleCore
import AisleKit
import Testing

/// The library as an app uses it.
@Suite struct OfflineTests {
  @Test func `three lines categorize an item`() async throws {
    let categorizer = try Categorizer.offline()
    let item = try await categorizer.categorize("oat milk")
    #expect(item.section.name == "Dairy & Eggs")
  }

  @Test func `an answer says how sure it is, and why`() async throws {
    let item = try await Categorizer.offline(store: "kroger").categorize("2 cartons Oat Milk")
    #expect(item.item == "2 cartons Oat Milk")
    #expect(item.section.color == .blue)
    #expect(item.confidence > 0.5 && item.confidence <= 1)
    #expect(item.strategy == "keyword")
    #expect(item.keyword?.text == "oat milk")
    #expect(item.keyword?.location.path == "taxonomies/shelves/plant-milk.txt")
    #expect(item.match == "Oat Milk")
    #expect(item.rule != nil)
    #expect(item.note == nil && item.move == nil)
  }

  @Test func `an answer names the move that took the goods elsewhere, and the keyword that spoke for another section`()
    async throws
  {
    let categorizer = try Categorizer.offline()
    #expect(try await categorizer.categorize("frozen lovage").move?.word == "frozen")
    let item = try await categorizer.categorize("turnip sausage")
    #expect(item.runnerUp?.text == "turnip", "\(item)")
  }

  @Test func `what nobody knows goes to Other`() async throws {
    let item = try await Categorizer.offline().categorize("qwrtzx bqkjv")
    #expect(item.section.name == "Other")
    #expect(item.strategy == nil)
  }

  @Test func `items are answered in order, whatever they are`() async throws {
    let items = ["kale", "", "🥛", "chicken thighs", "\0", "kale"]
    let answers = try await Categorizer.offline().categorize(items)
    #expect(answers.map(\.item) == items)
    #expect(answers[0].section.name == "Produce" && answers[5] == answers[0])
    #expect(answers[3].section.name == "Meat & Seafood")
  }

  @Test func `a store that is not compiled in is an error that says which there are`() {
    let error = #expect(throws: UnknownStore.self) { _ = try Categorizer.offline(store: "krogr") }
    #expect(
      error?.description
        == "unknown store `krogr`; did you mean `kroger`? (known: \(Taxonomy.builtInStores.joined(separator: ", ")))")
    #expect(Taxonomy.builtIn("krogr") == nil)
  }
}
