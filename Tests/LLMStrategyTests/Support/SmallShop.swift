import AisleCore

/// A store of three sections.
enum SmallShop {
  static let names = ["Produce", "Dairy & Eggs", "Other"]

  static func taxonomy() -> Taxonomy {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    for name in names {
      let section = builder.addSection(Section(name: name, color: .gray))
      if name == "Other" { builder.setFallback(section) }
    }
    return builder.build()
  }
}
