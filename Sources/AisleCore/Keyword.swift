/// A word or phrase that speaks for a shelf or a section.
public struct Keyword: Sendable, Hashable {
  /// The keyword as written in its file, without its strength sign.
  public let text: String
  /// How strongly it speaks.
  public let strength: Strength
  /// The shelf it stands on; `nil` when it is a section's own.
  public let shelf: ShelfID?
  /// The section it speaks for.
  public let section: SectionID
  /// Where it stands.
  public let location: SourceLocation

  /// How strongly a keyword speaks for its section, weakest first.
  ///
  /// In a file the sign before the keyword says it: `?` descriptor, `~` flavor, none for a good, `!` decisive.
  public enum Strength: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// A hint that counts only where nothing else is known: `?reserve`, `?unscented`.
    case descriptor
    /// An ingredient or flavor, a good only when it stands alone: `~lemon`, `~cheddar`.
    case flavor
    /// The name of the thing itself: `peanut butter`.
    case good
    /// Settles the section wherever it stands: `!gelato`.
    case decisive

    /// Weaker strengths order before stronger ones.
    public static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }

    /// The sign that writes this strength in a file.
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
