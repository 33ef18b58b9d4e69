import AisleCore

/// The keywords of a taxonomy as a trie over words, built for one pass over an item.
///
/// A word's number is the number of its trie node. Nodes, edges and words lie in three flat blocks: an item costs one probe a word,
/// and one more for each phrase that goes on. Building takes about 0.1 µs a keyword.
final class PhraseIndex: @unchecked Sendable {
  // Unchecked, since it owns raw memory; nothing is written after `init`.

  /// A place in the trie, reached by a word or a phrase.
  struct Node {
    /// The keyword that ends here in its singular, or -1.
    var singular: Int32 = -1
    /// The keyword that ends here in its plural, or -1.
    var plural: Int32 = -1
    /// A bit for each next word's number modulo 64: a zero bit says that no phrase goes on with the word.
    var next: UInt64 = 0
  }

  /// What is known of a word.
  struct Word {
    var key: UInt64 = 0
    /// Its trie node plus one; 0 marks an empty place.
    var node: UInt32 = 0
    var role: UInt32 = 0
  }

  private struct Edge {
    var from: UInt32 = 0
    var word: UInt32 = 0
    /// The node it leads to plus one; 0 marks an empty place.
    var to: UInt32 = 0
  }

  /// Two keywords that are the same after normalization.
  struct Conflict {
    let first: KeywordID
    let second: KeywordID
  }

  let taxonomy: Taxonomy
  /// Strength, section and shelf of each keyword, beside each other.
  let ranks: UnsafeMutablePointer<Rank>
  /// The moves of each word that has any, by the word's node.
  private(set) var moves: [UInt32: [Int]] = [:]
  /// Keywords that stand more than once.
  private(set) var conflicts: [Conflict] = []
  /// Spellings whose standard form is no keyword and no word of one.
  private(set) var straySpellings: [Spelling] = []

  private(set) var nodes: UnsafeMutablePointer<Node>
  private var nodeCount: UInt32 = 0
  private let words: UnsafeMutablePointer<Word>
  private let wordShift: UInt64
  private let wordMask: Int
  private let edges: UnsafeMutablePointer<Edge>
  private let edgeMask: Int

  /// What the choice between keywords needs of one.
  struct Rank {
    var section: UInt8
    var strength: UInt8
    var shelf: UInt16
  }

  init(_ taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    let keywords = taxonomy.keywords
    let wordBits = 64 - max(keywords.count, 256).leadingZeroBitCount + 1
    let edgeBits = 64 - max(keywords.count, 256).leadingZeroBitCount + 1
    let nodeCapacity = 4 * keywords.count + 4096
    wordShift = UInt64(64 - wordBits)
    wordMask = 1 << wordBits - 1
    edgeMask = 1 << (edgeBits + 1) - 1
    words = .allocate(capacity: wordMask + 1)
    words.initialize(repeating: Word(), count: wordMask + 1)
    edges = .allocate(capacity: edgeMask + 1)
    edges.initialize(repeating: Edge(), count: edgeMask + 1)
    nodes = .allocate(capacity: nodeCapacity)
    ranks = .allocate(capacity: keywords.count + 1)
    build()
  }

  deinit {
    words.deallocate()
    edges.deallocate()
    nodes.deallocate()
    ranks.deallocate()
  }

  // MARK: Looking up

