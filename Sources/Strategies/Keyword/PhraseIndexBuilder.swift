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
  /// Spellings whose standard form is no keyword and no word of one.
  private(set) var straySpellings: [Spelling] = []

  private let taxonomy: Taxonomy
  /// Each word's number by its key: open addressing, 0 is an empty place.
  private var wordSlots: ContiguousArray<(key: UInt64, number: UInt32)>
  private var wordKeys: ContiguousArray<UInt64> = []
  private var wordRoles: ContiguousArray<UInt32> = []
  /// Edges in open addressing by (node, word); `to` is the node plus one.
  private var edgeSlots: ContiguousArray<(key: UInt64, to: UInt32)>
  private var edgeCount = 0
  /// Nodes of single words, by the word's number.
  private var roots: ContiguousArray<PhraseIndex.Node> = []
  /// Nodes of longer phrases; their number has `phraseBit`.
  private var phrases: ContiguousArray<PhraseIndex.Node> = []
  /// Which variant keys stand for which word.
  private var aliases: [(key: UInt64, number: UInt32)] = []

  private static let phraseBit: UInt32 = 1 << 31
  private static let maximumWords = 12

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
      let number = word(scanner.key(ofWord: Array(Normalizer.normalize(move.word).utf8)))
      wordRoles[Int(number)] |= Grammar.Role.moves.rawValue
    }
    return PhraseIndex(taxonomy, tables())
  }

  // MARK: Collecting

  private mutating func addKeywords(_ scanner: Words) {
    let keywords = taxonomy.keywords
    guard let base = keywords.bytes.elements.baseAddress else { return }
    for number in keywords.entries.indices {
      let entry = keywords.entries[number]
      scanner.scan(base + Int(entry.start), count: Int(entry.length))
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
      roots.append(PhraseIndex.Node())
      wordSlots[slot] = (key, UInt32(wordKeys.count))
    }
    return wordSlots[slot].number - 1
  }

  private mutating func growWords() {
    let old = wordSlots
    wordSlots = .init(repeating: (0, 0), count: 2 * old.count)
    for entry in old where entry.number != 0 { wordSlots[slot(entry.key)] = entry }
  }

  private subscript(node: UInt32) -> PhraseIndex.Node {
    get { node & Self.phraseBit == 0 ? roots[Int(node)] : phrases[Int(node & ~Self.phraseBit)] }
    set {
      if node & Self.phraseBit == 0 { roots[Int(node)] = newValue } else { phrases[Int(node & ~Self.phraseBit)] = newValue }
    }
  }

  private func edgeSlot(_ key: UInt64) -> Int {
    let mask = edgeSlots.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    while edgeSlots[slot].to != 0, edgeSlots[slot].key != key { slot = (slot + 1) & mask }
    return slot
  }

  /// The node of the phrase in `scanner`, added when it is new; `nil` for no phrase, or one longer than any item's.
  private mutating func node(_ scanner: Words) -> UInt32? {
    guard scanner.count > 0, scanner.count <= Self.maximumWords else { return nil }
    var node = word(scanner.keys[0])
    for place in 1..<max(scanner.count, 1) {
      let next = word(scanner.keys[place])
      if 2 * edgeCount >= edgeSlots.count { growEdges() }
      let key = UInt64(node) << 32 | UInt64(next)
      let slot = edgeSlot(key)
      if edgeSlots[slot].to == 0 {
        phrases.append(PhraseIndex.Node())
        edgeSlots[slot] = (key, UInt32(phrases.count))
        edgeCount += 1
        self[node].next |= 1 << UInt64(next & 63)
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
    let keywords = taxonomy.keywords
    let ranks = keywords.entries.map { PhraseIndex.Rank(section: $0.section, strength: $0.strength, shelf: $0.shelf) }
    var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    var words = packWords(seed)
    while words == nil {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 | 1
      words = packWords(seed)
    }
    return PhraseIndex.Tables(
      words: FlatTable(words ?? []), edges: FlatTable(packEdges()), nodes: FlatTable(roots + phrases),
      ranks: FlatTable(ContiguousArray(ranks)), seed: seed)
  }

  /// The word table for a seed; `nil` when two words would look the same in it.
  private func packWords(_ seed: UInt64) -> ContiguousArray<PhraseIndex.WordRow>? {
    let bits = max(4, Int.bitWidth - (3 * (wordKeys.count + aliases.count) / 2).leadingZeroBitCount)
    let mask = 1 << bits - 1
    var rows = ContiguousArray<PhraseIndex.WordRow>(repeating: 0, count: 1 << bits)
    for (key, number) in zip(wordKeys, 0...).map({ ($0, UInt32($1)) }) + aliases.map({ ($0.key, $0.number) }) {
      let hash = key &* seed
      var slot = Int(truncatingIfNeeded: hash &>> UInt64(64 - bits))
      while rows[slot] != 0 {
        if rows[slot] >> 32 == hash & 0xFFFF_FFFF { return nil }
        slot = (slot + 1) & mask
      }
      let role = UInt64(wordRoles[Int(number)]) << PhraseIndex.nodeBits
      rows[slot] = hash << 32 | role | UInt64(number + 1)
    }
    return rows
  }

  private func packEdges() -> ContiguousArray<PhraseIndex.EdgeRow> {
    let bits = max(4, Int.bitWidth - (3 * edgeCount / 2).leadingZeroBitCount)
    let mask = 1 << bits - 1
    var rows = ContiguousArray<PhraseIndex.EdgeRow>(repeating: 0, count: 1 << bits)
    for edge in edgeSlots where edge.to != 0 {
      let key = UInt64(packed(UInt32(truncatingIfNeeded: edge.key >> 32))) << 20 | edge.key & 0xFFFFF
      var slot = Int(truncatingIfNeeded: PhraseIndex.hash(edge: key)) & mask
      while rows[slot] != 0 { slot = (slot + 1) & mask }
      rows[slot] = key << PhraseIndex.nodeBits | UInt64(packed(edge.to - 1 | Self.phraseBit) + 1)
    }
    return rows
  }

  /// A node's number in the packed table: words first, then longer phrases.
  private func packed(_ node: UInt32) -> UInt32 {
    node & Self.phraseBit == 0 ? node : UInt32(roots.count) + (node & ~Self.phraseBit)
  }
}
