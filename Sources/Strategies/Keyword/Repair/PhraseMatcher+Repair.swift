import AisleCore

/// Decides items whose unknown words may have been meant as others.
extension PhraseMatcher {
  /// Whether an unknown word may be the product, or a part of its name: nothing is known, or of a few words nothing but flavors and
  /// descriptions, or one stands right beside the keyword that won. What is longer was printed by a store, which seldom misspells.
  ///
  /// - Parameter unknown: The words that are unknown and might say something, a bit each.
  @inline(__always)
  func isOpen(_ choice: Choice, _ unknown: UInt64) -> Bool {
    if choice.decision == nil { return true }
    let isBeside = (choice.words &<< 1 | choice.words &>> 1) & unknown != 0
    return words.count <= Self.listWords && (choice.strength < Keyword.Strength.good.rawValue || isBeside)
  }

  /// The most words that people write for an item on a list.
  private static let listWords = 6

  /// Decides again with unknown words read as those that were meant. The first decision stays unless a product is found so; where it was
  /// for a product already, unless that is part of a longer name: "iside skirt" is a steak.
  @inline(never)
  func decideRepaired(_ item: UnsafePointer<UInt8>, _ choice: Choice) -> Decision? {
    let first = choice.decision
    var segment = UInt8.max
    if let end = first?.evidence.span?.upperBound {
      for place in 0..<words.count where words.hasBreaks && words.span(first: place, last: place).upperBound <= end {
        segment = words.segments[place]
      }
    }
    let count = words.count
    let (isRepaired, split) = repairer.repair(words, of: item, numbers, upTo: segment, forms)
    guard isRepaired else { return first }
    // Words that were joined or split are not where they were.
    if words.count != count { forms?.modifiers = 0 }
    let again = decideWords(readWords { numbers[$0] }, isRepaired: true)
    var decision = again.decision
    if let first {
      if again.strength < Keyword.Strength.good.rawValue || decision?.evidence.keyword == first.evidence.keyword { return first }
      if choice.strength >= Keyword.Strength.good.rawValue, !decision.isAround(first) { return first }
    }
    if split != 0, let span = decision?.evidence.span, isPart(span, of: split) { return first }
    decision?.evidence.rule = PhraseRule.typo.rawValue
    return decision ?? first
  }

  /// Whether a keyword stands on some of the words that one was split into, and not on the others: `gingernuts` are ginger nuts, but
  /// `handling` is no ling.
  private func isPart(_ span: Range<Int>, of split: UInt64) -> Bool {
    var (inside, outside, left) = (false, false, split)
    while left != 0 {
      let word = words.span(first: left.trailingZeroBitCount, last: left.trailingZeroBitCount)
      if span.lowerBound <= word.lowerBound, word.upperBound <= span.upperBound { inside = true } else { outside = true }
      left &= left &- 1
    }
    return inside && outside
  }
}

extension Decision? {
  /// Whether its keyword stands on what another's stands on, and on more.
  fileprivate func isAround(_ other: Decision) -> Bool {
    guard let span = self?.evidence.span, let inner = other.evidence.span else { return false }
    return span.lowerBound <= inner.lowerBound && inner.upperBound <= span.upperBound && span != inner
  }
}
