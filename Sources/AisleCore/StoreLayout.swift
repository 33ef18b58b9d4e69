/// How a store places the shelves that several stores share: what its taxonomy is made from besides theirs.
///
/// The shared taxonomy has a section for each shelf, and one for the keywords and patterns of each section that has some of its own; a
/// store's section is a list of those. So the keywords are kept, and indexed, once for all stores.
package struct StoreLayout: Sendable {
  /// The store's id and name.
  package let (store, name): (String, String)
  package let sections: [Section]
  package let fallback: SectionID
  package let matchOrder: [SectionID]
  /// Which of the shared taxonomy's sections each section holds, in the store's order.
  package let parts: [[UInt8]]

  package init(
    store: String, name: String, sections: [Section], fallback: SectionID, matchOrder: [SectionID], parts: [[UInt8]]
  ) {
    (self.store, self.name) = (store, name)
    self.sections = sections
    self.fallback = fallback
    self.matchOrder = matchOrder.isEmpty ? sections.indices.map { SectionID(rawValue: UInt16($0)) } : matchOrder
    self.parts = parts
  }

  /// The layouts as bytes.
  package static func image(_ layouts: [StoreLayout]) -> [UInt8] {
    var writer = ImageWriter()
    writer.write(layouts) { writer, layout in
      writer.write(layout.store)
      writer.write(layout.name)
      writer.write(Array(zip(layout.sections, layout.parts))) { writer, section in
        writer.write(section.0)
        writer.write(section.1) { $0.write(Int($1)) }
      }
      writer.write(Int(layout.fallback.rawValue))
      writer.write(layout.matchOrder) { $0.write(Int($1.rawValue)) }
    }
    return writer.bytes
  }

  /// Reads what `image` wrote; none where it is cut off.
  package static func read(_ bytes: UnsafeRawBufferPointer) -> [StoreLayout] {
    var reader = ImageReader(bytes)
    return reader.list { reader in
      guard let store = reader.text(), let name = reader.text(),
        let sections = reader.list({ reader in
          reader.section().flatMap { section in reader.list { $0.place(below: 256).map(UInt8.init) }.map { (section, $0) } }
        }), let fallback = reader.place(below: sections.count),
        let order = reader.list({ $0.place(below: sections.count).map(SectionID.init) })
      else { return nil }
      return StoreLayout(
        store: store, name: name, sections: sections.map(\.0), fallback: SectionID(rawValue: fallback), matchOrder: order,
        parts: sections.map(\.1))
    } ?? []
  }
}

/// Where a store has what stands in a section of the shared taxonomy.
package struct PlacedPart: BitwiseCopyable {
  /// The store's section, or `absent` for another store's keywords.
  package var section: UInt8
  /// What to add to a keyword's number.
  package var shift: Int32

  @inlinable package static var absent: UInt8 { .max }
}

extension Taxonomy {
  /// The taxonomy of a store that has the shelves of a shared taxonomy, whose keywords stand in the order of its sections.
  ///
  /// - Parameters:
  ///   - starts: Where the shared sections' keywords begin: see `KeywordTable.starts`.
  ///   - places: Becomes where the store has what: a row a section of the shared taxonomy.
  /// - Complexity: O(sections); the keywords' rows are made when the first one is looked at.
  package init(
    _ shared: Taxonomy, laidOut layout: StoreLayout, starts: FlatTable<UInt32>, places: inout ContiguousArray<PlacedPart>
  ) {
    places = ContiguousArray(repeating: PlacedPart(section: PlacedPart.absent, shift: 0), count: shared.sections.count)
    var shelfNumbers = ContiguousArray(repeating: UInt16.max, count: shared.shelves.count)
    var shelves: [Shelf] = []
    var parts: [KeywordPart] = []
    var count = 0
    for (section, numbers) in layout.parts.enumerated() {
      for part in numbers.map(Int.init) {
        var number = UInt16.max
        if let shelf = shared.shelves.firstIndex(where: { Int($0.section.rawValue) == part }) {
          number = UInt16(shelves.count)
          shelfNumbers[shelf] = number
          shelves.append(Shelf(name: shared.shelves[shelf].name, section: SectionID(rawValue: UInt16(section))))
        }
        let keywords = Int(starts[part])..<Int(starts[part + 1])
        places[part] = PlacedPart(section: UInt8(section), shift: Int32(count - keywords.lowerBound))
        parts.append(KeywordPart(keywords: keywords, shelf: number, section: UInt8(section)))
        count += keywords.count
      }
    }
    func moved(_ shelf: ShelfID) -> ShelfID { ShelfID(rawValue: shelfNumbers[Int(shelf.rawValue)]) }
    store = layout.store
    name = layout.name
    sections = layout.sections
    fallback = layout.fallback
    matchOrder = layout.matchOrder
    self.shelves = shelves
    moves = shared.moves.map { Move(word: $0.word, from: $0.from.map(moved), to: moved($0.to), location: $0.location) }
    spellingList = shared.spellingList
    realWords = shared.realWords
    patterns = shared.patterns.compactMap { pattern in
      let section = places[Int(pattern.section.rawValue)].section
      if section == PlacedPart.absent { return nil }
      return Pattern(
        name: pattern.name, expression: pattern.expression, shelf: pattern.shelf.map(moved),
        section: SectionID(rawValue: UInt16(section)), confidence: pattern.confidence, matches: pattern.matches,
        rejects: pattern.rejects, location: pattern.location)
    }
    weights = shared.weights
    languages = shared.languages
    let (keywords, total) = (shared.keywords, count)
    let rows = KeywordRows(count: total) { [parts] in KeywordPart.rows(parts, of: keywords.entries, count: total) }
    self.keywords = KeywordTable(bytes: keywords.bytes, rows: rows, paths: keywords.paths)
  }
}

/// Keywords that stand together in the shared taxonomy and in a store's.
private struct KeywordPart {
  let keywords: Range<Int>
  /// The store's shelf and section.
  let shelf: UInt16
  let section: UInt8

  /// The rows of a store's keywords.
  static func rows(_ parts: [KeywordPart], of shared: FlatTable<KeywordTable.Entry>, count: Int) -> FlatTable<KeywordTable.Entry>
  {
    FlatTable(count: count) { next in
      var next = next
      for part in parts {
        // A plain loop over pointers, since apps open stores in debug builds too.
        var place = shared.address + part.keywords.lowerBound
        let end = shared.address + part.keywords.upperBound
        while place < end {
          next.initialize(to: KeywordTable.Entry(place.pointee, shelf: part.shelf, section: part.section))
          next = next + 1
          place = place + 1
        }
      }
    }
  }
}
