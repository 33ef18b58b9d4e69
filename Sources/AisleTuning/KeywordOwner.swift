import AisleCore

/// Whose a keyword is: a shelf's, or a section's own.
enum KeywordOwner: Hashable {
  case shelf(ShelfID)
  case section(SectionID)

  /// The shelf or section of a name; `nil` where there is none.
  init?(named name: String, in taxonomy: Taxonomy) {
    if let shelf = taxonomy.shelf(named: name) {
      self = .shelf(shelf)
      return
    }
    let wanted = name.lowercased()
    guard let section = taxonomy.sections.firstIndex(where: { $0.name.lowercased() == wanted }) else { return nil }
    self = .section(SectionID(rawValue: UInt16(section)))
  }
}
