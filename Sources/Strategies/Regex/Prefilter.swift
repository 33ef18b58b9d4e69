/// One pass over an item that says which of many patterns may match it, so that hundreds of them cost little more than one.
///
/// Each pattern waits for one of a few texts that every match of it holds. A text goes by its rarest pair of letters: the pass looks
/// each pair of the item up in a table of 4,096 rows, and compares the whole text only where the row is taken.
struct Prefilter: Sendable {
  /// How many patterns there are.
  let count: Int

  private struct Entry {
    let pattern: Int
    let text: [UInt8]
    /// Where in the text the pair stands.
    let pair: Int
    /// The next entry of the same pair, from 1; 0 for none.
    let following: UInt32
  }

  private let kinds = Letter.kinds
  /// For each pair the first entry, from 1; 0 for none.
  private var pairs = [UInt32](repeating: 0, count: 64 * 64)
  private var entries: [Entry] = []
  /// The patterns that wait for a single kind, by the kind.
  private var singles: [[Int]] = Array(repeating: [], count: 64)
  /// The kinds that any pattern waits for.
  private var singleKinds: UInt64 = 0
  /// The patterns that wait for nothing.
  private var always: [Int] = []
  /// The sets that each pattern's items hold one kind of.
  private var sets: [[UInt64]] = []

  /// Prepares for patterns; their places are their numbers.
  ///
  /// - Complexity: O(bytes of the expressions); about 5 µs a pattern.
  init(_ requirements: [Requirement]) {
    count = requirements.count
    for (pattern, requirement) in requirements.enumerated() {
      sets.append(requirement.sets)
      guard let texts = requirement.texts else {
        always.append(pattern)
        continue
      }
      for text in texts { add(text, pattern) }
    }
  }

  private mutating func add(_ text: [UInt8], _ pattern: Int) {
    guard let pair = Letter.rarestPair(of: text) else {
      guard let kind = text.first else { return }
      singleKinds |= 1 << UInt64(kind)
      if singles[Int(kind)].last != pattern { singles[Int(kind)].append(pattern) }
      return
    }
    let row = Int(text[pair]) << 6 | Int(text[pair + 1])
    entries.append(Entry(pattern: pattern, text: text, pair: pair, following: pairs[row]))
    pairs[row] = UInt32(entries.count)
  }

  /// Marks the patterns that may match an item, a bit each in `marked`, which must be clear and have a word for 64 patterns.
  ///
  /// - Returns: whether any is marked.
  /// - Complexity: O(bytes); about 1 ns a byte where no pattern is near.
  func mark(_ item: UnsafePointer<UInt8>, count length: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    var held: UInt64 = 0
    var isMarked = false
    func mark(_ pattern: Int) {
      for set in sets[pattern] where set & held == 0 { return }
      marked[pattern >> 6] |= 1 << UInt64(pattern & 63)
      isMarked = true
    }
    kinds.withUnsafeBufferPointer { kinds in
      pairs.withUnsafeBufferPointer { pairs in
        var previous = 0
        var found: UInt64 = 0
        for place in 0..<length {
          let kind = Int(kinds[Int(item[place])])
          held |= 1 &<< UInt64(truncatingIfNeeded: kind)
          found |= pairs[previous &<< 6 | kind] == 0 ? 0 : 1
          previous = kind
        }
        if held & 1 != 0, Self.holdsOtherCase(item, length) {
          held = .max
          for pattern in 0..<count { mark(pattern) }
          return
        }
        for pattern in always { mark(pattern) }
        var waited = held & singleKinds
        while waited != 0 {
          for pattern in singles[waited.trailingZeroBitCount] { mark(pattern) }
          waited &= waited &- 1
        }
        guard found != 0 else { return }
        for place in 1..<max(length, 1) {
          var number = pairs[Int(kinds[Int(item[place - 1])]) << 6 | Int(kinds[Int(item[place])])]
          while number != 0 {
            let entry = entries[Int(number) - 1]
            let start = place - 1 - entry.pair
            if start >= 0, start + entry.text.count <= length,
              entry.text.indices.allSatisfy({ kinds[Int(item[start + $0])] == entry.text[$0] })
            {
              mark(entry.pattern)
            }
            number = entry.following
          }
        }
      }
    }
    return isMarked
  }

  /// Whether an item holds a letter beyond ASCII that is another case of an ASCII one: the long s or the Kelvin sign.
  private static func holdsOtherCase(_ item: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    for place in 1..<max(length, 1) {
      if item[place - 1] == 0xC5, item[place] == 0xBF { return true }
      if place > 1, item[place - 2] == 0xE2, item[place - 1] == 0x84, item[place] == 0xAA { return true }
    }
    return false
  }
}
