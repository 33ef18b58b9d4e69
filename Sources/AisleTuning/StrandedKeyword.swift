public import AisleCore

/// A removed keyword that, as an item on its own, needs itself to get its section.
public struct StrandedKeyword: Sendable, Hashable {
  /// The removal.
  public let edit: KeywordEdit
  /// The answers to the keyword as an item before and after.
  public let before: SectionID, after: SectionID

  /// The keywords that changes strand: those that are removed and not added again with another strength or elsewhere.
  ///
  /// - Throws: Whatever a strategy throws.
  public static func find(
    in edits: [KeywordEdit], before: (chain: NamedChain, taxonomy: Taxonomy), after: (chain: NamedChain, taxonomy: Taxonomy)
  ) async throws -> [StrandedKeyword] {
    let added = Set(edits.filter { $0.action == .add }.map { Normalizer.normalize($0.text) })
    let removed = edits.filter { $0.action == .remove && !added.contains(Normalizer.normalize($0.text)) }
    if removed.isEmpty { return [] }
    let (was, isNow) = (try await answers(removed, before), try await answers(removed, after))
    return removed.indices.compactMap { place in
      let edit = removed[place]
      guard was[place] == section(of: edit.place, in: before.taxonomy), isNow[place] != was[place] else { return nil }
      return StrandedKeyword(edit: edit, before: was[place], after: isNow[place])
    }
  }

  private static func answers(
    _ edits: [KeywordEdit], _ store: (chain: NamedChain, taxonomy: Taxonomy)
  ) async throws -> [SectionID] {
    var batch = Batch(edits.map(\.text), taxonomy: store.taxonomy)
    try await store.chain.chain.ask(&batch)
    return batch.decisions.map { $0?.section ?? store.taxonomy.fallback }
  }

  private static func section(of place: String, in taxonomy: Taxonomy) -> SectionID? {
    switch KeywordOwner(named: place, in: taxonomy) {
    case .shelf(let shelf): taxonomy[shelf].section
    case .section(let section): section
    case nil: nil
    }
  }
}
