import AisleCore

/// Reads from an item what the model weighs: its words, pairs of words that follow each other, the word that is the head, and of words
/// that the model does not know their parts of four letters. Numbers are left out, and so is what an item that it knows is for: of
/// "leeks for soup" it reads "leeks".
///
/// - Note: Unlike `ShelfModel`, it may change only together with the compiled-in model: a model means nothing to other features.
struct FeatureReader {
  /// The words that end the head of a name: "tuna in oil".
  private static let joiners = ["with", "in", "for", "from", "to", "w"]

  private static let joinerKeys = {
    let words = Words()
    return joiners.map { words.key(ofWord: Array($0.utf8)) }
  }()

  private static let purposeKey = Words().key(ofWord: Array("for".utf8))
  /// The most words of a purpose; what goes on for longer belongs to a name: "Food for Life Ezekiel Sprouted Bread".
  private static let purposeWords = 3

  private let words = Words()
  private let joinerKeys = Self.joinerKeys
  private let purposeKey = Self.purposeKey

  /// What a feature is; its hash begins with it.
  enum Kind: UInt64 {
    case word = 0x9E37_79B9_7F4A_7C15
    case head = 0xFF51_AFD7_ED55_8CCD
    case pair = 0x1656_67B1_9E37_79F9
    case part = 0x85EB_CA77_C2B2_AE63

    /// Spreads a key over all bits of a hash.
    @inline(__always)
    func hash(_ key: UInt64) -> UInt64 {
      let mixed = (key ^ rawValue) &* 0xFF51_AFD7_ED55_8CCD
      return (mixed ^ mixed &>> 32) &* 0xC4CE_B9FE_1A85_EC53
    }
  }

  /// Reads an item; `Batch.padding` bytes past its end must be readable.
  ///
  /// - Parameters:
  ///   - announce: Gets the hashes of all words before any feature is taken, so that the memory of all is fetched at once.
  ///   - take: Gets each feature's hash and kind, and says of a word whether it is known.
  /// - Returns: whether the item has a word that is long enough to say something; without one nothing is taken.
  @inline(__always)
  func read(
    _ item: UnsafePointer<UInt8>, count length: Int, announce: (UInt64) -> Void = { _ in }, _ take: (UInt64, Kind) -> Bool
  ) -> Bool {
    words.scan(item, count: length)
    var (names, isTelling) = (UInt64(0), false)
    for place in 0..<words.count where !isNumber(place) {
      names |= 1 &<< UInt64(place)
      isTelling = isTelling || words.bounds[2 &* place &+ 1] &- words.bounds[2 &* place] >= 3
    }
    if !isTelling { return false }
    for place in 0..<words.count { announce(Kind.word.hash(words.keys[place])) }
    let head = head(among: names)
    var knownBefore: UInt64?
    var isKnown = false
    while names != 0 {
      let place = names.trailingZeroBitCount
      names &= names &- 1
      let key = words.keys[place]
      if isKnown, key == purposeKey, 1...Self.purposeWords ~= names.nonzeroBitCount { break }
      guard take(Kind.word.hash(key), .word) else {
        knownBefore = nil
        readParts(of: place, take)
        continue
      }
      if place == head { _ = take(Kind.head.hash(key), .head) }
      if let knownBefore { _ = take(Kind.pair.hash(knownBefore &* 31 &+ key), .pair) }
      knownBefore = key
      isKnown = true
    }
    return true
  }

  /// The last word before a break or a joiner, numbers aside.
  @inline(__always)
  private func head(among names: UInt64) -> Int {
    var head = names.trailingZeroBitCount
    var left = names & (names &- 1)
    while left != 0 {
      let place = left.trailingZeroBitCount
      left &= left &- 1
      if words.hasBreaks && words.segments[place] > 0 || isJoiner(place) { break }
      head = place
    }
    return head
  }

  @inline(__always)
  private func isJoiner(_ place: Int) -> Bool {
    words.bounds[2 &* place &+ 1] &- words.bounds[2 &* place] <= 4 && joinerKeys.contains(words.keys[place])
  }

  @inline(__always)
  private func isNumber(_ place: Int) -> Bool {
    guard words.marks[place].contains(.digit) else { return false }
    for offset in words.bounds[2 * place]..<words.bounds[2 * place + 1] where words.text[Int(offset)] | 0x20 >= UInt8(ascii: "a")
    {
      return false
    }
    return true
  }

  /// Takes each four letters of a word in lower case, its ends marked.
  @inline(__always)
  private func readParts(of place: Int, _ take: (UInt64, Kind) -> Bool) {
    var part = UInt64(UInt8(ascii: "<"))
    let (start, end) = (Int(words.bounds[2 * place]), Int(words.bounds[2 * place + 1]))
    for offset in start...end {
      let byte = offset == end ? UInt8(ascii: ">") : words.text[offset]
      part = (part &<< 8 | UInt64(offset < end && byte < 0x80 ? byte | 0x20 : byte)) & 0xFFFF_FFFF
      if offset >= start + 2 { _ = take(Kind.part.hash(part), .part) }
    }
  }
}
