import AisleCore
import LearnedStrategy

/// Accepts and dismisses suggestions, with sections as people write them.
struct SuggestionDecision {
  let store: CorrectionStore
  /// Gives a store's sections; `nil` where they are not to be had.
  let taxonomy: (String) -> Taxonomy?

  /// Accepts suggestions.
  ///
  /// - Parameters:
  ///   - section: Another section than the proposed one; it must be one of the store's.
  ///   - person: Who accepts them.
  /// - Throws: `CorrectionStoreError`; `CommandFailure` for a section that is not there.
  func accept(_ ids: [Int], section: String?, by person: String) throws -> CorrectionStore.DecisionOutcome {
    var section = section
    if let named = section {
      let stores = Set(try store.suggestions(nil).filter { ids.contains($0.id) }.map(\.suggestion.store))
      for id in stores.sorted() {
        guard let taxonomy = taxonomy(id) else {
          throw CommandFailure(description: "no store `\(id)` to find section `\(named)` in")
        }
        section = try SectionName.find(named, in: taxonomy)
      }
    }
    return try store.decide(ids, .accept, section: section, by: person, time: Timestamp.now)
  }
}
