package import AisleCore

/// A keyword that stands in an item.
package struct KeywordMatch: Sendable, Hashable {
  /// The keyword.
  package let keyword: KeywordID
  /// The part of the item that it matched, in bytes from the item's start.
  package let span: Range<Int>
}

extension KeywordStrategy {
  /// Tells which keywords stand in each item of a batch: those that the choice was between, without the ones inside longer ones.
  ///
  /// For analysis: it takes about twice the time of deciding. In substring mode there is nothing to tell.
  package func forEachMatches(in batch: inout Batch, _ body: (_ item: Int, _ matches: [KeywordMatch]) -> Void) {
    guard let index = phraseIndex else { return }
    let matcher = PhraseMatcher(index)
    defer { matcher.deallocate() }
    batch.withStorage { text, extents, _ in
      for item in extents.indices {
        body(item, matcher.matches(text + Int(extents[item].start), count: Int(extents[item].length)))
      }
    }
  }
}

extension KeywordStrategy {
  /// Whether a word, in normalized form, is a quantity, unit, package or function word: no evidence by itself.
  package static func isFunctionWord(_ word: String) -> Bool { wordsWithoutContent.contains(word) }

  /// Tells of a word, in normalized form, whether any keyword has it.
  package var words: (String) -> Bool {
    let finder = phraseIndex.map { PhraseIndex.Finder($0.tables) }
    let scanner = Words()
    // The index keeps the tables alive.
    return { [phraseIndex] word in phraseIndex != nil && finder?.word(scanner.key(ofWord: Array(word.utf8))) ?? 0 != 0 }
  }
}

extension PhraseMatcher {
  /// The keywords that the choice for an item is between.
  fileprivate func matches(_ item: UnsafePointer<UInt8>, count: Int) -> [KeywordMatch] {
    let decision = decide(item, count: count)
    // The words as they were read for this decision: as written, unless a slip was mended.
    let isMended = decision?.evidence.rule == PhraseRule.typo.rawValue
    if !isMended { words.scan(item, count: count) }
    let reading = isMended ? readWords { numbers[$0] } : forms == nil ? readWords(of: item) : readForms(of: item)
    let found = collect(reading).found
    return (0..<found).map { number in
      let candidate = candidates[number]
      return KeywordMatch(
        keyword: candidate.ending.keyword, span: words.span(first: Int(candidate.first), last: Int(candidate.last)))
    }
  }
}
