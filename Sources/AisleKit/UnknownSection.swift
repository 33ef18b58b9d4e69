package import AisleCore

extension Taxonomy {
  /// The section that is meant, and the shelf where it was a shelf's name.
  ///
  /// - Parameters:
  ///   - name: A section's name, in whatever case, or its id; or a shelf's name.
  ///   - sections: The store's sections with their ids.
  /// - Throws: `UnknownSection`.
  package func place(
    named name: String, among sections: [Aisle.Section]
  ) throws(UnknownSection) -> (section: String, shelf: String?) {
    let lowered = name.lowercased()
    if let section = sections.first(where: { $0.name == name })
      ?? sections.first(where: { $0.id == name || $0.name.lowercased() == lowered })
    {
      return (section.name, nil)
    }
    guard let shelf = shelf(named: name) else {
      throw UnknownSection(name: name, store: store, known: sections.map(\.name), shelves: shelves.map(\.name))
    }
    return (self[self[shelf].section].name, name)
  }
}

extension Aisle {
  /// The section that is meant, and the shelf where it was a shelf's name.
  ///
  /// - Throws: `UnknownSection`.
  func place(named name: String) throws(UnknownSection) -> (section: String, shelf: String?) {
    try taxonomy.place(named: name, among: sections)
  }
}

/// A section that the store does not have.
public struct UnknownSection: Error, Sendable, Hashable, CustomStringConvertible {
  /// The section asked for.
  public let name: String
  /// The store.
  public let store: String
  /// The sections there are.
  public let known: [String]
  private let shelves: [String]

  init(name: String, store: String, known: [String], shelves: [String]) {
    (self.name, self.store, self.known, self.shelves) = (name, store, known, shelves)
  }

  /// What is wrong and what to do, in one line.
  public var description: String {
    let hints = [DidYouMean.hint(name, among: known), DidYouMean.hint(name, among: shelves)]
    return
      "no section or shelf `\(name)` in \(store)\(hints.first { !$0.isEmpty } ?? "; available: \(known.joined(separator: ", "))")"
  }
}
