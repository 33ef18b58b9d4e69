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
  /// The patterns of all shelves and sections: first those of sections, in walking order, then the shared ones.
  public let patterns: [Pattern]
  /// How the phrase rules weigh keywords, and how likely the winner is right.
  public let weights: PhraseWeights

  /// The section with an id; the fallback section for an unknown id.
  public subscript(id: SectionID) -> Section {
    sections[Int(id.rawValue) < sections.count ? Int(id.rawValue) : Int(fallback.rawValue)]
  }

  /// The shelf with an id.
  public subscript(id: ShelfID) -> Shelf { shelves[Int(id.rawValue)] }

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
