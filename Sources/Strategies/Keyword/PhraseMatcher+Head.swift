import AisleCore

/// Tells where the head of an item ends: what follows only accompanies it, or is what it lacks.
extension PhraseMatcher {
  /// Where the head of an item ends, told from keyword to keyword.
  struct HeadEnd {
    /// The words that may end it and are still to be looked at, a bit each.
    var cuts: UInt64
    /// The zone that the words so far make.
    var byWords = Zone.head
    /// The zone of the keyword at hand.
    var zone = Zone.head
  }

  /// The words that may end the head, a bit each.
  func cuts(_ allRoles: UInt32) -> UInt64 {
    var cuts: UInt64 = 0
    if allRoles & (Self.cuts | Grammar.Role.adds.rawValue) == 0 { return 0 }
    for place in 0..<words.count where roles[place] & Self.cuts != 0 || addsAmount(place) { cuts |= 1 &<< UInt64(place) }
    return cuts
  }

  /// Works out the zone of the keyword from a word on, given the words that phrases before it cover. Nothing ends a head before the first
  /// keyword.
  func advance(_ end: inout HeadEnd, to first: Int, isPhrase: Bool, _ found: Int, _ contained: UInt64) {
    let after: UInt64 = (UInt64.max &<< UInt64(first)) << 1
    defer { end.cuts &= after }
    guard found > 0 else { return }
    while end.cuts & ~after != 0 {
      let place = end.cuts.trailingZeroBitCount
      end.cuts &= end.cuts &- 1
      if place == first, isPhrase { continue }  // "for dogs", as a keyword, cuts nothing.
      end.byWords = zone(place, end.byWords, contained)
    }
    // A checkbox, number or label before the first good ends no head: "[ ] granola muffins". Nor does a break right before a phrase that
    // begins with a word that would.
    let last = isPhrase && roles[first] & Self.cuts != 0 ? first &- 1 : first
    let isAfterBreak = words.hasBreaks && words.segments[last] > candidates[0].segment
    end.zone = max(end.byWords, isAfterBreak ? Zone.afterComma : Zone.head)
  }

  /// The zone from a word on that may end the head, given the one before it.
  private func zone(_ place: Int, _ zone: UInt8, _ contained: UInt64) -> UInt8 {
    guard contained &>> UInt64(place) & 1 == 0, place > 0 else { return zone }
    let role = Grammar.Role(rawValue: roles[place])
    if role.contains(.excludes) { return Zone.excluded }
    let before = Grammar.Role(rawValue: roles[place - 1])
    let followsMeasure = before.contains(.measure) || words.marks[place - 1].contains(.digit)
    if role.contains(.of), followsMeasure { return zone }
    if role.contains(.joins), role.contains(.measure), words.marks[place - 1].contains(.digit) { return zone }  // "9 in pie"
    return max(zone, Zone.accompanying)
  }
}
