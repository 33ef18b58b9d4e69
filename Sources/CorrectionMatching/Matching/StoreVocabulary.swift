import AisleCore

/// What a store's keywords say about words: which it knows, and which make no difference before a name. Collected when first asked for.
final class StoreVocabulary: Sendable {
  private let taxonomy: Taxonomy
  private let collected = Guarded<Contents?>(nil)

  init(_ taxonomy: Taxonomy) { self.taxonomy = taxonomy }

  /// What is known of a word.
  private struct Word: BitwiseCopyable {
    /// Whether it stands in a keyword, a spelling or a move.
    var isKnown = false
    /// Whether it changes goods whatever follows: `frozen`, `baby`.
    var isMove = false
    /// How many names of several words end in it, and how many go on after it: `butter` is the head of most, `organic` of few.
    var (ending, going): (Int32, Int32) = (0, 0)
  }

  private final class Contents: Sendable {
    let words: NumberMap<Word>
    /// The shelf or section of each keyword; `UInt32.max` for what is none.
    let places: NumberMap<UInt32>

    init(_ taxonomy: Taxonomy) {
      var known = NumberMap(none: Word())
      var places = NumberMap(none: UInt32.max)
      let words = Words()
      let texts = taxonomy.keywords.bytes
      for entry in taxonomy.keywords.entries {
        words.scan(texts.address + Int(entry.start), count: Int(entry.length))
        // What is only a hint names no goods.
        let isName = entry.strength != Keyword.Strength.descriptor.rawValue
        var name: UInt64 = 0
        for place in 0..<words.count {
          let key = words.keys[place]
          var word = known[key]
          word.isKnown = true
          if isName, words.count > 1 {
            if place < words.count - 1 { word.going += 1 } else { word.ending += 1 }
          }
          known[key] = word
          name = longer(name, key)
        }
        if isName, words.count > 0 {
          places[name] = entry.shelf == .max ? UInt32(entry.section) | 1 << 16 : UInt32(entry.shelf)
        }
      }
      let item = ComparedItem()
      func mark(_ text: String, isMove: Bool) {
        var text = text
        text.withUTF8 { item.read($0) }
        for place in 0..<item.words.count {
          var word = known[item.words.keys[place]]
          word.isKnown = true
          if isMove { word.isMove = true }
          known[item.words.keys[place]] = word
        }
      }
      for move in taxonomy.moves { mark(move.word, isMove: true) }
      for spelling in taxonomy.spellings {
        mark(spelling.variant, isMove: false)
        mark(spelling.standard, isMove: false)
      }
      (self.words, self.places) = (known, places)
    }

    /// The place of a name; `nil` when it is no keyword.
    func place(of name: UInt64) -> UInt32? {
      let place = places[name]
      return place == .max ? nil : place
    }
  }

  /// Whether a word stands in a keyword, a spelling or a move.
  func isKnown(_ key: UInt64) -> Bool { withContents { $0.words[key].isKnown } }

  /// Whether words before a name leave it the same goods, as a brand does: `Silk` before `oat milk`, but not `chocolate`.
  ///
  /// Words that the store does not know are brands. Others may be where no keyword says that they, or the whole, stand elsewhere than
  /// the name alone.
  func isBrand(_ words: ArraySlice<UInt64>, before name: ArraySlice<UInt64>) -> Bool {
    withContents { contents in
      if words.contains(where: { contents.words[$0].isMove }) { return false }
      if !words.contains(where: { contents.words[$0].isKnown }) { return true }
      let place = contents.place(of: phrase(name))
      if let whole = contents.place(of: phrase(words + name)), whole != place { return false }
      // What follows an unknown word belongs to its name: `Zorkly Farms`.
      let isNameOpen = words.first.map { !contents.words[$0].isKnown } ?? false
      return words.allSatisfy { key in
        let word = contents.words[key]
        if !word.isKnown { return true }
        if let own = contents.place(of: phrase([key])) { return own == place }
        return isNameOpen || word.going >= Self.evidence && (word.ending < Self.evidence || word.ending < word.going)
      }
    }
  }

  /// How many names show what a word is: one that begins as many is a brand, one that ends as many may be a good by itself.
  private static let evidence: Int32 = 3

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
private func phrase(_ keys: ArraySlice<UInt64>) -> UInt64 { keys.reduce(0, longer) }

/// The number of a name with one more word.
private func longer(_ name: UInt64, _ key: UInt64) -> UInt64 { Signature.whole(name &* 31 &+ Signature.part(key)) }
