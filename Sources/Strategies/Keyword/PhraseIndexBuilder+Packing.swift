import AisleCore

/// Lays the finished trie out in the tables that matching reads.
extension PhraseIndexBuilder {
  func tables() -> PhraseIndex.Tables {
    let (roles, roleNumbers) = packRoles()
    var doubles: ContiguousArray<PhraseIndex.Double> = []
    // Another seed where a perfect hash is not found.
    var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    while true {
      doubles.removeAll()
      if let words = packWords(seed, roleNumbers, &doubles), let phrases = packPhrases(seed, words.numbers, &doubles) {
        var tables = PhraseIndex.Tables(
          words: FlatTable(words.rows), phrases: FlatTable(phrases.rows), wordPilots: FlatTable(words.pilots),
          phrasePilots: FlatTable(phrases.pilots), doubles: FlatTable(doubles), filter: FlatTable(phrases.filter),
          slips: SlipSource(packSlips(words.numbers)), roles: FlatTable(roles), seeds: FlatTable([seed, seed]),
          ownWords: FlatTable(packOwnWords(words.numbers)), moveWords: FlatTable([]))
        let finder = PhraseIndex.Finder(tables)
        tables.moveWords = FlatTable(ContiguousArray(PhraseIndex.keys(of: taxonomy.moves).map { finder.word($0) }))
        return tables
      }
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 | 1
    }
  }

  /// The roles that occur, and each word's number among them. A row has room for the numbers of fewer than `roleCount` combinations. Where
  /// several languages have more, the rarest are read as the largest combination that is part of them.
  private func packRoles() -> (ContiguousArray<UInt32>, [UInt32: UInt32]) {
    var uses: [UInt32: Int] = [:]
    var kept: [UInt32] = [0]
    for role in wordRoles {
      if role != 0, uses[role] == nil { kept.append(role) }
      uses[role, default: 0] += 1
    }
    let most = PhraseIndex.aliasRole
    var dropped: [UInt32] = []
    if kept.count > most {
      // What words do singly comes first: combinations are made of it.
      func rank(_ role: UInt32) -> (Int, Int, UInt32) { (role.nonzeroBitCount > 1 ? 1 : 0, -uses[role, default: 0], role) }
      kept[1...].sort { rank($0) < rank($1) }
      dropped = Array(kept[most...])
      kept = Array(kept[..<most])
    }
    var numbers = Dictionary(uniqueKeysWithValues: zip(kept, UInt32(0)...))
    for role in dropped {
      // What says where the head ends counts before anything else.
      func weight(_ part: UInt32) -> Int { 2 * part.nonzeroBitCount + (part & PhraseMatcher.cuts == 0 ? 0 : 1) }
      let part = kept.filter { $0 & ~role == 0 }.max { weight($0) < weight($1) }
      numbers[role] = part.flatMap { numbers[$0] }
    }
    let idle = repeatElement(UInt32(0), count: PhraseIndex.roleCount - kept.count)
    return (ContiguousArray(kept + idle), numbers)
  }

  /// The word table for a seed and each word's number in it; `nil` where there is no perfect hash.
  private func packWords(
    _ seed: UInt64, _ roles: [UInt32: UInt32], _ doubles: inout ContiguousArray<PhraseIndex.Double>
  ) -> (rows: ContiguousArray<PhraseIndex.Row>, pilots: ContiguousArray<UInt8>, numbers: [UInt32])? {
    let hashes = wordKeys.map { PhraseIndex.hash(ofWord: $0, seed) } + aliases.map { PhraseIndex.hash(ofWord: $0.key, seed) }
    guard let (pilots, places) = PerfectHash.search(hashes) else { return nil }
    var rows = ContiguousArray(repeating: PhraseIndex.Row.empty, count: PerfectHash.placeCount(hashes.count))
    for (number, node) in roots.enumerated() {
      let role = roles[wordRoles[number]] ?? 0
      rows[Int(places[number])] = row(node, tag: PhraseIndex.tag(ofWord: hashes[number]) | role << 27, &doubles)
    }
    let numbers = places.prefix(wordKeys.count).map { $0 + 1 }
    for (number, alias) in aliases.enumerated() {
      let tag = PhraseIndex.tag(ofWord: hashes[wordKeys.count + number])
      rows[Int(places[wordKeys.count + number])] = PhraseIndex.Row(aliasOf: numbers[Int(alias.number)], tag: tag)
    }
    return (rows, pilots, numbers)
  }

