import AisleCore

/// Lays out the tables of a prefilter.
struct PrefilterBuilder {
  static let pairCount = 64 * 64
  /// A text whose pair can be more pairs of kinds than this is in most items, so its pattern is tried on all.
  private static let mostPairs = 128
  /// The most links in all; patterns beyond are tried on every item.
  private static let mostLinks = 1 << 20

  private var triples = ContiguousArray<UInt64>(repeating: 0, count: pairCount + 1)
  private var buckets = [[UInt32]](repeating: [], count: pairCount)
  private var linkCount = 0
  private var entries: ContiguousArray<Prefilter.Entry> = []
  private var kinds: ContiguousArray<UInt64> = []
  private var rows: ContiguousArray<Prefilter.Row> = []
  private var singles: ContiguousArray<Prefilter.Single> = []
  private var starters: ContiguousArray<UInt16> = []
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
    if requirement.begins != Letter.all, Letter.likelihood(requirement.begins) < requirement.likelihood {
      starters.append(pattern)
      // What is known of the first letter holds for plain items only.
      triples[Self.pairCount] |= requirement.begins | Letter.strange
      return
    }
    guard let texts = requirement.texts, let pairs = Self.pairs(of: texts), linkCount < Self.mostLinks else {
      always.append(pattern)
      return
    }
    for (text, pair) in zip(texts, pairs) { add(text, pair, pattern) }
  }

  /// Where the pair that each text goes by stands, 0 for a text of one letter; `nil` when one of them is in most items.
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

  /// Where the rarest three letters of a text begin, or its only two; `nil` for a text of one.
  private static func rarestPair(of text: Requirement.Text) -> Int? {
    if text.count < 3 { return text.count == 2 ? 0 : nil }
    func weight(_ place: Int) -> Double { Letter.likelihood(of: text[place..<place + 3]) }
    return text.indices.dropLast(2).min { weight($0) < weight($1) }
  }

  private mutating func add(_ text: Requirement.Text, _ pair: Int, _ pattern: UInt16) {
    if text.count == 1 {
      singles.append(Prefilter.Single(kinds: text[0], pattern: UInt64(pattern)))
      return allow(text[0], Letter.all, Letter.all)
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
    allow(text[pair], text[pair + 1], text.count > 2 ? text[pair + 2] : Letter.all)
  }

  /// Sets the bits of all triples of some kinds.
  private mutating func allow(_ first: Letter.Kinds, _ second: Letter.Kinds, _ third: Letter.Kinds) {
    for one in Letter.members(first) { for other in Letter.members(second) { triples[one << 6 | other] |= third } }
  }

  private mutating func finished() -> Prefilter {
    if !rows.isEmpty {
      // Letters beyond ASCII that are other cases of ASCII ones, for which every pattern is tried.
      allow(1 << UInt64(Letter.other), 1 << UInt64(Letter.other), Letter.all)
    }
    var starts = ContiguousArray<UInt32>([0])
    var links: ContiguousArray<UInt32> = []
    for bucket in buckets {
      links.append(contentsOf: bucket)
      starts.append(UInt32(links.count))
    }
    return Prefilter(
      Prefilter.Tables(
        triples: FlatTable(triples), starts: FlatTable(starts),
        links: FlatTable(links), entries: FlatTable(entries),
        kinds: FlatTable(kinds), rows: FlatTable(rows), singles: FlatTable(singles), starters: FlatTable(starters),
        always: FlatTable(always)))
  }
}
