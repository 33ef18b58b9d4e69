import AisleCore

/// A store of four sections, small enough to read.
enum SmallStore {
  static let produce = SectionID(rawValue: 0)
  static let dairy = SectionID(rawValue: 1)
  static let pantry = SectionID(rawValue: 2)
  static let other = SectionID(rawValue: 3)

  static let taxonomy: Taxonomy = {
    var builder = SmallStore.builder()
    builder.setFallback(other)
    return builder.build()
  }()

  /// The store's sections, with the shelves `herbs`, `milk` and `spices`.
  static func builder() -> TaxonomyBuilder {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    _ = builder.addSection(Section(name: "Produce", color: .emerald))
    _ = builder.addSection(Section(name: "Dairy & Eggs", color: .blue))
    _ = builder.addSection(Section(name: "Pantry", color: .orange))
    _ = builder.addSection(Section(name: "Other", color: .gray))
    builder.addShelf("herbs", lines: "basil\n~lemon\n", section: produce)
    builder.addShelf("milk", lines: "milk\noat milk\n", section: dairy)
    builder.addShelf("spices", lines: "cumin\n", section: pantry)
    return builder
  }
}

extension TaxonomyBuilder {
  mutating func addShelf(_ name: String, lines: String, section: SectionID) {
    Array(lines.utf8).withUnsafeBufferPointer { addShelf(name, text: $0, path: "shelves/\(name).txt", section: section) }
  }

  mutating func addMoves(_ lines: String) {
    Array(lines.utf8).withUnsafeBufferPointer { addMoves(text: $0, path: "moves.txt") }
  }

  mutating func addSpellings(_ lines: String) {
    Array(lines.utf8).withUnsafeBufferPointer { addSpellings(text: $0, path: "spellings.txt") }
  }
}
