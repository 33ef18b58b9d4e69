/// A word or phrase that points to a shelf or a section.
public struct Keyword: Sendable, Hashable {
  /// The keyword as written in its file, without its strength sign.
  public let text: String
  /// Its strength.
  public let strength: Strength
  /// The shelf it is on; `nil` for a section's own keyword.
  public let shelf: ShelfID?
  /// The section it points to.
  public let section: SectionID
  /// Where it is written.
  public let location: SourceLocation

  /// How strongly a keyword points to its section, weakest first.
  ///
  /// In a file, a sign before the keyword shows its strength: `?` descriptor, `~` flavor, no sign for a product, `!` decisive.
  public enum Strength: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// A hint that counts only if nothing else is known: `?reserve`, `?unscented`.
    case descriptor
    /// An ingredient or flavor, which is the product only when it is alone: `~lemon`, `~cheddar`.
    case flavor
    /// The name of the product itself: `peanut butter`.
    case good
    /// Decides the section wherever it appears in the item: `!gelato`.
    case decisive

    /// Weaker strengths order before stronger ones.
    public static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }

    /// The sign for this strength in a file.
    public var sign: String {
      switch self {
      case .descriptor: "?"
      case .flavor: "~"
      case .good: ""
      case .decisive: "!"
      }
    }
  }
}

/// A keyword's number: its place in `Taxonomy.keywords`, from 0.
public struct KeywordID: Sendable, Hashable, RawRepresentable {
  /// The place in `Taxonomy.keywords`.
  public let rawValue: UInt32

  /// Makes the id of the keyword at a place in `Taxonomy.keywords`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
