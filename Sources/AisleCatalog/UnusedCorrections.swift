import AisleCore
package import LearnedStrategy

/// Corrections that are taken in for a store or a section that is not there: another machine may have it, or a name is mistyped.
package struct UnusedCorrections {
  /// A store or a section that is missing.
  package struct Missing: Hashable, Sendable {
    /// The store.
    package let store: String
    /// The section; `nil` where the store itself is missing.
    package let section: String?
    /// How many corrections are for it.
    package let count: Int
    /// The name that may have been meant.
    package let nearest: String?

    /// Says what is missing.
    package init(store: String, section: String?, count: Int, nearest: String?) {
      self.store = store
      self.section = section
      self.count = count
      self.nearest = nearest
    }
  }

  /// The stores and sections that are missing, in order of their names.
  package let missing: [Missing]

  /// Looks for the stores and sections of corrections. A store with errors is taken to have them all.
  package init(_ corrections: [Correction], at locator: StoreLocator) {
    var counts: [String: [String: Int]] = [:]
    for correction in corrections { counts[correction.store, default: [:]][correction.section, default: 0] += 1 }
    let known = locator.stores
    var missing: [Missing] = []
    for (store, counts) in counts.sorted(by: { $0.key < $1.key }) {
      if !known.contains(store) {
        missing.append(
          Missing(
            store: store, section: nil, count: counts.values.reduce(0, +), nearest: DidYouMean.nearest(to: store, among: known)))
        continue
      }
      // A store with errors is for `stores check` to tell about.
      guard let taxonomy = try? locator.open(store).taxonomy else { continue }
      let names = taxonomy.sections.map(\.name)
      for (section, count) in counts.sorted(by: { $0.key < $1.key }) where !names.contains(section) {
        missing.append(
          Missing(store: store, section: section, count: count, nearest: DidYouMean.nearest(to: section, among: names)))
      }
    }
    self.missing = missing
  }
}
