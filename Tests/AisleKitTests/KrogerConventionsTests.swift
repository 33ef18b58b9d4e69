import AisleCore
import AisleKit
import Testing

/// What everyone may rely on of the store that is compiled in.
@Suite struct KrogerConventionsTests {
  @Test func `the twelve sections stand in walking order with their colors`() throws {
    let taxonomy = try #require(Taxonomy.builtIn("kroger"))
    #expect(
      taxonomy.sections == [
        Section(name: "Produce", color: .emerald), Section(name: "Bakery", color: .amber),
        Section(name: "Meat & Seafood", color: .red), Section(name: "Dairy & Eggs", color: .blue),
        Section(name: "Frozen Foods", color: .cyan), Section(name: "Pantry & Canned Goods", color: .orange),
        Section(name: "International", color: .purple), Section(name: "Condiments & Sauces", color: .yellow),
        Section(name: "Snacks", color: .pink), Section(name: "Beverages", color: .teal),
        Section(name: "Household & Cleaning", color: .slate), Section(name: "Other", color: .gray),
      ])
    #expect(taxonomy[taxonomy.fallback].name == "Other")
  }

  @Test func `it has at least 150 shelves and 7,000 keywords`() throws {
    let taxonomy = try #require(Taxonomy.builtIn("kroger"))
    #expect(taxonomy.shelves.count >= 150)
    #expect(taxonomy.keywords.count >= 7000)
  }
}
