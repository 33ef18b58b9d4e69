public import AisleCore

/// What a keyword, pattern or move does on a corpus.
public struct KeywordScore: Sendable {
  /// What is scored.
  public enum Subject: Sendable, Hashable {
    case keyword(KeywordID)
    case pattern(PatternID)
    /// A move: its place in `Taxonomy.moves`.
    case move(Int)
  }

  /// What can be wrong with a keyword whatever the corpus says, or on it.
  public enum Fault: String, Sendable, CaseIterable {
    /// No item can hold it.
    case dead
    /// Another keyword always decides where it stands.
    case shadowed
    /// It is the same as a keyword before it.
    case duplicate
    /// As an item by itself it is sent to another section than its own.
    case contradicting
  }

  /// An item that shows what goes wrong.
  public struct Example: Sendable, Hashable {
    /// The item: a place in `Corpus.entries`.
    public let entry: UInt32
    /// The section that was answered.
    public let answer: SectionID
    /// The best of those that are right.
    public let expected: SectionID
    /// Whether another keyword decided, where this one would have been right.
    public let isMissed: Bool
    /// A keyword in the item that would have been right; `nil` where there is none, or it is the one whose example this is.
    public let better: KeywordID?
  }

  /// What is scored.
  public let subject: Subject
  /// The items that it stands in and speaks for: in no longer keyword. Of a move, those that it moved.
  public internal(set) var items = 0
  /// Those of them that no other keyword or pattern speaks for.
  public internal(set) var alone = 0
  /// Those in which another keyword or pattern speaks too.
  public internal(set) var overlaps = 0
  /// Those in which one speaks for another section.
  public internal(set) var conflicts = 0
  /// The items that it decided, and rightly.
  public internal(set) var right = 0
  /// The items that it decided, and wrongly.
  public internal(set) var wrong = 0
  /// The wrong answers of others where it stands and would have been right.
  public internal(set) var missed = 0
  /// What is wrong with it.
  public internal(set) var faults: [Fault] = []
  /// What decides in its place, where it is shadowed, duplicate or contradicting: as it is written, with its place.
  public internal(set) var rival: String?
  /// The worst items: wrong ones, the surest first, then missed ones. None is of the holdout.
  public internal(set) var examples: [Example] = []

  /// The share of right ones among the items that it decided, in 0…1; `nil` where it decided none.
  public var precision: Double? { right + wrong == 0 ? nil : Double(right) / Double(right + wrong) }

  init(_ subject: Subject) { self.subject = subject }
}

/// Two shelves of different sections whose keywords stand in the same items.
public struct ShelfFight: Sendable {
  /// The name of the shelf, or of the section for its own keywords.
  public let first: String, second: String
  /// The items that keywords of both stand in, and one of them decides.
  public internal(set) var items = 0
  /// How many of these the first decides, and wrongly.
  public internal(set) var firstWins = 0, firstWrong = 0
  /// How many of these the second decides, and wrongly.
  public internal(set) var secondWins = 0, secondWrong = 0
  /// Items that went wrong. None is of the holdout.
  public internal(set) var examples: [KeywordScore.Example] = []

  /// How many are answered wrongly.
  public var wrong: Int { firstWrong + secondWrong }
}
