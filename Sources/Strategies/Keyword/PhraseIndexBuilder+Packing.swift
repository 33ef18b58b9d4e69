import AisleCore

/// Lays the finished trie out in the tables that matching reads.
extension PhraseIndexBuilder {
  func tables() -> PhraseIndex.Tables {
    let (roles, roleNumbers) = packRoles()
    var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    while true {
      if let (words, places) = packWords(seed, roleNumbers), let phrases = packPhrases(seed, words: places) {
        return PhraseIndex.Tables(
          words: FlatTable(words), phrases: FlatTable(phrases.rows), filter: FlatTable(phrases.filter),
          slips: FlatTable(packSlips(places)), roles: FlatTable(roles), seeds: FlatTable([seed, seed]))
      }
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 | 1
    }
  }

  /// The roles that occur, and each word's number among them. There are fewer than `roleCount`, since grammar lists few combinations.
  private func packRoles() -> (ContiguousArray<UInt32>, [UInt32: UInt32]) {
    var roles = ContiguousArray<UInt32>(repeating: 0, count: PhraseIndex.roleCount)
    var numbers: [UInt32: UInt32] = [0: 0]
    for role in wordRoles where numbers[role] == nil && numbers.count < Int(PhraseIndex.aliasRole) {
      roles[numbers.count] = role
      numbers[role] = UInt32(numbers.count)
    }
    return (roles, numbers)
  }

  /// The number of address bits for a table of `count` rows, at most two thirds full.
  private static func bits(_ count: Int) -> Int { max(4, Int.bitWidth - (3 * count / 2).leadingZeroBitCount) }

  /// The word table for a seed and each word's place in it; `nil` when two words would look the same.
  private func packWords(_ seed: UInt64, _ roles: [UInt32: UInt32]) -> (ContiguousArray<PhraseIndex.Row>, [UInt32])? {
    let bits = Self.bits(wordKeys.count + aliases.count)
    let mask = 1 << bits - 1
    var rows = ContiguousArray<PhraseIndex.Row>(repeating: PhraseIndex.Row(), count: 1 << bits)
    var places = [UInt32](repeating: 0, count: wordKeys.count)
    for (number, key) in wordKeys.enumerated() {
      let hash = key &* seed
      let tag = PhraseIndex.tag(ofWord: hash)
      var place = Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
      while rows[place].tag != 0 {
        if rows[place].tag & ~0x3E == tag { return nil }
        place = (place + 1) & mask
      }
      rows[place].tag = tag | (roles[wordRoles[number]] ?? 0) << 1
      places[number] = UInt32(place)
    }
    for (number, node) in roots.enumerated() { fill(&rows[Int(places[number])], node, places) }
    for alias in aliases {
      let hash = alias.key &* seed
      let tag = PhraseIndex.tag(ofWord: hash)
      var place = Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
      while rows[place].tag != 0 {
        if rows[place].tag & ~0x3E == tag { return nil }
        place = (place + 1) & mask
      }
      rows[place].tag = tag | PhraseIndex.aliasRole << 1
      rows[place].next = places[Int(alias.number)]
    }
    return (rows, places)
  }

  /// The phrase table for a seed, and the bits that say what may be in it; `nil` when two phrases would look the same.
  private func packPhrases(
    _ seed: UInt64, words: [UInt32]
  ) -> (rows: ContiguousArray<PhraseIndex.Row>, filter: ContiguousArray<UInt64>)? {
    let bits = Self.bits(phrases.count)
    let mask = 1 << bits - 1
    var rows = ContiguousArray<PhraseIndex.Row>(repeating: PhraseIndex.Row(), count: 1 << bits)
    var filter = ContiguousArray<UInt64>(repeating: 0, count: rows.count * PhraseIndex.filterBits / 64)
    var places = [UInt32](repeating: 0, count: phrases.count)
    for (number, phrase) in phrases.enumerated() {
      let from = UInt32(truncatingIfNeeded: phrase.key >> 32)
      let parent = from & Self.phraseBit == 0 ? words[Int(from)] : places[Int(from & ~Self.phraseBit)] | Self.phraseBit
      let hash = PhraseIndex.hash(parent, words[Int(UInt32(truncatingIfNeeded: phrase.key))], seed)
      let tag = UInt32(truncatingIfNeeded: hash) | 1
      var place = Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
      while rows[place].tag != 0 {
        if rows[place].tag == tag { return nil }
        place = (place + 1) & mask
      }
      rows[place].tag = tag
      fill(&rows[place], phrase.node, words)
      places[number] = UInt32(place)
      let bit = Int(truncatingIfNeeded: hash >> UInt64(64 - (filter.count * 64).trailingZeroBitCount))
      filter[bit / 64] |= 1 << UInt64(bit % 64)
    }
    return (rows, filter)
  }

  /// The table of slips; of two words that look the same, the one that stands in more keywords stays, and better one that is a good.
  private func packSlips(_ places: [UInt32]) -> ContiguousArray<SlipTable.Row> {
    var table = SlipTable.Builder(capacity: spelled.reduce(0) { $0 + $1.letters.count + 2 })
    let ranks = spelled.map { wordUses[Int($0.word)] + (isGood(roots[Int($0.word)]) ? 3 : 0) }
    let order = spelled.indices.sorted { (ranks[$1], $0) < (ranks[$0], $1) }
    for place in order { table.add(spelled[place].letters, place: places[Int(spelled[place].word)]) }
    return table.rows
  }

  /// Whether a word alone is a keyword for a good.
  private func isGood(_ node: Node) -> Bool {
    [node.singular, node.plural].contains {
      $0 >= 0 && taxonomy.keywords.entries[Int($0)].strength >= Keyword.Strength.good.rawValue
    }
  }

  private func fill(_ row: inout PhraseIndex.Row, _ node: Node, _ words: [UInt32]) {
    let entries = taxonomy.keywords.entries
    if node.singular >= 0 { row.singular = PhraseIndex.Ending(Int(node.singular), entries[Int(node.singular)]) }
    if node.plural >= 0 { row.plural = PhraseIndex.Ending(Int(node.plural), entries[Int(node.plural)]) }
    for follower in node.followers { row.next |= 1 << (words[Int(follower)] & 31) }
  }
}
