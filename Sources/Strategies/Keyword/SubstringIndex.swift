import AisleCore

/// The classic keyword table: lowercase the item, walk the sections in match order, and the first one that has a keyword anywhere in
/// the item wins.
///
/// An Aho–Corasick automaton finds all keywords in one pass; each state keeps the best one that ends there. (Aho, Corasick:
/// Efficient string matching, CACM 18 (6), 1975.) Its edges lie in one hash table, its states in two arrays.
struct SubstringIndex: Sendable {
  /// A state's link to the longest other state that ends the same way, and the best keyword that ends here.
  private struct State {
    var failure: UInt32 = 0
    /// The keyword's place in match order, or `UInt32.max`.
    var best: UInt32 = .max
    var length: UInt16 = 0
  }

  /// How a state was reached first.
  private struct Origin {
    let parent: UInt32
    let byte: UInt8
    let depth: UInt16
  }

  private var edges: EdgeTable
  private var states: ContiguousArray<State> = [State()]
  /// The keywords' numbers in match order.
  private let order: [Int]
  private let sections: [SectionID]

  init(_ taxonomy: Taxonomy) {
    let keywords = taxonomy.keywords
    var places = [Int](repeating: .max, count: taxonomy.sections.count)
    for (place, section) in taxonomy.matchOrder.enumerated().reversed() { places[Int(section.rawValue)] = place }
    order = keywords.indices.filter { places[Int(keywords.entries[$0].section)] != .max }
      .sorted { (places[Int(keywords.entries[$0].section)], $0) < (places[Int(keywords.entries[$1].section)], $1) }
    sections = order.map { SectionID(rawValue: UInt16(keywords.entries[$0].section)) }
    edges = EdgeTable(capacity: keywords.bytes.count)
    var origins: ContiguousArray<Origin> = [Origin(parent: 0, byte: 0, depth: 0)]
    for (place, number) in order.enumerated() {
      var state: UInt32 = 0
      let text = Array(keywords[number].text.lowercased().utf8)
      for (depth, byte) in text.enumerated() {
        if let next = edges.next(state, byte) {
          state = next
        } else {
          let new = UInt32(states.count)
          edges.insert(state, byte, new)
          states.append(State())
          origins.append(Origin(parent: state, byte: byte, depth: UInt16(clamping: depth + 1)))
          state = new
        }
      }
      if UInt32(place) < states[Int(state)].best {
        states[Int(state)].best = UInt32(place)
        states[Int(state)].length = UInt16(clamping: text.count)
      }
    }
    let byDepth = (1..<UInt32(max(origins.count, 1))).sorted { origins[Int($0)].depth < origins[Int($1)].depth }
    for state in byDepth { link(Int(state), origins[Int(state)]) }
  }

  /// Sets a state's failure link, and takes over the best keyword from there; all shallower states are linked already.
  private mutating func link(_ state: Int, _ origin: Origin) {
    let target = origin.parent == 0 ? 0 : step(states[Int(origin.parent)].failure, origin.byte)
    states[state].failure = target
    let inherited = states[Int(target)]
    if inherited.best < states[state].best {
      states[state].best = inherited.best
      states[state].length = inherited.length
    }
  }

  @inline(__always)
  private func step(_ state: UInt32, _ byte: UInt8) -> UInt32 {
    var state = state
    while true {
      if let next = edges.next(state, byte) { return next }
      if state == 0 { return 0 }
      state = states[Int(state)].failure
    }
  }

  func decide(_ item: UnsafePointer<UInt8>, count length: Int) -> Decision? {
    let bytes = UnsafeBufferPointer(start: item, count: length)
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      // Lowercasing may change lengths, so the span is not known.
      let lowered = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
      return lowered.withUnsafeBufferPointer { search($0, isOriginal: false) }
    }
    return search(bytes, isOriginal: true)
  }

  private func search(_ text: UnsafeBufferPointer<UInt8>, isOriginal: Bool) -> Decision? {
    var state: UInt32 = 0
    var best: UInt32 = .max
    var end = 0
    var length = 0
    for (offset, byte) in text.enumerated() {
      state = step(state, byte.lowercasedASCII)
      if states[Int(state)].best < best {
        best = states[Int(state)].best
        (end, length) = (offset + 1, Int(states[Int(state)].length))
      }
    }
    guard best != .max else { return nil }
    var evidence = Evidence()
    evidence.keyword = KeywordID(rawValue: UInt32(order[Int(best)]))
    evidence.span = isOriginal ? end - length..<end : nil
    evidence.rule = PhraseRule.substring.rawValue
    return Decision(section: sections[Int(best)], confidence: 0.5, evidence: evidence)
  }
}

/// The edges of an automaton over bytes: open addressing by state and byte.
private struct EdgeTable {
  private var rows: ContiguousArray<(key: UInt32, to: UInt32)>
  private let shift: UInt32
  private let mask: Int

  /// - Parameter capacity: The most edges that will be inserted.
  init(capacity: Int) {
    let bits = max(4, Int.bitWidth - (3 * capacity / 2).leadingZeroBitCount)
    rows = .init(repeating: (0, 0), count: 1 << bits)
    mask = 1 << bits - 1
    shift = UInt32(32 - bits)
  }

  /// The state that an edge leads to; no edge leads to state 0.
  @inline(__always)
  func next(_ state: UInt32, _ byte: UInt8) -> UInt32? {
    let row = rows[slot(state &<< 8 | UInt32(byte))]
    return row.to == 0 ? nil : row.to
  }

  mutating func insert(_ state: UInt32, _ byte: UInt8, _ to: UInt32) {
    let key = state << 8 | UInt32(byte)
    rows[slot(key)] = (key, to)
  }

  @inline(__always)
  private func slot(_ key: UInt32) -> Int {
    var slot = Int((key &* 0x9E37_79B1) &>> shift)
    while rows[slot].to != 0, rows[slot].key != key { slot = (slot &+ 1) & mask }
    return slot
  }
}
