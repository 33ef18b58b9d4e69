import AisleCore

/// Builds a `PhraseIndex` from a taxonomy.
struct PhraseIndexBuilder {
  /// Two keywords that are the same after normalization.
  struct Conflict {
    let first: KeywordID
    let second: KeywordID
  }

  /// Keywords that stand more than once.
  private(set) var conflicts: [Conflict] = []
  /// Spellings without effect: their standard form is no keyword, or their variant means something already.
  private(set) var straySpellings: [Spelling] = []

  private let taxonomy: Taxonomy
  /// Each word's number by its key: open addressing, 0 is an empty place.
  private var wordSlots: ContiguousArray<(key: UInt64, number: UInt32)>
  private var wordKeys: ContiguousArray<UInt64> = []
  private var wordRoles: ContiguousArray<UInt32> = []
  /// Edges in open addressing by (node, word); `to` is the node plus one.
  private var edgeSlots: ContiguousArray<(key: UInt64, to: UInt32)>
  private var edgeCount = 0
  /// What ends at single words, by the word's number.
  private var roots: ContiguousArray<Node> = []
  /// What ends at longer phrases, and where they come from; their number has `phraseBit`, and they come after what they go on from.
  private var phrases: ContiguousArray<(node: Node, key: UInt64)> = []
  /// Which variant keys stand for which word.
  private var aliases: [(key: UInt64, number: UInt32)] = []

  /// A place in the trie while it grows.
  private struct Node {
    var singular: Int32 = -1
    var plural: Int32 = -1
    /// The numbers of the words that phrases go on with.
    var followers: [UInt32] = []
  }

  private static let phraseBit = PhraseIndex.phraseBit
  /// The single-word keywords that typos are corrected to: their letters, their numbers and their words'.
  private var gapWords: [(letters: [UInt8], keyword: Int32, word: UInt32)] = []

  init(_ taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    let bits = 64 - max(taxonomy.keywords.count, 1024).leadingZeroBitCount + 1
    wordSlots = .init(repeating: (0, 0), count: 1 << bits)
    edgeSlots = .init(repeating: (0, 0), count: 1 << (bits + 1))
  }

  /// Builds the index.
  ///
  /// - Complexity: O(bytes of all keywords); about 0.1 µs a keyword.
  mutating func build() -> PhraseIndex {
    let scanner = Words()
    addGrammar(scanner)
    addWordSpellings(scanner)
    addKeywords(scanner)
    addPhraseSpellings(scanner)
    for move in taxonomy.moves {
      let number = word(scanner.key(ofWord: PhraseIndex.keyWord(of: move)))
      wordRoles[Int(number)] |= Grammar.Role.moves.rawValue
    }
    return PhraseIndex(taxonomy, tables())
  }

  // MARK: Collecting

  private mutating func addKeywords(_ scanner: Words) {
    let keywords = taxonomy.keywords
    for number in keywords.entries.indices {
      let entry = keywords.entries[number]
      scanner.scan(keywords.bytes.address + Int(entry.start), count: Int(entry.length))
      add(Int32(number), scanner)
    }
  }

  private mutating func add(_ keyword: Int32, _ scanner: Words) {
    guard let node = node(scanner) else { return }
    let isPlural = scanner.marks[scanner.count - 1].contains(.plural)
    let place = isPlural ? self[node].plural : self[node].singular
    if place >= 0 {
      conflicts.append(Conflict(first: KeywordID(rawValue: UInt32(place)), second: KeywordID(rawValue: UInt32(keyword))))
    } else if isPlural {
      self[node].plural = keyword
    } else {
      self[node].singular = keyword
    }
    if scanner.count == 1, !scanner.marks[0].contains(.digit) {
      let start = Int(scanner.bounds[0])
      let word = UnsafeBufferPointer(start: scanner.text + start, count: Int(scanner.bounds[1]) - start)
      if TypoCorrector.mayCorrect(word) { gapWords.append((Words.singular(ofFolded: word), keyword, node)) }
    }
  }

  private mutating func addGrammar(_ scanner: Words) {
    for (role, list) in Grammar.words {
      for text in list.split(whereSeparator: \.isWhitespace) {
        wordRoles[Int(word(scanner.key(ofWord: Array(text.utf8))))] |= role.rawValue
      }
    }
  }

  /// A one-word spelling of one word makes both the same word, in keywords and items alike.
  private mutating func addWordSpellings(_ scanner: Words) {
    for spelling in taxonomy.spellings {
      let variant = Normalizer.normalize(spelling.variant)
      let standard = Normalizer.normalize(spelling.standard)
      guard !variant.contains(" "), !standard.contains(" ") else { continue }
      let known = word(scanner.key(ofWord: Array(standard.utf8)))
      let key = scanner.key(ofWord: Array(variant.utf8))
      let slot = slot(key)
      if wordSlots[slot].number == 0 {
        wordSlots[slot] = (key, known + 1)
        aliases.append((key, known))
      } else {
        straySpellings.append(spelling)
      }
    }
  }

