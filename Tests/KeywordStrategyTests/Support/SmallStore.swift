import AisleCore

/// Stores of a few keywords, written down in the test that uses them, so that what must come out is known exactly.
enum SmallStore {
  /// A store with a shelf of the same name in each section; each shelf has its keywords, with their signs, in order.
  static func make(
    _ sections: KeyValuePairs<String, [String]>, matchOrder: [String]? = nil, moves: String = "", spellings: String = ""
  ) -> Taxonomy {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    var ids: [String: SectionID] = [:]
    for (name, keywords) in sections {
      let section = builder.addSection(Section(name: name, color: .gray))
      ids[name] = section
      read(keywords.joined(separator: "\n")) { builder.addShelf(name, text: $0, path: "\(name).txt", section: section) }
    }
    if let matchOrder { builder.setMatchOrder(matchOrder.compactMap { ids[$0] }) }
    read(moves) { builder.addMoves(text: $0, path: "moves.txt") }
    read(spellings) { builder.addSpellings(text: $0, path: "spellings.txt") }
    return builder.build()
  }

  private static func read(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    Array(text.utf8).withUnsafeBufferPointer(body)
  }
}
