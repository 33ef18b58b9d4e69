import AisleCore

/// A prefilter's tables as bare addresses, for reading them at memory speed; valid as long as the prefilter is.
struct PrefilterScan {
  private let kindOf = Letter.table.address
  private let triples: UnsafePointer<UInt64>
  private let starts: UnsafePointer<UInt32>
  private let links: UnsafePointer<UInt32>
  private let entries: UnsafePointer<Prefilter.Entry>
  private let texts: UnsafePointer<UInt64>
  private let rows: UnsafeBufferPointer<Prefilter.Row>
  private let singles: UnsafeBufferPointer<Prefilter.Single>
  private let starters: UnsafeBufferPointer<UInt16>
  private let always: UnsafeBufferPointer<UInt16>

  init(_ prefilter: Prefilter) {
    let tables = prefilter.tables
    (triples, starts, links) = (tables.triples.address, tables.starts.address, tables.links.address)
    (entries, texts, rows) = (tables.entries.address, tables.kinds.address, tables.rows.elements)
    (singles, starters, always) = (tables.singles.elements, tables.starters.elements, tables.always.elements)
  }

  /// What was found in an item so far.
  private struct Found {
    /// Whether there is a triple that a text goes by.
    var isNear = false
    /// Whether a pattern is marked.
    var isMarked = false
    /// Whether the item holds a letter beyond ASCII that is another case of an ASCII one: the long s or the Kelvin sign.
    var holdsOtherCase = false
  }

  /// Marks the patterns that may match an item, a bit each in `marked`, which must be clear and have a word for 64 patterns.
  ///
  /// - Parameter item: Bytes, at least one, with at least two behind them that can be read.
  /// - Returns: whether any is marked.
  /// - Complexity: O(bytes); about 1 ns a byte where no pattern is near.
  @inline(__always)
  func mark(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    var found = Found()
    let first = Int(kindOf[Int(item[0])])
    var kind = Int(kindOf[Int(item[1])])
    var row = first &<< 6
    var place = 0
    while place < count {
      let end = min(place &+ 64, count)
      // A bit a place, the last place's the lowest.
      var near: UInt64 = 0
      while place < end {
        let pair = row | kind
        row = kind &<< 6
        kind = Int(kindOf[Int(item[place &+ 2])])
        near = near &+ near &+ (triples[pair] &>> UInt64(kind) & 1)
        place &+= 1
      }
      if near != 0 { look(near, end &- 1, item, count, marked, &found) }
    }
    let canStart = triples[PrefilterBuilder.pairCount] &>> UInt64(first) & 1 != 0
    if !found.isMarked, !canStart, always.count == 0, !found.isNear || singles.count == 0 && !found.holdsOtherCase {
      return false
    }
    return settle(item, count, marked, found, canStart: canStart)
  }

  /// Looks closely at the places where a triple stands that a text goes by.
  @inline(never)
  private func look(
    _ near: UInt64, _ last: Int, _ item: UnsafePointer<UInt8>, _ count: Int,
    _ marked: UnsafeMutableBufferPointer<UInt64>, _ found: inout Found
  ) {
    found.isNear = true
    var rest = near
    while rest != 0 {
      let place = last &- rest.trailingZeroBitCount
      rest &= rest &- 1
      let pair = Int(kindOf[Int(item[place])]) &<< 6 | Int(kindOf[Int(item[place &+ 1])])
      if pair == 0, Self.isOtherCaseOfASCII(item + place, count &- place) { found.holdsOtherCase = true }
      for link in Int(starts[pair])..<Int(starts[pair &+ 1]) {
        let entry = entries[Int(links[link])]
        let start = place &- Int(entry.pair)
        guard start >= 0, start &+ Int(entry.count) <= count else { continue }
        let text = texts + Int(entry.start)
        func isThere(_ offset: Int) -> Bool { text[offset] &>> UInt64(kindOf[Int(item[start &+ offset])]) & 1 != 0 }
        // The pair is there; what follows it is the rarest.
        var offset = Int(entry.pair) &+ 2
        while offset < Int(entry.count), isThere(offset) { offset &+= 1 }
        if offset < Int(entry.count) { continue }
        offset = 0
        while offset < Int(entry.pair), isThere(offset) { offset &+= 1 }
        if offset < Int(entry.pair) { continue }
        marked[Int(entry.pattern) &>> 6] |= 1 &<< UInt64(entry.pattern & 63)
        found.isMarked = true
      }
    }
  }

  /// Marks what goes by less than a text, and takes the marks away of patterns that the item as a whole cannot match; whether any is left.
  @inline(never)
  private func settle(
    _ item: UnsafePointer<UInt8>, _ count: Int, _ marked: UnsafeMutableBufferPointer<UInt64>,
    _ found: Found, canStart: Bool
  ) -> Bool {
    if found.holdsOtherCase { return markAll(marked) }
    var held: UInt64 = 0
    for place in 0..<count { held |= 1 &<< UInt64(kindOf[Int(item[place])]) }
    func mark(_ pattern: Int) { marked[pattern &>> 6] |= 1 &<< UInt64(pattern & 63) }
    if canStart { for pattern in starters { mark(Int(pattern)) } }
    for pattern in always { mark(Int(pattern)) }
    for single in singles where single.kinds & held != 0 { mark(Int(single.pattern)) }
    return keepPossible(item, count, held, marked)
  }

  private func keepPossible(
    _ item: UnsafePointer<UInt8>, _ count: Int, _ held: UInt64,
    _ marked: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    let isPlain = held & Letter.strange == 0
    let first: UInt64 = 1 &<< UInt64(kindOf[Int(item[0])])
    let emoji = isPlain ? 0 : Self.emoji(item, count)
    var isAny = false
    for word in 0..<marked.count where marked[word] != 0 {
      var rest = marked[word]
      while rest != 0 {
        let bit = rest & (0 &- rest)
        let row = rows[word &<< 6 &+ bit.trailingZeroBitCount]
        rest ^= bit
        let holdsSets =
          row.sets.0 & held != 0 && row.sets.1 & held != 0 && row.sets.2 & held != 0 && row.sets.3 & held != 0
        let fits = !isPlain || row.begins & first != 0 && held & ~row.within == 0
        if holdsSets, fits, row.emoji == .max || row.emoji & emoji != 0 { isAny = true } else { marked[word] ^= bit }
      }
    }
    return isAny
  }

  private func markAll(_ marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    for pattern in 0..<rows.count { marked[pattern >> 6] |= 1 << UInt64(pattern & 63) }
    return rows.count > 0
  }

  /// The letters of four bytes that an item holds, as `Letter.emojiBit` has them.
  private static func emoji(_ item: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var found: UInt64 = 0
    for place in 3..<max(count, 3) where item[place - 3] >= 0xF0 { found |= Letter.emojiBit(item[place - 1], item[place]) }
    return found
  }

  /// Whether the long s or the Kelvin sign begins here.
  private static func isOtherCaseOfASCII(_ item: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    count >= 2 && item[0] == 0xC5 && item[1] == 0xBF
      || count >= 3 && item[0] == 0xE2 && item[1] == 0x84 && item[2] == 0xAA
  }
}