  /// A spelling of several words leads to the keyword of its standard form.
  private mutating func addPhraseSpellings(_ scanner: Words) {
    for spelling in taxonomy.spellings {
      guard spelling.variant.contains(" ") || spelling.standard.contains(" ") else { continue }
      scan(spelling.standard, scanner)
      guard let known = node(scanner), self[known].singular >= 0 || self[known].plural >= 0 else {
        straySpellings.append(spelling)
        continue
      }
      let keyword = self[known].singular >= 0 ? self[known].singular : self[known].plural
      scan(spelling.variant, scanner)
      if let other = node(scanner), self[other].singular < 0 { self[other].singular = keyword }
    }
  }

  private func scan(_ text: String, _ scanner: Words) {
    let bytes = Array(text.utf8)
    (bytes + [UInt8](repeating: 0, count: Batch.padding)).withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { scanner.scan(base, count: bytes.count) }
    }
  }

  // MARK: Words, nodes and edges

  private func slot(_ key: UInt64) -> Int {
    let mask = wordSlots.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    while wordSlots[slot].number != 0, wordSlots[slot].key != key { slot = (slot + 1) & mask }
    return slot
  }

  /// The number of the word with a key, added when it is new.
  private mutating func word(_ key: UInt64) -> UInt32 {
    if 2 * wordKeys.count >= wordSlots.count { growWords() }
    let slot = slot(key)
    if wordSlots[slot].number == 0 {
      wordKeys.append(key)
      wordRoles.append(0)
      roots.append(Node())
      wordSlots[slot] = (key, UInt32(wordKeys.count))
    }
    return wordSlots[slot].number - 1
  }

  private mutating func growWords() {
    let old = wordSlots
    wordSlots = .init(repeating: (0, 0), count: 2 * old.count)
    for entry in old where entry.number != 0 { wordSlots[slot(entry.key)] = entry }
  }

  private subscript(node: UInt32) -> Node {
    get { node & Self.phraseBit == 0 ? roots[Int(node)] : phrases[Int(node & ~Self.phraseBit)].node }
    _modify {
      if node & Self.phraseBit == 0 { yield &roots[Int(node)] } else { yield &phrases[Int(node & ~Self.phraseBit)].node }
    }
  }

  private func edgeSlot(_ key: UInt64) -> Int {
    let mask = edgeSlots.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    while edgeSlots[slot].to != 0, edgeSlots[slot].key != key { slot = (slot + 1) & mask }
    return slot
  }

  /// The node of the phrase in `scanner`, added when it is new; `nil` for no word at all.
  private mutating func node(_ scanner: Words) -> UInt32? {
    guard scanner.count > 0 else { return nil }
    var node = word(scanner.keys[0])
    for place in 1..<max(scanner.count, 1) {
      let next = word(scanner.keys[place])
      if 2 * edgeCount >= edgeSlots.count { growEdges() }
      let key = UInt64(node) << 32 | UInt64(next)
      let slot = edgeSlot(key)
      if edgeSlots[slot].to == 0 {
        phrases.append((Node(), key))
        edgeSlots[slot] = (key, UInt32(phrases.count))
        edgeCount += 1
        self[node].followers.append(next)
      }
      node = edgeSlots[slot].to - 1 | Self.phraseBit
    }
    return node
  }

  private mutating func growEdges() {
    let old = edgeSlots
    edgeSlots = .init(repeating: (0, 0), count: 2 * old.count)
    for entry in old where entry.to != 0 { edgeSlots[edgeSlot(entry.key)] = entry }
  }

  // MARK: Packing

  private func tables() -> PhraseIndex.Tables {
    let (roles, roleNumbers) = packRoles()
    var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    while true {
      if let (words, places) = packWords(seed, roleNumbers), let phrases = packPhrases(seed, words: places) {
        return PhraseIndex.Tables(
          words: FlatTable(words), phrases: FlatTable(phrases), gaps: FlatTable(packGaps(places)), roles: FlatTable(roles),
          seeds: FlatTable([seed, seed]))
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

  /// The phrase table for a seed; `nil` when two phrases would look the same.
  private func packPhrases(_ seed: UInt64, words: [UInt32]) -> ContiguousArray<PhraseIndex.Row>? {
    let bits = Self.bits(phrases.count)
    let mask = 1 << bits - 1
    var rows = ContiguousArray<PhraseIndex.Row>(repeating: PhraseIndex.Row(), count: 1 << bits)
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
    }
    return rows
  }

  /// The table of single-word keywords with a letter missing; of two that look the same the stronger one stays.
  private func packGaps(_ places: [UInt32]) -> ContiguousArray<TypoCorrector.Row> {
    let entries = taxonomy.keywords.entries
    var table = TypoCorrector.TableBuilder(capacity: gapWords.reduce(0) { $0 + $1.letters.count })
    for strength in [Keyword.Strength.decisive, .good, .flavor] {
      for gap in gapWords where entries[Int(gap.keyword)].strength == strength.rawValue {
        table.add(gap.letters, place: places[Int(gap.word)])
      }
    }
    return table.rows
  }

  private func fill(_ row: inout PhraseIndex.Row, _ node: Node, _ words: [UInt32]) {
    let entries = taxonomy.keywords.entries
    if node.singular >= 0 { row.singular = PhraseIndex.Ending(Int(node.singular), entries[Int(node.singular)]) }
    if node.plural >= 0 { row.plural = PhraseIndex.Ending(Int(node.plural), entries[Int(node.plural)]) }
    for follower in node.followers { row.next |= 1 << (words[Int(follower)] & 31) }
  }
}
