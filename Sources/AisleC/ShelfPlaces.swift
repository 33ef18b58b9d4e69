import AisleCore

/// Which shelf a decision rests on, by numbers alone: see `Answer.shelf`, which says the same by name.
struct ShelfPlaces: Sendable {
  private let keywords: KeywordTable
  /// The sections of shelves, and the shelves of moves and of patterns; -1 for none.
  private let (sections, moves, patterns): (FlatTable<Int32>, FlatTable<Int32>, FlatTable<Int32>)

  init(_ taxonomy: Taxonomy) {
    keywords = taxonomy.keywords
    sections = FlatTable(ContiguousArray(taxonomy.shelves.map { Int32($0.section.rawValue) }))
    moves = FlatTable(ContiguousArray(taxonomy.moves.map { Int32($0.to.rawValue) }))
    patterns = FlatTable(ContiguousArray(taxonomy.patterns.map { $0.shelf.map { Int32($0.rawValue) } ?? -1 }))
  }

  /// The shelf, where it stands in the section that was decided; else -1.
  @inline(__always)
  func shelf(of decision: Decision) -> Int32 {
    let evidence = decision.evidence
    var shelf: Int32 = -1
    if let move = evidence.move, Int(move) < moves.count {
      shelf = moves[Int(move)]
    } else if let known = evidence.shelf {
      shelf = Int32(known.rawValue)
    } else if let keyword = evidence.keyword, Int(keyword.rawValue) < keywords.count {
      let number = keywords.firstEntry[Int(keyword.rawValue)].shelf
      shelf = number == .max ? -1 : Int32(number)
    }
    if shelf < 0, let pattern = evidence.pattern, Int(pattern.rawValue) < patterns.count {
      shelf = patterns[Int(pattern.rawValue)]
    }
    guard shelf >= 0, Int(shelf) < sections.count, sections[Int(shelf)] == Int32(decision.section.rawValue) else { return -1 }
    return shelf
  }
}
