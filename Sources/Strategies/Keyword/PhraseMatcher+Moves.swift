import AisleCore

/// Takes products elsewhere by a word beside them: `dried` takes herbs to the spices.
extension PhraseMatcher {
  /// The first move, in the order of the file, of a word outside the winner that takes its shelf elsewhere.
  ///
  /// A word inside another phrase moves nothing ("hot dog" is no dog), unless the phrase only accompanies ("tuna in olive oil") or
  /// overlaps the winner and stands where the move leads ("frozen swai fillets").
  func move(_ winner: Candidate, _ found: Int, _ contained: UInt64) -> MoveTable.Row? {
    var (moving, joining) = moversAndJoiners
    // Words of the winner move nothing, nor does what another amount brings.
    moving &= ~winner.words
    var place = Int(winner.last) &+ 1
    while place < words.count, moving &>> UInt64(place) != 0 {
      if addsAmount(place) { moving &= (1 &<< UInt64(place)) &- 1 }
      place &+= 1
    }
    let countsPieces = moving &>> UInt64(winner.last) != 0 && countsPieces
    var best: MoveTable.Row?
    while moving != 0 {
      let place = moving.trailingZeroBitCount
      moving &= moving &- 1
      if place > 0, roles[place &- 1] & Grammar.Role.unsaysAfter.rawValue != 0 { continue }  // "thawed if frozen"
      if countsPieces, place > winner.last {
        let isApart = words.hasBreaks && words.segments[place] != winner.segment
        if prepares(place) || isApart && isPreparation(words.segments[place]) { continue }
      }
      let isFree = contained &>> UInt64(place) & 1 == 0
      let joined = accompanying(place, joining)
      for move in index.moves.moves(of: numbers[place]) {
        if let best, move.number >= best.number { break }
        let applies =
          move.accompanying == .nothing ? isFree || agrees(move.section, place, winner, found) : move.accompanying == joined
        guard applies, index.moves.takes(move, from: shelf(of: winner)) else { continue }
        best = move
        break
      }
    }
    return best
  }

  /// The words that move goods and those that join, a bit each. The first word of an item joins nothing.
  @inline(__always)
  private var moversAndJoiners: (moving: UInt64, joining: UInt64) {
    var (moving, joining) = (UInt64(0), UInt64(0))
    for place in 0..<words.count {
      moving |= UInt64(roles[place] & Grammar.Role.moves.rawValue == 0 ? 0 : 1) &<< UInt64(place)
      joining |= UInt64(roles[place] & Grammar.Role.joins.rawValue == 0 ? 0 : 1) &<< UInt64(place)
    }
    return (moving, joining & ~1)
  }

  /// What joins a word to the head, given the words that join, a bit each.
  @inline(__always)
  private func accompanying(_ place: Int, _ joining: UInt64) -> MoveTable.Accompanying {
    let before = joining & (UInt64.max &>> UInt64(63 &- place))
    if before == 0 { return .nothing }
    // Of the words that join, only "in" measures too, as inches.
    return roles[63 &- before.leadingZeroBitCount] & Grammar.Role.measure.rawValue == 0 ? .afterWith : .afterIn
  }

  @inline(__always)
  private func shelf(of candidate: Candidate) -> UInt16 {
    index.taxonomy.keywords.firstEntry[Int(candidate.ending.keyword.rawValue)].shelf
  }

  /// Whether the phrase around a word overlaps the winner and stands in a section.
  private func agrees(_ section: UInt8, _ place: Int, _ winner: Candidate, _ found: Int) -> Bool {
    for number in 0..<found where candidates[number].first <= place && place <= candidates[number].last {
      let phrase = candidates[number]
      if phrase.ending.section == section, phrase.last >= winner.first, phrase.first <= winner.last { return true }
    }
    return false
  }
}
