import AisleCore

extension PhraseIndex {
  /// The index of a store that has the shelves of a taxonomy that several stores share.
  ///
  /// Where words and phrases are found stays as it is; what ends there is the store's, and other stores' own words are unknown.
  ///
  /// - Parameters:
  ///   - taxonomy: The store's, made by `Taxonomy.init(_:laidOut:places:)`.
  ///   - shared: The index of the shared taxonomy.
  ///   - places: Where the store has what: a row a section of the shared taxonomy.
  /// - Complexity: O(words and phrases); about 1 ns each in a release build.
  convenience init(_ taxonomy: Taxonomy, sharing shared: PhraseIndex, places: ContiguousArray<PlacedPart>) {
    let placing = Placing(places)
    var tables = shared.tables
    tables.words = placing.rows(tables.words, areWords: true, without: Self.strangers(tables.ownWords, places))
    tables.phrases = placing.rows(tables.phrases)
    tables.doubles = placing.doubles(tables.doubles)
    self.init(taxonomy, tables, moveWords: shared.moveWords)
  }

  /// The words that only other stores' own keywords hold.
  private static func strangers(_ words: FlatTable<OwnWord>, _ places: ContiguousArray<PlacedPart>) -> Set<UInt32> {
    let isAbsent = { (word: OwnWord) in places[Int(word.section)].section == PlacedPart.absent }
    let own = Set(words.lazy.filter { !isAbsent($0) }.map(\.number))
    return Set(words.lazy.filter(isAbsent).map(\.number)).subtracting(own)
  }
}

/// Puts a store's sections and keywords in the place of the shared ones.
private struct Placing {
  /// What an ending of a shared section becomes.
  private struct Part: BitwiseCopyable {
    /// The bits of the store's section; all bits where the store has none of it.
    var bits: UInt32
    /// What to add to a keyword's number, modulo 2³².
    var shift: UInt32
  }

  /// A row a number that a section can have; that of no section stays as it is.
  private let parts: FlatTable<Part>

  init(_ places: ContiguousArray<PlacedPart>) {
    var parts = ContiguousArray(repeating: Part(bits: PhraseIndex.Ending.none.rawValue, shift: 0), count: 256)
    for (section, place) in places.enumerated() where place.section != PlacedPart.absent {
      parts[section] = Part(bits: PhraseIndex.Ending.bits(ofSection: place.section), shift: UInt32(bitPattern: place.shift))
    }
    self.parts = FlatTable(parts)
  }

  @inline(__always)
  private func placed(_ ending: PhraseIndex.Ending) -> PhraseIndex.Ending {
    let part = parts.address[Int(ending.section)]
    return ending.moved(toSection: part.bits, by: part.shift)
  }

  /// Places what ends at the rows of words, or of phrases.
  ///
  /// - Parameters:
  ///   - areWords: Whether they are rows of words, some of which lead to other words.
  ///   - strangers: Words that are unknown to the store.
  func rows(
    _ rows: FlatTable<PhraseIndex.Row>, areWords: Bool = false, without strangers: Set<UInt32> = []
  ) -> FlatTable<PhraseIndex.Row> {
    // What would be a role is part of a phrase's hash.
    let alias = areWords ? PhraseIndex.aliasRole : PhraseIndex.roleCount
    return FlatTable(count: rows.count) { start in
      // A plain loop over pointers, since apps open stores in debug builds too.
      var place = 0
      while place < rows.endIndex {
        let row = rows.address[place]
        // Empty rows stay too.
        let stays: UInt64 = (row.isDouble ? 1 : 0) | (row.tag == 0 ? 1 : 0) | (row.role == alias ? 1 : 0)
        (start + place).initialize(to: row.ending(placed(row.ending), if: stays ^ 1))
        place &+= 1
      }
      if strangers.isEmpty { return }
      for word in strangers { start[Int(word) - 1] = .unknown }
      place = 0
      while place < rows.endIndex {
        if start[place].role == alias, strangers.contains(start[place].ending.rawValue) { start[place] = .unknown }
        place &+= 1
      }
    }
  }

  func doubles(_ doubles: FlatTable<PhraseIndex.Double>) -> FlatTable<PhraseIndex.Double> {
    FlatTable(
      ContiguousArray(
        doubles.lazy.map { PhraseIndex.Double(singular: placed($0.singular), plural: placed($0.plural)) }))
  }
}
