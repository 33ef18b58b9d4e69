import AisleCore

/// The classic keyword table: lowercase the item, walk the sections in match order, and the first one that has a keyword anywhere in
/// the item wins.
///
/// An Aho–Corasick automaton finds all keywords in one pass; each state keeps the best one that ends there. (Aho, Corasick:
/// Efficient string matching, CACM 18 (6), 1975.)
final class SubstringIndex: Sendable {
  private struct State {
    var next: [UInt8: Int32] = [:]
    var failure: Int32 = 0
    /// The best place in match order of a keyword that ends here, or `Int32.max`.
    var best: Int32 = .max
    var bestLength: Int32 = 0
  }

  private let states: [State]
  private let root: [Int32]
  /// The keywords' numbers in match order.
  private let order: [Int]
  private let sections: [SectionID]

  init(_ taxonomy: Taxonomy) {
    let keywords = taxonomy.keywords
    var places = [Int](repeating: .max, count: taxonomy.sections.count)
    for (place, section) in taxonomy.matchOrder.enumerated() { places[Int(section.rawValue)] = place }
    order = keywords.indices.filter { places[Int(keywords.entries[$0].section)] != .max }
      .sorted { (places[Int(keywords.entries[$0].section)], $0) < (places[Int(keywords.entries[$1].section)], $1) }
    sections = order.map { SectionID(rawValue: UInt16(keywords.entries[$0].section)) }
    var states = [State()]
    for (place, number) in order.enumerated() {
      var state = 0
      let text = Array(keywords[number].text.lowercased().utf8)
      for byte in text {
        if let next = states[state].next[byte] {
          state = Int(next)
        } else {
          states.append(State())
          states[state].next[byte] = Int32(states.count - 1)
          state = states.count - 1
        }
      }
      if place < states[state].best {
        states[state].best = Int32(place)
        states[state].bestLength = Int32(text.count)
      }
    }
    SubstringIndex.link(&states)
    self.states = states
    root = (0...255).map { states[0].next[$0] ?? 0 }
  }

  /// Sets each state's failure link, breadth first, and hands the best keyword down from the link.
  private static func link(_ states: inout [State]) {
    var queue = Array(states[0].next.values)
    var head = 0
    while head < queue.count {
      let state = Int(queue[head])
      head += 1
      let inherited = states[Int(states[state].failure)]
      if inherited.best < states[state].best {
        states[state].best = inherited.best
        states[state].bestLength = inherited.bestLength
      }
      for (byte, child) in states[state].next {
        var link = states[state].failure
        while link != 0, states[Int(link)].next[byte] == nil { link = states[Int(link)].failure }
        states[Int(child)].failure = states[Int(link)].next[byte] ?? 0
        queue.append(child)
      }
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
    states.withUnsafeBufferPointer { states in
      var state: Int32 = 0
      var best: Int32 = .max
      var end = 0
      var length = 0
      for (offset, byte) in text.enumerated() {
        let byte = byte &- 0x41 < 26 ? byte | 0x20 : byte
        var next: Int32?
        while state != 0 {
          next = states[Int(state)].next[byte]
          if next != nil { break }
          state = states[Int(state)].failure
        }
        state = next ?? root[Int(byte)]
        if states[Int(state)].best < best {
          best = states[Int(state)].best
          (end, length) = (offset + 1, Int(states[Int(state)].bestLength))
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
}
