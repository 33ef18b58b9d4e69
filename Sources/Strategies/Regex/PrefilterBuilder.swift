import AisleCore

/// Lays out the tables of a prefilter.
struct PrefilterBuilder {
  static let bitmapWords = 65_536 / 64
  static let pairCount = 64 * 64
  /// A text whose rarest pair can be more pairs of kinds than this is in most items, so its pattern is tried on all.
  private static let mostPairs = 128
  /// The most links in all; patterns beyond are tried on every item.
  private static let mostLinks = 1 << 20

  private var bitmap = ContiguousArray<UInt64>(repeating: 0, count: bitmapWords)
  private var buckets = [[UInt32]](repeating: [], count: pairCount)
  private var linkCount = 0
  private var entries: ContiguousArray<Prefilter.Entry> = []
  private var kinds: ContiguousArray<UInt64> = []
  private var rows: ContiguousArray<Prefilter.Row> = []
  private var singles: ContiguousArray<Prefilter.Single> = []
  private var always: ContiguousArray<UInt16> = []

  /// Makes a prefilter for patterns; their places are their numbers, at most `Pattern.maximumCount`.
  static func build(_ requirements: [Requirement]) -> Prefilter {
    var builder = PrefilterBuilder()
    for requirement in requirements { builder.add(requirement) }
    return builder.finished()
  }

  private mutating func add(_ requirement: Requirement) {
    let pattern = UInt16(rows.count)
    let sets = requirement.sets + [UInt64](repeating: Letter.all, count: Requirement.mostSets - requirement.sets.count)
    rows.append(
      Prefilter.Row(
        begins: requirement.begins, within: requirement.within, emoji: requirement.emoji,
        sets: (sets[0], sets[1], sets[2], sets[3])))
    guard let texts = requirement.texts, let pairs = Self.pairs(of: texts), linkCount < Self.mostLinks else {
      always.append(pattern)
      return
    }
    for (text, pair) in zip(texts, pairs) { add(text, pair, pattern) }
  }

  /// Where each text's rarest pair stands, 0 for a text of one letter; `nil` when one of them is in most items.
  private static func pairs(of texts: [Requirement.Text]) -> [Int]? {
    var pairs: [Int] = []
    for text in texts {
      guard let pair = rarestPair(of: text) else {
        if text.isEmpty || text[0] == Letter.all { return nil }
        pairs.append(0)
        continue
      }
      if text[pair].nonzeroBitCount * text[pair + 1].nonzeroBitCount > mostPairs { return nil }
      pairs.append(pair)
    }
    return pairs
  }

  private static func rarestPair(of text: Requirement.Text) -> Int? {
    func weight(_ place: Int) -> Double { Letter.likelihood(text[place]) * Letter.likelihood(text[place + 1]) }
    return text.indices.dropLast().min { weight($0) < weight($1) }
  }

  private mutating func add(_ text: Requirement.Text, _ pair: Int, _ pattern: UInt16) {
    if text.count == 1 {
      singles.append(Prefilter.Single(kinds: text[0], pattern: UInt64(pattern)))
      return allow(text[0], Letter.all)
    }
    let number = UInt32(entries.count)
    entries.append(
      Prefilter.Entry(start: UInt32(kinds.count), pattern: pattern, count: UInt8(text.count), pair: UInt8(pair)))
    kinds.append(contentsOf: text)
    for first in Letter.members(text[pair]) {
      for second in Letter.members(text[pair + 1]) {
        buckets[first << 6 | second].append(number)
        linkCount += 1
      }
    }
    allow(text[pair], text[pair + 1])
  }

  /// Sets the bits of all pairs of bytes of some kinds.
  private mutating func allow(_ first: Letter.Kinds, _ second: Letter.Kinds) {
    let seconds = (0..<256).filter { second >> UInt64(Letter.kinds[$0]) & 1 == 1 }
    for byte in 0..<256 where first >> UInt64(Letter.kinds[byte]) & 1 == 1 {
      for other in seconds { bitmap[(byte | other << 8) >> 6] |= 1 << UInt64(byte & 63) }
    }
  }

  private mutating func finished() -> Prefilter {
    if !rows.isEmpty {
      // The ends of the letters that are other cases of ASCII ones, for which every pattern is tried.
      for (byte, other) in [(0xC5, 0xBF), (0x84, 0xAA)] { bitmap[(byte | other << 8) >> 6] |= 1 << UInt64(byte & 63) }
    }
    var starts = ContiguousArray<UInt32>([0])
    var links: ContiguousArray<UInt32> = []
    for bucket in buckets {
      links.append(contentsOf: bucket)
      starts.append(UInt32(links.count))
    }
    return Prefilter(
      Prefilter.Tables(
        bitmap: FlatTable(bitmap), starts: FlatTable(starts), links: FlatTable(links), entries: FlatTable(entries),
        kinds: FlatTable(kinds), rows: FlatTable(rows), singles: FlatTable(singles), always: FlatTable(always)))
  }
}