  /// The phrase table for a seed, and the bits that say what may be in it; `nil` where there is no perfect hash.
  private func packPhrases(
    _ seed: UInt64, _ words: [UInt32], _ doubles: inout ContiguousArray<PhraseIndex.Double>
  ) -> (rows: ContiguousArray<PhraseIndex.Row>, pilots: ContiguousArray<UInt8>, filter: ContiguousArray<UInt64>)? {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(phrases.count)
    for phrase in phrases {
      let from = UInt32(truncatingIfNeeded: phrase.key >> 32)
      let parent = from & Self.phraseBit == 0 ? UInt64(words[Int(from)]) : hashes[Int(from & ~Self.phraseBit)]
      hashes.append(PhraseIndex.hash(parent, words[Int(UInt32(truncatingIfNeeded: phrase.key))], seed))
    }
    guard let (pilots, places) = PerfectHash.search(hashes) else { return nil }
    var rows = ContiguousArray(repeating: PhraseIndex.Row.empty, count: PerfectHash.placeCount(hashes.count))
    for (number, hash) in hashes.enumerated() {
      rows[Int(places[number])] = row(phrases[number].node, tag: PhraseIndex.tag(ofPhrase: hash), &doubles)
    }
    return (rows, pilots, HashFilter.table(of: hashes, count: hashes.count))
  }

  /// The words that stand in sections' own keywords alone and do nothing else, each with those sections.
  private func packOwnWords(_ numbers: [UInt32]) -> ContiguousArray<PhraseIndex.OwnWord> {
    var words: ContiguousArray<PhraseIndex.OwnWord> = []
    for (word, sections) in ownUses where sections.count == wordUses[Int(word)] && wordRoles[Int(word)] == 0 {
      words += Set(sections).map { PhraseIndex.OwnWord(number: numbers[Int(word)], section: UInt32($0)) }
    }
    return ContiguousArray(words.sorted { ($0.number, $0.section) < ($1.number, $1.section) })
  }

  /// A word in fewer keywords is rare, where there are so many words that a name is near one of them by chance.
  private static let (fewUses, manyWords): (UInt32, Int) = (3, 4096)

  /// The table of slips; of two words that look the same, the one that stands in more keywords stays, and better one that is a good.
  private func packSlips(_ numbers: [UInt32]) -> SlipTables {
    var table = SlipTable.Builder(capacity: spelled.reduce(0) { $0 + $1.letters.count + 2 } * 5 / 4)
    let ranks = spelled.map { shelfUses[Int($0.word)] + (isGood(roots[Int($0.word)]) ? 3 : 0) }
    // By their letters where as many keywords have them, so that shelves in another order make the same table.
    let order = spelled.indices.sorted { left, right in
      if ranks[left] != ranks[right] { return ranks[left] > ranks[right] }
      if spelled[left].letters != spelled[right].letters {
        return spelled[left].letters.lexicographicallyPrecedes(spelled[right].letters)
      }
      return wordKeys[Int(spelled[left].word)] < wordKeys[Int(spelled[right].word)]
    }
    let hasManyWords = spelled.count > Self.manyWords
    for place in order {
      let word = Int(spelled[place].word)
      let letters = spelled[place].letters
      let isRare = hasManyWords && shelfUses[word] < Self.fewUses
      table.add(letters, number: numbers[word], uses: ranks[place], isRare: isRare)
      // What is left of a mistyped plural: "batteires".
      if letters.last == UInt8(ascii: "y"), !SlipTable.isVowel(letters[letters.count - 2]) {
        table.add(
          letters.dropLast() + [UInt8(ascii: "i"), UInt8(ascii: "e")], number: numbers[word], uses: ranks[place], isRare: isRare)
      }
    }
    return SlipTables(rows: FlatTable(table.rows))
  }

  /// Whether a word alone is a keyword for a good.
  private func isGood(_ node: Node) -> Bool {
    [node.singular, node.plural].contains {
      $0 >= 0 && taxonomy.keywords.entries[Int($0)].strength >= Keyword.Strength.good.rawValue
    }
  }

  private func row(
    _ node: Node, tag: UInt32, _ doubles: inout ContiguousArray<PhraseIndex.Double>
  ) -> PhraseIndex.Row {
    func ending(_ keyword: Int32) -> PhraseIndex.Ending {
      keyword < 0 ? .none : PhraseIndex.Ending(Int(keyword), taxonomy.keywords.entries[Int(keyword)])
    }
    let goesOn = !node.followers.isEmpty
    if node.singular >= 0, node.plural >= 0 {
      doubles.append(PhraseIndex.Double(singular: ending(node.singular), plural: ending(node.plural)))
      return PhraseIndex.Row(UInt32(doubles.count - 1), isDouble: true, goesOn: goesOn, tag: tag)
    }
    return PhraseIndex.Row(ending(max(node.singular, node.plural)).rawValue, goesOn: goesOn, tag: tag)
  }
}