  /// The place of a word in the table, or of the empty place where it would go.
  @inline(__always)
  func find(_ key: UInt64) -> UnsafeMutablePointer<Word> {
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> wordShift)
    while words[slot].node != 0, words[slot].key != key { slot = (slot &+ 1) & wordMask }
    return words + slot
  }

  /// The node reached from `node` by `word`, or `nil`.
  @inline(__always)
  func step(_ node: UInt32, _ word: UInt32) -> UInt32? {
    guard nodes[Int(node)].next &>> UInt64(word & 63) & 1 == 1 else { return nil }
    let edge = findEdge(node, word)
    return edge.pointee.to == 0 ? nil : edge.pointee.to &- 1
  }

  @inline(__always)
  private func findEdge(_ node: UInt32, _ word: UInt32) -> UnsafeMutablePointer<Edge> {
    let mixed = (UInt64(node) &<< 32 | UInt64(word)) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: mixed &>> 32) & edgeMask
    while edges[slot].to != 0, edges[slot].from != node || edges[slot].word != word { slot = (slot &+ 1) & edgeMask }
    return edges + slot
  }

  // MARK: Building

  private func build() {
    let scanner = Words()
    addGrammar(scanner)
    addWordSpellings(scanner)
    let keywords = taxonomy.keywords
    keywords.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      keywords.entries.withUnsafeBufferPointer { entries in
        for number in entries.indices {
          let entry = entries[number]
          ranks[number] = Rank(section: entry.section, strength: entry.strength, shelf: entry.shelf)
          scanner.scan(base + Int(entry.start), count: Int(entry.length))
          add(Int32(number), scanner)
        }
      }
    }
    addPhraseSpellings(scanner)
    for (place, move) in taxonomy.moves.enumerated() {
      let word = self.word(scanner.key(ofWord: Array(Normalizer.normalize(move.word).utf8)))
      word.pointee.role |= Grammar.Role.moves.rawValue
      moves[word.pointee.node - 1, default: []].append(place)
    }
  }

  /// The word with a key, added when it is new.
  @inline(__always)
  private func word(_ key: UInt64) -> UnsafeMutablePointer<Word> {
    let word = find(key)
    if word.pointee.node == 0 { word.pointee = Word(key: key, node: addNode() + 1, role: 0) }
    return word
  }

  @inline(__always)
  private func addNode() -> UInt32 {
    (nodes + Int(nodeCount)).initialize(to: Node())
    nodeCount &+= 1
    return nodeCount &- 1
  }

  /// The node of the phrase in `scanner`, added when it is new.
  private func node(_ scanner: Words) -> UInt32? {
    guard scanner.count > 0, scanner.count <= 12 else { return nil }
    var node = word(scanner.keys[0]).pointee.node - 1
    for place in 1..<max(scanner.count, 1) {
      let next = word(scanner.keys[place]).pointee.node - 1
      let edge = findEdge(node, next)
      if edge.pointee.to == 0 {
        edge.pointee = Edge(from: node, word: next, to: addNode() + 1)
        nodes[Int(node)].next |= 1 << UInt64(next & 63)
      }
      node = edge.pointee.to - 1
    }
    return node
  }

  @inline(__always)
  private func add(_ keyword: Int32, _ scanner: Words) {
    guard let node = node(scanner) else { return }
    let isPlural = scanner.marks[scanner.count - 1].contains(.plural)
    let place = isPlural ? nodes[Int(node)].plural : nodes[Int(node)].singular
    if place >= 0 {
      conflicts.append(Conflict(first: KeywordID(rawValue: UInt32(place)), second: KeywordID(rawValue: UInt32(keyword))))
    } else if isPlural {
      nodes[Int(node)].plural = keyword
    } else {
      nodes[Int(node)].singular = keyword
    }
  }

  private func addGrammar(_ scanner: Words) {
    for (role, list) in Grammar.words {
      for text in list.split(whereSeparator: \.isWhitespace) {
        word(scanner.key(ofWord: Array(text.utf8))).pointee.role |= role.rawValue
      }
    }
  }

  /// A one-word spelling of one word makes both the same word, in keywords and items alike.
  private func addWordSpellings(_ scanner: Words) {
    for spelling in taxonomy.spellings {
      let variant = Normalizer.normalize(spelling.variant)
      let standard = Normalizer.normalize(spelling.standard)
      guard !variant.contains(" "), !standard.contains(" ") else { continue }
      let known = word(scanner.key(ofWord: Array(standard.utf8))).pointee
      let other = word(scanner.key(ofWord: Array(variant.utf8)))
      other.pointee.node = known.node
      other.pointee.role = known.role
    }
  }

  /// A spelling of several words leads to the keyword of its standard form.
  private func addPhraseSpellings(_ scanner: Words) {
    for spelling in taxonomy.spellings {
      guard spelling.variant.contains(" ") || spelling.standard.contains(" ") else { continue }
      scan(spelling.standard, scanner)
      guard let known = node(scanner), nodes[Int(known)].singular >= 0 || nodes[Int(known)].plural >= 0 else {
        straySpellings.append(spelling)
        continue
      }
      scan(spelling.variant, scanner)
      guard let other = node(scanner) else { continue }
      if nodes[Int(other)].singular < 0 {
        nodes[Int(other)].singular = nodes[Int(known)].singular >= 0 ? nodes[Int(known)].singular : nodes[Int(known)].plural
      }
    }
  }

  private func scan(_ text: String, _ scanner: Words) {
    let bytes = Array(text.utf8)
    (bytes + [UInt8](repeating: 0, count: Batch.padding)).withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { scanner.scan(base, count: bytes.count) }
    }
  }
}
