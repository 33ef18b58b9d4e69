import AisleCore

/// How an item is like one that was corrected.
enum Nearness: UInt8, CaseIterable, Sendable {
  case same, plural, quantity, rotation, brand, slip, order, shelf

  /// What the strategy's evidence calls it.
  var rule: Rule {
    switch self {
    case .same: Rule("same", "this item was corrected")
    case .plural: Rule("plural", "it was corrected in the singular or plural")
    case .quantity: Rule("quantity", "it was corrected with a different quantity")
    case .rotation: Rule("rotation", "it was corrected with its words in a different order and a comma")
    case .brand: Rule("brand", "it was corrected with a different brand before it, or without one")
    case .slip: Rule("slip", "it differs from a corrected item by one typo")
    case .order: Rule("order", "it was corrected with its words in a different order")
    case .shelf: Rule("shelf", "it was corrected for another store, where it is on this shelf")
    }
  }

  /// How likely the correction holds for such an item, in 0…1.
  ///
  /// `same` leaves room for slips of the person; `order` is low because "milk chocolate" is no "chocolate milk".
  var confidence: Float {
    switch self {
    case .same: 0.99
    case .plural: 0.97
    case .quantity: 0.96
    case .rotation: 0.93
    case .brand: 0.9
    case .slip: 0.88
    case .order: 0.7
    case .shelf: 0.9
    }
  }

  /// How an item is like a corrected one; `nil` when it is another.
  ///
  /// - Parameter store: What the store knows: a word of its keywords is not mistyped, and seldom a brand.
  static func of(_ item: ComparedItem, _ correction: ComparedItem, in store: StoreVocabulary) -> Nearness? {
    if item.hasSameWords(as: correction) { return .same }
    if item.hasSameName(as: correction) { return item.hasSameMeasures(as: correction) ? .plural : .quantity }
    if item.hasSameContent(as: correction) { return item.words.hasBreaks != correction.words.hasBreaks ? .rotation : .order }
    if isBranded(item, correction, in: store) || isBranded(correction, item, in: store) { return .brand }
    guard item.content.count == correction.content.count else { return nil }
    var slip: Int?
    for place in 0..<item.content.count where item.key(place) != correction.key(place) {
      if slip != nil { return nil }
      slip = place
    }
    guard let slip, !store.isKnown(item.key(slip)), isOneSlip(item.text(slip), correction.text(slip)) else { return nil }
    return .slip
  }

  /// Whether `longer` is `shorter` with a brand of one or two words before it.
  private static func isBranded(_ longer: ComparedItem, _ shorter: ComparedItem, in store: StoreVocabulary) -> Bool {
    let count = shorter.content.count
    let extra = longer.content.count - count
    guard (1...2).contains(extra), count > 0 else { return false }
    for place in 0..<count where longer.key(place + extra) != shorter.key(place) { return false }
    // A `bottle opener` is another product than an opener.
    if (0..<extra).contains(where: { MeasureWords.shared.isHolder(longer.key($0)) }) { return false }
    return store.isBrand(longer.keys(0..<extra), before: shorter.keys(0..<count))
  }

  /// Whether a letter was left out, added, mistaken or swapped with its neighbour; the first one is right.
  static func isOneSlip(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard min(left.count, right.count) >= Signature.shortestWord - 1, max(left.count, right.count) >= Signature.shortestWord,
      left.first == right.first, abs(left.count - right.count) <= 1,
      !left.contains(where: { $0.isASCIIDigit }), !right.contains(where: { $0.isASCIIDigit })
    else { return false }
    let start = zip(left, right).prefix { $0 == $1 }.count
    let (a, b) = (left.dropFirst(start), right.dropFirst(start))
    if a.count == b.count {
      if a.dropFirst().elementsEqual(b.dropFirst()) { return true }
      return a.count >= 2 && a[start] == b[start + 1] && a[start + 1] == b[start] && a.dropFirst(2).elementsEqual(b.dropFirst(2))
    }
    return a.count > b.count ? a.dropFirst().elementsEqual(b) : b.dropFirst().elementsEqual(a)
  }
}
