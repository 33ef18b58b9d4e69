import AisleCatalog
import LearnedStrategy
import Testing

/// Corrections that are taken in for what is not there.
struct `Unused corrections` {
  private func correction(_ store: String, _ section: String) -> Correction {
    Correction(store: store, item: "kale", section: section, origin: Origin(proposer: "jane", time: 1))
  }

  @Test func `are those of a store or a section that does not exist`() {
    let corrections = [
      correction("kroger", "Produce"), correction("krogr", "Bakery"), correction("krogr", "Produce"),
      correction("kroger", "Prodce"), correction("kroger", "Attic"),
    ]
    let unused = UnusedCorrections(corrections, at: StoreLocator(source: .builtIn))
    #expect(
      unused.missing == [
        .init(store: "kroger", section: "Attic", count: 1, nearest: nil),
        .init(store: "kroger", section: "Prodce", count: 1, nearest: "Produce"),
        .init(store: "krogr", section: nil, count: 2, nearest: "kroger"),
      ])
  }

  @Test func `are none where every store and section exists`() {
    #expect(UnusedCorrections([correction("kroger", "Produce")], at: StoreLocator(source: .builtIn)).missing.isEmpty)
  }
}
