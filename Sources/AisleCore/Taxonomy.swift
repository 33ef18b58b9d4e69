/// A store's sections, each with its shelves and own keywords, and the section for what nothing decides.
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
  /// The words that move goods from one shelf to another.
  public let moves: [Move]
  /// Other spellings and short forms of words. Of a taxonomy taken up from an image they are read each time that they are asked for,
  /// since deciding needs none of them.
  public var spellings: [Spelling] { spellingList.all }
  let spellingList: SpellingList
  /// The patterns of all shelves and sections: first the sections' own in walking order, then the shared ones.
  public let patterns: [Pattern]
  /// How the phrase rules weigh keywords, and how likely the one that wins is right.
  public let weights: PhraseWeights

  /// The section with an id; the fallback for an id from elsewhere.
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

/// A word that moves goods of some shelves to another, wherever in the item it stands: `dried` moves herbs to the spices.
public struct Move: Sendable, Hashable {
  /// The word, e.g. `frozen`.
  public let word: String
  /// The shelves whose goods it moves; empty for every shelf.
  public let from: [ShelfID]
  /// The shelf it moves them to.
  public let to: ShelfID
  /// Where the move stands.
  public let location: SourceLocation
}

/// Another way to write a word or a short name: `yoghurt = yogurt`, `oj = orange juice`.
public struct Spelling: Sendable, Hashable {
  /// What people also write.
  public let variant: String
  /// What it stands for.
  public let standard: String
  /// Where the spelling stands.
  public let location: SourceLocation
}
