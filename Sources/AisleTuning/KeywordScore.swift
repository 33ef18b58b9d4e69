public import AisleCore

/// The effect of a keyword, pattern, or move on a corpus.
public struct KeywordScore: Sendable {
  /// What is scored.
  public enum Subject: Sendable, Hashable {
    case keyword(KeywordID)
    case pattern(PatternID)
    /// A move: an index into `Taxonomy.moves`.
    case move(Int)
  }

  /// What can be wrong with a keyword, with or without regard to the corpus.
  public enum Fault: String, Sendable, CaseIterable {
    /// No item can contain it.
    case dead
    /// Another keyword decides every item that contains it.
    case shadowed
    /// It repeats an earlier keyword.
    case duplicate
    /// As an item on its own, it goes to a different section than its own.
    case contradicting
  }

  /// An item that shows what goes wrong.
  public struct Example: Sendable, Hashable {
    /// The item: an index into `Corpus.entries`.
    public let entry: UInt32
    /// The section in the answer.
    public let answer: SectionID
    /// The best correct section.
    public let expected: SectionID
    /// Whether another keyword decided although this one would have been right.
    public let isMissed: Bool
    /// A keyword in the item that would have been right; `nil` if there is none, or if it is the keyword that this example belongs to.
    public let better: KeywordID?
  }

  /// What is scored.
  public let subject: Subject
  /// The items that contain it outside of longer keywords. For a move, the items that it moved.
  public internal(set) var items = 0
  /// The items of these without any other keyword or pattern.
  public internal(set) var alone = 0
  /// The items of these with another keyword or pattern.
  public internal(set) var overlaps = 0
  /// The items of these with a keyword or pattern of another section.
  public internal(set) var conflicts = 0
  /// The items that it decided correctly.
  public internal(set) var right = 0
  /// The items that it decided wrongly.
  public internal(set) var wrong = 0
  /// The items that another keyword decided wrongly and this one would have got right.
  public internal(set) var missed = 0
  /// What is wrong with it.
  public internal(set) var faults: [Fault] = []
  /// What decides in its place if it is shadowed, a duplicate, or contradicting: as written, with its location.
  public internal(set) var rival: String?
  /// The worst items: wrong ones, most confident first, then missed ones. None is from the holdout.
  public internal(set) var examples: [Example] = []

  /// The share of right answers among the items that it decided, in 0…1; `nil` if it decided none.
  public var precision: Double? { right + wrong == 0 ? nil : Double(right) / Double(right + wrong) }

  init(_ subject: Subject) { self.subject = subject }
}

/// Two shelves in different sections whose keywords occur in the same items.
public struct ShelfFight: Sendable {
  /// The name of the shelf, or of the section for its own keywords.
  public let first: String, second: String
  /// The items with keywords of both shelves that one of them decides.
  public internal(set) var items = 0
  /// How many of these the first shelf decides wrongly.
  public internal(set) var firstWins = 0, firstWrong = 0
  /// How many of these the second shelf decides wrongly.
  public internal(set) var secondWins = 0, secondWrong = 0
  /// Items with wrong answers. None is from the holdout.
  public internal(set) var examples: [KeywordScore.Example] = []

  /// How many are answered wrongly.
  public var wrong: Int { firstWrong + secondWrong }
}
