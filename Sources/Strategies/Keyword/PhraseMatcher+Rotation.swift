import AisleCore

/// Reads names that stand the other way round, as labels and catalogues write them: "dressing, ranch".
extension PhraseMatcher {
  /// The keyword that the item's first part makes when it is read after its second: "dressing, ranch", "tomatoes (diced)"; where there is
  /// none, the one that both make as they stand.
  ///
  /// What is read so may not begin inside a keyword that was found ("peanut butter (organic)" is no organic butter), nor be a number
  /// alone ("1) chocolate").
  ///
  /// - Parameter found: How many candidates there are so far.
  func rotated(_ wordCount: Int, _ found: Int) -> Candidate? {
    var split = 0
    while split < wordCount, words.segments[split] == words.segments[0] { split += 1 }
    guard (1...3).contains(split), split < wordCount else { return nil }
    var limit = split
    while limit < min(wordCount, split + 3), words.segments[limit] == words.segments[split], isContent(limit) { limit += 1 }
    // A step of a recipe: "shallots, fried in oil".
    for place in split..<wordCount where words.segments[place] == words.segments[split] {
      if roles[place] & Self.cuts != 0 { return nil }
    }
    if countsPieces, isPreparation(words.segments[split]) { return nil }
    for end in stride(from: limit, to: split, by: -1) {
      for first in 0..<split where (first..<split).contains(where: isContent) && !isInside(first, found) {
        if let ending = ending(split..<end, then: first..<split) {
          return isTorn(ending, from: first, split, end, found) ? nil : across(ending, from: first, to: end)
        }
      }
    }
    return continued(split, limit, wordCount, found)
  }

  /// Whether a keyword takes a word of the second part away from the next, while the first part is a product of another section: "soup, hand
  /// crafted" is no hand soap. A next word that only describes, or that stands where the keyword does, lets it go.
  private func isTorn(_ ending: PhraseIndex.Ending, from first: Int, _ split: Int, _ end: Int, _ found: Int) -> Bool {
    // "Fresh" goes with whatever comes.
    guard end < words.count, words.segments[end] == words.segments[split], isContent(end),
      (roles[end] | roles[end &- 1]) & Grammar.Role.silent.rawValue == 0
    else { return false }
    var isProduct = false
    for number in 0..<found {
      let candidate = candidates[number]
      if Int(candidate.first) == end, candidate.strength == 0 || candidate.ending.section == ending.section { return false }
      isProduct =
        isProduct
        || Int(candidate.first) <= first && Int(candidate.last) == split &- 1
          && candidate.strength >= Keyword.Strength.good.rawValue && candidate.ending.section != ending.section
    }
    return isProduct
  }

  /// The keyword that an item of a few words makes when its first word is read last: "sauce hoisin", "dressing blue cheese". The first
  /// word must be a product by itself, no weaker than the last, and no keyword may join it with the next.
  @inline(__always)
  func reversed(_ known: UInt64, _ found: Int) -> Candidate? {
    let count = words.count
    guard found > 0, (2...4).contains(count), known == 1 &<< UInt64(count) &- 1 else { return nil }
    let first = candidates[0]
    let names = Keyword.Strength.flavor.rawValue...Keyword.Strength.good.rawValue
    guard first.last == 0, names ~= first.strength, candidates[found - 1].strength <= first.strength,
      roles[0] & Grammar.Role.silent.rawValue == 0,
      let ending = ending(1..<count, then: 0..<1), ending.strength >= Keyword.Strength.flavor.rawValue
    else { return nil }
    return across(ending, from: 0, to: count)
  }

  /// The keyword that the item's first part and the whole of its second make as they stand: "garlic, powder".
  private func continued(_ split: Int, _ limit: Int, _ wordCount: Int, _ found: Int) -> Candidate? {
    let isWhole = limit == wordCount || words.segments[limit] != words.segments[split] || !isContent(limit)
    guard limit > split, isWhole else { return nil }
    for first in 0..<split where isContent(first) && !isInside(first, found) {
      if let ending = ending(first..<split, then: split..<limit) { return across(ending, from: first, to: limit) }
    }
    return nil
  }

  /// The candidate for a keyword whose words stand in both parts.
  private func across(_ ending: PhraseIndex.Ending, from first: Int, to end: Int) -> Candidate {
    Candidate(
      ending: ending, first: UInt8(first), last: UInt8(end - 1), zone: Zone.head, segment: 0, strength: ending.strength,
      isRotated: true)
  }

  /// Whether a keyword that was found begins before a word and goes on with it.
  private func isInside(_ place: Int, _ found: Int) -> Bool {
    (0..<found).contains { candidates[$0].first < place && place <= candidates[$0].last }
  }

  /// Whether a word is more than a number or a measure.
  private func isContent(_ place: Int) -> Bool {
    !words.marks[place].contains(.digit) && roles[place] & Grammar.Role.measure.rawValue == 0
  }

  /// The keyword that the words `tail` make when those of `head` follow them.
  private func ending(_ tail: Range<Int>, then head: Range<Int>) -> PhraseIndex.Ending? {
    guard numbers[tail.lowerBound] != 0 else { return nil }
    var row = finder.row(numbers[tail.lowerBound])
    var hash = UInt64(numbers[tail.lowerBound])
    for step in 1..<tail.count &+ head.count {
      let place = step < tail.count ? tail.lowerBound &+ step : head.lowerBound &+ step &- tail.count
      guard let next = finder.next(row, &hash, numbers[place]) else { return nil }
      row = next
    }
    let ending = finder.ending(row, isPlural: words.marks[head.upperBound &- 1].contains(.plural))
    return ending != .none && index.holds(ending) ? ending : nil
  }
}
