/// A store's sections, each with its shelves and own keywords, and the fallback section.
public struct Taxonomy: Sendable {
  /// The store's id, e.g. `kroger`: what `--store` takes.
  public let store: String
  /// The store's name as people write it, e.g. `Kroger`.
  public let name: String
  /// The sections in walking order; at most 255.
  public let sections: [Section]
  /// The section of items that no strategy decides.
  public let fallback: SectionID
  /// The order in which the classic substring mode walks the sections.
  public let matchOrder: [SectionID]
  /// The shelves of all sections.
  public let shelves: [Shelf]
  /// The keywords of all shelves and sections.
  public let keywords: KeywordTable
  /// The words that move products from one shelf to another.
  public let moves: [Move]
  /// Other spellings and short forms of words. Deciding needs none of them, so a taxonomy from an image reads them on each access.
  public var spellings: [Spelling] { spellingList.all }
  let spellingList: SpellingList
  /// Words that are no misspelling of a keyword's, a line each: `words.txt`.
  package let realWords: String
  /// The patterns of all shelves and sections: first those of sections, in walking order, then the shared ones.
  public let patterns: [Pattern]
  /// How the phrase rules weigh keywords, and how likely the winner is right.
  public internal(set) var weights: PhraseWeights
  /// The languages that it is read in, the one that counts first before the others; empty for English alone.
  public let languages: [Language]

  /// Whether the language that counts first is English, which alone the trained model has learned.
  package var isEnglish: Bool { languages.first.map { $0.id == Language.english } ?? true }

  /// The section with an id; the fallback section for an unknown id.
  public subscript(id: SectionID) -> Section {
    sections[Int(id.rawValue) < sections.count ? Int(id.rawValue) : Int(fallback.rawValue)]
  }

  /// The shelf with an id.
  public subscript(id: ShelfID) -> Shelf { shelves[Int(id.rawValue)] }

  /// The pattern with an id; `nil` for an id from elsewhere.
  public func pattern(_ id: PatternID) -> Pattern? {
    patterns.indices.contains(Int(id.rawValue)) ? patterns[Int(id.rawValue)] : nil
  }

  /// The move at a place; `nil` where there is none.
  public func move(_ place: UInt16) -> Move? { moves.indices.contains(Int(place)) ? moves[Int(place)] : nil }

  /// The shelf with an id; `nil` for an id from elsewhere.
  public func shelf(_ id: ShelfID) -> Shelf? { shelves.indices.contains(Int(id.rawValue)) ? shelves[Int(id.rawValue)] : nil }

  /// The id of the section with exactly this name.
  ///
  /// - Complexity: O(sections).
  public func section(named name: String) -> SectionID? {
    sections.firstIndex { $0.name == name }.map { SectionID(rawValue: UInt16($0)) }
  }

  /// The id of the shelf with exactly this name.
  ///
  /// - Complexity: O(shelves).
  public func shelf(named name: String) -> ShelfID? {
    shelves.firstIndex { $0.name == name }.map { ShelfID(rawValue: UInt16($0)) }
  }
}

extension Taxonomy {
  /// Whether the numbers of another taxonomy mean the same in this one: of sections, shelves, keywords, moves, and patterns.
  ///
  /// - Complexity: O(1) for copies of one taxonomy; else O(bytes of the keywords).
  public func hasSameNumbers(as other: Taxonomy) -> Bool {
    store == other.store && fallback == other.fallback && sections == other.sections && shelves == other.shelves
      && keywords.isSame(as: other.keywords) && moves == other.moves && patterns == other.patterns
  }

  /// The same with other weights.
  package func weighing(by weights: PhraseWeights) -> Taxonomy {
    var taxonomy = self
    taxonomy.weights = weights
    return taxonomy
  }
}

/// A strategy, or a batch, that was made for another taxonomy than it is used with: the numbers of sections and keywords in its decisions
/// would mean something else.
public struct TaxonomyMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// The strategy's id; `nil` where it is the batch.
  public let strategy: String?
  /// The store that it was made for.
  public let found: String
  /// The store that it is used with.
  public let expected: String

  /// Describes a mismatch.
  public init(strategy: String?, found: String, expected: String) {
    (self.strategy, self.found, self.expected) = (strategy, found, expected)
  }

  /// What is wrong and what to do, in one line.
  public var description: String {
    let what = strategy.map { "strategy `\($0)`" } ?? "the batch"
    let isSameStore = found == expected
    return
      "\(what) was made for \(isSameStore ? "another version of store" : "store") `\(found)` and is used with `\(expected)`; "
      + "make both from the same taxonomy"
  }
}

/// A word that moves products from some shelves to another one, wherever it appears in the item: `dried` moves herbs to the spices.
public struct Move: Sendable, Hashable {
  /// The word, e.g. `frozen`.
  public let word: String
  /// The shelves whose products it moves; empty for all shelves.
  public let from: [ShelfID]
  /// The shelf that it moves them to.
  public let to: ShelfID
  /// Where the move is written.
  public let location: SourceLocation
}

/// Another way to write a word or a short name: `yoghurt = yogurt`, `oj = orange juice`.
public struct Spelling: Sendable, Hashable {
  /// The other way to write it.
  public let variant: String
  /// What it stands for.
  public let standard: String
  /// Where the spelling is written.
  public let location: SourceLocation
}
