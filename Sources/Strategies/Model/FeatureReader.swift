import AisleCore

/// Reads from an item what the model weighs: its words, pairs of words, parts of words, and which word is the head.
///
/// A feature is a bucket, the hash of what was seen; two that share a bucket are one to the model. Numbers are left out.
///
/// - Note: Unlike `ShelfModel`, it may change only together with the compiled-in model: a model means nothing to other features.
struct FeatureReader {
  /// The most features of an item; what stands later in it is left out.
  static let capacity = 480

  /// The words that end the head of a name: "tuna in oil".
  private static let joiners = ["with", "in", "for", "of", "from", "w"]

  let words = Words()
  /// The buckets of the item that was read last.
  let buckets: UnsafeMutablePointer<UInt32>
  private let bucketCount: UInt64
  private let joinerKeys: [UInt64]

  init(bucketCount: Int) {
    self.bucketCount = UInt64(bucketCount)
    buckets = .allocate(capacity: Self.capacity)
    joinerKeys = Self.joiners.map { [words] in words.key(ofWord: Array($0.utf8)) }
  }

  func deallocate() { buckets.deallocate() }

  /// What a feature is; its hash begins with it.
  private enum Kind {
    static let word: UInt64 = 0x9E37_79B9_7F4A_7C15
    static let aside: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    static let pair: UInt64 = 0x1656_67B1_9E37_79F9
    static let distantPair: UInt64 = 0x27D4_EB2F_1656_67C5
    static let part: UInt64 = 0x85EB_CA77_C2B2_AE63
    static let head: UInt64 = 0xFF51_AFD7_ED55_8CCD
    static let headEnd: UInt64 = 0xC4CE_B9FE_1A85_EC53
    static let headPair: UInt64 = 0xD6E8_FEB8_6659_FD93
  }

  /// Reads an item; `Batch.padding` bytes past its end must be readable.
  ///
  /// - Returns: how many features are in `buckets`.
  func read(_ item: UnsafePointer<UInt8>, count length: Int) -> Int {
    words.scan(item, count: length)
    guard (0..<words.count).contains(where: isTelling) else { return 0 }
    var found = 0
    /// The two words before, and the last two of the head.
    var (before, beforeThat): (UInt64?, UInt64?)
    var (head, headBefore): (UInt64?, UInt64?)
    var headPlace = 0
    var isAside = false
    for place in 0..<words.count where !isNumber(place) {
      let key = words.keys[place]
      if words.hasBreaks, words.segments[place] > 0 { isAside = true }
      if before != nil, joinerKeys.contains(key) { isAside = true }
      guard found < Self.capacity - 64 else { break }
      add(Kind.word ^ key, &found)
      if isAside { add(Kind.aside ^ key, &found) }
      if let before { add(Kind.pair ^ before &* 31 ^ key, &found) }
      if let beforeThat { add(Kind.distantPair ^ beforeThat &* 31 ^ key, &found) }
      addParts(of: place, &found)
      if !isAside || head == nil { (head, headBefore, headPlace) = (key, isAside ? nil : head, place) }
      (beforeThat, before) = (before, key)
    }
    if let head {
      // The head counts twice: it says most.
      add(Kind.head ^ head, &found)
      add(Kind.head ^ head, &found)
      addEnds(of: headPlace, &found)
      if let headBefore { add(Kind.headPair ^ headBefore &* 31 ^ head, &found) }
    }
    return found
  }

  /// Whether a word is long enough to say something; an item needs one.
  private func isTelling(_ place: Int) -> Bool {
    words.bounds[2 * place + 1] - words.bounds[2 * place] >= 3 && !isNumber(place)
  }

  private func isNumber(_ place: Int) -> Bool {
    guard words.marks[place].contains(.digit) else { return false }
    for offset in words.bounds[2 * place]..<words.bounds[2 * place + 1] where words.text[Int(offset)] | 0x20 >= UInt8(ascii: "a")
    {
      return false
    }
    return true
  }

  @inline(__always)
  private func add(_ hash: UInt64, _ found: inout Int) {
    var hash = hash &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash &>> 33
    hash = hash &* 0xC4CE_B9FE_1A85_EC53
    buckets[found] = UInt32(truncatingIfNeeded: ((hash &>> 32) &* bucketCount) &>> 32)
    found &+= 1
  }

  /// A byte of a word with its ends marked, in lower case.
  @inline(__always)
  private func letter(_ start: Int, _ length: Int, _ place: Int) -> UInt64 {
    if place == 0 { return UInt64(UInt8(ascii: "<")) }
    if place > length { return UInt64(UInt8(ascii: ">")) }
    let byte = words.text[start &+ place &- 1]
    return UInt64(byte < 0x80 ? byte | 0x20 : byte)
  }

  /// Adds each three, four and five letters of a word, its ends among them.
  private func addParts(of place: Int, _ found: inout Int) {
    let start = Int(words.bounds[2 * place])
    let length = Int(words.bounds[2 * place + 1]) - start
    guard length > 0 else { return }
    let marked = length &+ 2
    for first in 0..<max(marked &- 2, 1) {
      var part: UInt64 = 0
      for size in 1...5 where first &+ size <= marked {
        part = part &<< 8 | letter(start, length, first &+ size &- 1)
        guard size >= 3 else { continue }
        guard found < Self.capacity - 16 else { return }
        add(Kind.part ^ part &* 0x9FB2_1C65_1E98_DF25, &found)
      }
    }
  }

  /// Adds the last four and five letters of the head.
  private func addEnds(of place: Int, _ found: inout Int) {
    let start = Int(words.bounds[2 * place])
    let length = Int(words.bounds[2 * place + 1]) - start
    for size in 4...5 where size <= length &+ 2 {
      var part: UInt64 = 0
      for offset in length &+ 2 &- size..<length &+ 2 { part = part &<< 8 | letter(start, length, offset) }
      add(Kind.headEnd ^ part &* 0x9FB2_1C65_1E98_DF25, &found)
    }
  }
}
