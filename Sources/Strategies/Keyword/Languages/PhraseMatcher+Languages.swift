import AisleCore

/// Reads items in other languages than English.
extension PhraseMatcher {
  /// Looks up what the words are as they are written, as other forms of known words, and as compounds of them.
  ///
  /// - Returns: also whether a compound has a part that is unknown.
  @inline(never)
  func readForms(of item: UnsafePointer<UInt8>) -> (reading: Reading, isUnsure: Bool) {
    let reading = readWords(of: item)
    guard let forms, reading.known != allWords else { return (reading, false) }
    let found = forms.read(words, numbers)
    return found.isRead ? (readWords { numbers[$0] }, found.isUnsure) : (reading, false)
  }

  /// Whether the item's name begins with its head, as names in the language of one of the candidates do.
  @inline(never)
  func isHeadFirst(_ found: Int) -> Bool {
    guard index.languages.hasHeadFirst else { return false }
    return (0..<found).contains { number in
      let keyword = candidates[number].ending.keyword.rawValue
      return index.languages.isHeadFirst(index.taxonomy.keywords.firstEntry[Int(keyword)].language)
    }
  }
}
