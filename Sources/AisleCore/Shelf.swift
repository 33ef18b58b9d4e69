/// Products that are kept together in any store, e.g. `nut-butters`.
public struct Shelf: Sendable, Hashable {
  /// The shelf's name: lowercase letters, digits, and hyphens.
  public let name: String
  /// The section that the taxonomy places the shelf in.
  public let section: SectionID

  /// Makes a shelf that a section holds.
  public init(name: String, section: SectionID) {
    self.name = name
    self.section = section
  }

  /// Whether `name` is a valid shelf name: 1…64 characters of `a`–`z`, `0`–`9`, and `-`, so that it is also a safe file name.
  public static func isValid(name: String) -> Bool {
    let bytes = name.utf8
    return (1...64).contains(bytes.count)
      && bytes.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D }
  }
}

/// A shelf's number: its place in `Taxonomy.shelves`, from 0.
public struct ShelfID: Sendable, Hashable, RawRepresentable {
  /// The place in `Taxonomy.shelves`.
  public let rawValue: UInt16

  /// Makes the id of the shelf at a place in `Taxonomy.shelves`.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}
