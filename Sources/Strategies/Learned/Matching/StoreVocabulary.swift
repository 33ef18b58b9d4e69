import AisleCore
import Synchronization

/// What a store's keywords say about words: which it knows, and which make no difference before a name. Collected when first asked for.
final class StoreVocabulary: Sendable {
  private let taxonomy: Taxonomy
  private let collected = Mutex<Contents?>(nil)

  init(_ taxonomy: Taxonomy) { self.taxonomy = taxonomy }

  private final class Contents: Sendable {
    /// All words of keywords, spellings and moves.
    let words: Set<UInt64>
    /// Words that change goods whatever follows: `frozen`, `baby`.
    let moves: Set<UInt64>
    /// How many names of several words end in a word, and how many go on after it: `butter` is the head of most, `organic` of few.
    let names: [UInt64: (ending: Int, going: Int)]
    /// The shelf or section of each keyword.
    let places: [UInt64: UInt32]

    init(_ taxonomy: Taxonomy) {
      var (known, moves): (Set<UInt64>, Set<UInt64>) = ([], [])
      var names: [UInt64: (ending: Int, going: Int)] = [:]
      var places: [UInt64: UInt32] = [:]
      let words = Words()
      let texts = taxonomy.keywords.bytes
      for entry in taxonomy.keywords.entries {
        words.scan(texts.address + Int(entry.start), count: Int(entry.length))
        let keys = (0..<words.count).map { words.keys[$0] }
        known.formUnion(keys)
        // What is only a hint names no goods.
        guard let head = keys.last, entry.strength != Keyword.Strength.descriptor.rawValue else { continue }
        if keys.count > 1 {
          for key in keys.dropLast() { names[key, default: (0, 0)].going += 1 }
          names[head, default: (0, 0)].ending += 1
        }
        places[phrase(keys[...])] = entry.shelf == .max ? UInt32(entry.section) | 1 << 16 : UInt32(entry.shelf)
      }
      let item = ComparedItem()
      func keys(_ text: String) -> [UInt64] {
        var text = text
        text.withUTF8 { item.read($0) }
        return (0..<item.words.count).map { item.words.keys[$0] }
      }
      for move in taxonomy.moves { moves.formUnion(keys(move.word)) }
      for spelling in taxonomy.spellings { known.formUnion(keys(spelling.variant) + keys(spelling.standard)) }
      (self.words, self.moves, self.names, self.places) = (known.union(moves), moves, names, places)
    }
  }

  /// Whether a word stands in a keyword, a spelling or a move.
  func isKnown(_ key: UInt64) -> Bool { withContents { $0.words.contains(key) } }

  /// Whether words before a name leave it the same goods, as a brand does: `Silk` before `oat milk`, but not `chocolate`.
  ///
  /// Words that the store does not know are brands. Others may be where no keyword says that they, or the whole, stand elsewhere than
  /// the name alone.
  func isBrand(_ words: ArraySlice<UInt64>, before name: ArraySlice<UInt64>) -> Bool {
    withContents { contents in
      if words.contains(where: contents.moves.contains) { return false }
      if !words.contains(where: contents.words.contains) { return true }
      let place = contents.places[phrase(name)]
      if let whole = contents.places[phrase(words + name)], whole != place { return false }
      // What follows an unknown word belongs to its name: `Zorkly Farms`.
      let isNameOpen = words.first.map { !contents.words.contains($0) } ?? false
      return words.allSatisfy { word in
        if !contents.words.contains(word) { return true }
        if let own = contents.places[phrase([word])] { return own == place }
        let names = contents.names[word, default: (0, 0)]
        return isNameOpen || names.going >= Self.evidence && (names.ending < Self.evidence || names.ending < names.going)
      }
    }
  }

  /// How many names show what a word is: one that begins as many is a brand, one that ends as many may be a good by itself.
  private static let evidence = 3

  private func withContents<Result>(_ body: (Contents) -> Result) -> Result {
    body(
      collected.withLock { known in
        let contents = known ?? Contents(taxonomy)
        known = contents
        return contents
      })
  }
}

/// The number of a name of some words.
private func phrase(_ keys: ArraySlice<UInt64>) -> UInt64 {
  keys.reduce(0) { Signature.whole($0 &* 31 &+ Signature.part($1)) }
}
