import AisleCore

/// What the names in an index mean in a store: looked up once, not for every correction.
final class NameMeanings: Sendable {
  private struct Meaning {
    var name = ""
    let isOwnStore: Bool
    let section: SectionID?
    let shelf: ShelfID?
  }

  private let taxonomy: Taxonomy
  private let index: CorrectionIndex
  /// The first names' meanings; sections, shelves and stores are few, but every person is a name too.
  private let known: [Meaning]

  private static let knownCount = 2048

  init(_ index: CorrectionIndex, in taxonomy: Taxonomy) {
    (self.index, self.taxonomy) = (index, taxonomy)
    known = (0..<min(index.nameCount, Self.knownCount)).map { Self.meaning(UInt32($0), index, taxonomy) }
  }

  private static func meaning(_ number: UInt32, _ index: CorrectionIndex, _ taxonomy: Taxonomy) -> Meaning {
    guard let name = index.name(number) else { return Meaning(isOwnStore: false, section: nil, shelf: nil) }
    return Meaning(
      name: name, isOwnStore: name == taxonomy.store, section: taxonomy.section(named: name),
      shelf: taxonomy.shelf(named: name))
  }

  private func meaning(_ number: UInt32) -> Meaning {
    Int(number) < known.count ? known[Int(number)] : Self.meaning(number, index, taxonomy)
  }

  /// The name itself.
  func name(_ number: UInt32) -> String { meaning(number).name }

  /// Whether a name is that of the store.
  func isOwnStore(_ number: UInt32) -> Bool { meaning(number).isOwnStore }

  /// The store's section of a name.
  func section(_ number: UInt32) -> SectionID? { meaning(number).section }

  /// The store's shelf of a name.
  func shelf(_ number: UInt32) -> ShelfID? { meaning(number).shelf }
}
