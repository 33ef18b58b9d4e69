import AisleCore

/// Reads the lines of recipes: how many pieces of a product, what a cook does with them, and where another amount begins.
extension PhraseMatcher {
  /// Whether the item begins by counting or weighing pieces: "4 tomatoes", "2 large carrots", "1 1/2 lb potatoes". What is counted so is
  /// bought as it grows, so that a preparation after it names no other product: "4 tomatoes, diced" are no canned tomatoes. Volumes and
  /// packages count no pieces.
  var countsPieces: Bool {
    guard words.count > 1, isNumber(0) else { return false }
    var place = 1
    while place < words.count, isNumber(place) || roles[place] & Grammar.Role.counts.rawValue != 0 { place += 1 }
    guard place < words.count, roles[place] & Grammar.Role.measure.rawValue == 0 else { return false }
    return !words.hasBreaks || words.segments[place] == words.segments[0]
  }

  /// Whether a word says what a cook does with a product: "diced".
  func prepares(_ place: Int) -> Bool { roles[place] & Grammar.Role.prepares.rawValue != 0 }

  /// Whether a part of the item says what a cook does with the product.
  func isPreparation(_ segment: UInt8) -> Bool {
    (0..<words.count).contains { words.segments[$0] == segment && prepares($0) }
  }

  /// Whether another amount begins after a word: "butter or 1/2 cup oil", "cornstarch plus 2 tbsp water".
  @inline(__always)
  func addsAmount(_ place: Int) -> Bool {
    roles[place] & Grammar.Role.adds.rawValue != 0 && place > 0 && place &+ 1 < words.count
      && words.marks[place &+ 1].contains(.digit)
  }

  /// Whether another amount begins anywhere in the item.
  func addsAmounts() -> Bool { (0..<words.count).contains { addsAmount($0) } }

  /// Whether a word has no letter.
  private func isNumber(_ place: Int) -> Bool {
    guard words.marks[place].contains(.digit) else { return false }
    let bounds = words.bounds[2 * place]..<words.bounds[2 * place + 1]
    return bounds.allSatisfy { !words.text[Int($0)].isASCIILetter }
  }
}
