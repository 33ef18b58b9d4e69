import AisleCore

/// A store of three sections with two shelves, small enough to read.
enum SmallStore {
  static func taxonomy() -> Taxonomy {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let produce = builder.addSection(Section(name: "Produce", color: .emerald))
    let dairy = builder.addSection(Section(name: "Dairy & Eggs", color: .blue))
    let other = builder.addSection(Section(name: "Other", color: .gray))
    builder.setFallback(other)
    add("fruit", "apple\n~lemon\n", to: produce, in: &builder)
    add("milk", "milk\n!gelato\n", to: dairy, in: &builder)
    return builder.build()
  }

  private static func add(_ shelf: String, _ lines: String, to section: SectionID, in builder: inout TaxonomyBuilder) {
    var lines = lines
    lines.withUTF8 { builder.addShelf(shelf, text: $0, path: "shelves/\(shelf).txt", section: section) }
  }
}
