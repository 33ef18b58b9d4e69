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
    var tables = shared.tables
    let strangers = Self.strangers(tables.ownWords, places)
    tables.words = places.withUnsafeBufferPointer { places in
      Self.map(tables.words) { row in
        if row.role == Self.aliasRole { return strangers.contains(row.ending.rawValue) ? .unknown : row }
        return row.placed(places)
      } also: { rows in
        for word in strangers { rows[Int(word) - 1] = .unknown }
      }
    }
    tables.phrases = places.withUnsafeBufferPointer { places in Self.map(tables.phrases) { $0.placed(places) } }
    tables.doubles = places.withUnsafeBufferPointer { places in
      Self.map(tables.doubles) { Double(singular: $0.singular.placed(places), plural: $0.plural.placed(places)) }
    }
    self.init(taxonomy, tables)
  }

  /// The words that only other stores' own keywords hold.
  private static func strangers(_ words: FlatTable<OwnWord>, _ places: ContiguousArray<PlacedPart>) -> Set<UInt32> {
    let isAbsent = { (word: OwnWord) in places[Int(word.section)].section == PlacedPart.absent }
    let own = Set(words.lazy.filter { !isAbsent($0) }.map(\.number))
    return Set(words.lazy.filter(isAbsent).map(\.number)).subtracting(own)
  }

  private static func map<Row>(
    _ table: FlatTable<Row>, _ body: (Row) -> Row, also change: (UnsafeMutablePointer<Row>) -> Void = { _ in }
  ) -> FlatTable<Row> {
    FlatTable(count: table.count) { start in
      // A plain loop over pointers, since apps open stores in debug builds too.
      var place = 0
      while place < table.endIndex {
        (start + place).initialize(to: body(table.address[place]))
        place &+= 1
      }
      change(start)
    }
  }
}

extension PhraseIndex.Row {
  /// The row with what ends here where a store has it.
  fileprivate func placed(_ places: UnsafeBufferPointer<PlacedPart>) -> Self {
    // An empty row, and one that leads elsewhere, stay.
    isDouble || tag == 0 ? self : ending(ending.placed(places))
  }
}

extension PhraseIndex.Ending {
  /// The ending with the store's section and keyword; none for another store's own keyword.
  fileprivate func placed(_ places: UnsafeBufferPointer<PlacedPart>) -> Self {
    if self == .none { return self }
    let place = places[Int(section)]
    return place.section == PlacedPart.absent ? .none : moved(to: place.section, by: place.shift)
  }
}
