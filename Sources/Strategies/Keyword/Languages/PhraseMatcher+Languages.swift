import AisleCore

/// Reads items in other languages than English.
extension PhraseMatcher {
  /// Looks up what the words are as they are written, as other forms of known words, and as compounds of them.
  @inline(never)
  func readForms(of item: UnsafePointer<UInt8>) -> Reading {
    var reading = readWords(of: item)
    forms?.modifiers = 0
    guard let forms, reading.known != allWords else { return reading }
    let change = forms.read(words, numbers)
    if change.splits { return readWords { numbers[$0] } }
    var left = change.words
    while left != 0 {
      let place = left.trailingZeroBitCount
      left &= left &- 1
      read(place, as: numbers[place], into: &reading)
    }
    return reading
  }

  /// Decides an item in which nothing is known, by words that only stand in longer keywords.
  @inline(never)
  func decideByParts() -> Decision? {
    guard let forms, forms.read(words, numbers, readsParts: true).words != 0 else { return nil }
    return decideWords(readWords { numbers[$0] }, isRepaired: false).decision
  }

  /// Makes keywords in the first parts of compounds mere hints: `Vollmilchschokolade` is chocolate, however surely `Vollmilch` is milk.
  @inline(never)
  func weakenModifiers(_ found: Int, _ modifiers: UInt64) {
    for number in 0..<found where modifiers &>> UInt64(candidates[number].last) & 1 != 0 {
      candidates[number].strength = Keyword.Strength.descriptor.rawValue
    }
  }

  /// Makes keywords of later languages mere hints where the language that counts first has a word in the item: `ale` is a beer, but a "but"
  /// in Polish.
  @inline(never)
  func weakenLaterLanguages(_ found: Int, _ forms: FormReader) {
    func language(_ number: Int) -> UInt16 { forms.language(of: candidates[number].ending.keyword) }
    let hasFirst = (0..<found).contains {
      language($0) <= 1 && candidates[$0].strength > Keyword.Strength.descriptor.rawValue
    }
    if !hasFirst { return }
    for number in 0..<found where language(number) > 1 {
      let isDecisive = candidates[number].strength == Keyword.Strength.decisive.rawValue
      candidates[number].strength = isDecisive ? Keyword.Strength.flavor.rawValue : Keyword.Strength.descriptor.rawValue
    }
  }

  /// Whether the item's name begins with its head, as names in the language of one of the candidates do.
  @inline(__always)
  func isHeadFirst(_ found: Int) -> Bool {
    guard let forms, index.languages.hasHeadFirst else { return false }
    return (0..<found).contains { index.languages.isHeadFirst(forms.language(of: candidates[$0].ending.keyword)) }
  }
}
