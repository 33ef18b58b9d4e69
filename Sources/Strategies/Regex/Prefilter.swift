import AisleCore

/// One pass over an item that says which of many patterns may match it, so that hundreds of them cost little more than one.
///
/// Each pattern waits for one of a few texts that every match of it holds, or for a first letter. A bitmap of all triples of letters says
/// of most items that no text is near. Where one is, the item is looked at closely: at texts in full, and at what else is known of a match.
struct Prefilter: Sendable {
  /// A text that a pattern waits for.
  struct Entry: BitwiseCopyable, Equatable {
    /// Where its kinds begin in `Tables.kinds`.
    var start: UInt32
    var pattern: UInt16
    var count: UInt8
    /// Where in the text the pair that it goes by stands.
    var pair: UInt8
  }

  /// What else an item must be like for a pattern to match it: see `Requirement`.
  struct Row: BitwiseCopyable, Equatable {
    var begins: UInt64
    var within: UInt64
    var emoji: UInt64
    var sets: (UInt64, UInt64, UInt64, UInt64)

    static func == (left: Row, right: Row) -> Bool {
      left.begins == right.begins && left.within == right.within && left.emoji == right.emoji && left.sets == right.sets
    }
  }

  /// A pattern that waits for a single letter.
  struct Single: BitwiseCopyable, Equatable {
    var kinds: UInt64
    var pattern: UInt64
  }

  /// The tables, as `PrefilterBuilder` makes them and a file holds them.
  struct Tables {
    /// For each pair of kinds a bit for each third: clear where no text goes by such a triple. The last word has a bit for each kind of
    /// first letter that a pattern goes by.
    var triples: FlatTable<UInt64>
    /// For each pair of kinds where its entries begin in `links`; one more number ends the last.
    var starts: FlatTable<UInt32>
    /// Numbers of entries.
    var links: FlatTable<UInt32>
    var entries: FlatTable<Entry>
    /// The kinds of the entries' texts.
    var kinds: FlatTable<UInt64>
    /// A row a pattern.
    var rows: FlatTable<Row>
    var singles: FlatTable<Single>
    /// The patterns that wait for the first letter.
    var starters: FlatTable<UInt16>
    /// The patterns that wait for nothing.
    var always: FlatTable<UInt16>
  }

  let tables: Tables

  init(_ tables: Tables) { self.tables = tables }

  /// Marks the patterns that may match an item, a bit each in `marked`, which must be clear and have a word for 64 patterns.
  ///
  /// - Parameter item: Bytes, at least one, with at least two behind them that can be read.
  /// - Returns: whether any is marked.
  /// - Complexity: O(bytes); about 1 ns a byte where no pattern is near.
  @inline(__always)
  func mark(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    if tables.always.endIndex == 0 {
      let triples = tables.triples.address
      var found: UInt64 = 0
      Letter.kinds.withUnsafeBufferPointer { kinds in
        guard let kindOf = kinds.baseAddress else { return }
        let first = UInt64(kindOf[Int(item[0])])
        found = triples[PrefilterBuilder.pairCount] &>> first
        var pair = Int(first) &<< 6 | Int(kindOf[Int(item[1])])
        for place in 2..<count &+ 2 {
          let kind = UInt64(kindOf[Int(item[place])])
          found |= triples[pair] &>> kind
          pair = (pair &<< 6 | Int(truncatingIfNeeded: kind)) & 0xFFF
        }
      }
      if found & 1 == 0 { return false }
    }
    return look(item, count: count, in: marked)
  }

  /// Looks closely at an item.
  @inline(never)
  private func look(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    let (triples, starts, links) = (tables.triples.address, tables.starts.address, tables.links.address)
    let (entries, kinds) = (tables.entries.address, tables.kinds.address)
    var held: UInt64 = 0
    var isMarked: UInt64 = 0
    Letter.kinds.withUnsafeBufferPointer { table in
      guard let kindOf = table.baseAddress else { return }
      var pair = Int(kindOf[Int(item[0])]) &<< 6 | Int(kindOf[Int(item[1])])
      for place in 0..<count {
        let third = Int(kindOf[Int(item[place &+ 2])])
        held |= 1 &<< UInt64(pair &>> 6)
        if triples[pair] &>> UInt64(third) & 1 != 0 {
          for link in Int(starts[pair])..<Int(starts[pair &+ 1]) {
            let entry = entries[Int(links[link])]
            let start = place &- Int(entry.pair)
            guard start >= 0, start &+ Int(entry.count) <= count else { continue }
            let text = kinds + Int(entry.start)
            var isThere: UInt64 = 1
            for offset in 0..<Int(entry.count) { isThere &= text[offset] &>> UInt64(kindOf[Int(item[start &+ offset])]) }
            marked[Int(entry.pattern) &>> 6] |= isThere &<< UInt64(entry.pattern & 63)
            isMarked |= isThere
          }
        }
        pair = (pair &<< 6 | third) & 0xFFF
      }
    }
    if held & 1 != 0, Self.holdsOtherCaseOfASCII(item, count) { return markAll(marked) }
    func mark(_ pattern: Int) {
      marked[pattern &>> 6] |= 1 &<< UInt64(pattern & 63)
      isMarked = 1
    }
    for number in 0..<tables.starters.endIndex { mark(Int(tables.starters.address[number])) }
    for number in 0..<tables.always.endIndex { mark(Int(tables.always.address[number])) }
    for number in 0..<tables.singles.endIndex where tables.singles.address[number].kinds & held != 0 {
      mark(Int(tables.singles.address[number].pattern))
    }
    return isMarked != 0 && keepPossible(item, count, held, marked)
  }

  /// Takes the marks away of patterns that the item as a whole cannot match; whether any is left.
  private func keepPossible(
    _ item: UnsafePointer<UInt8>, _ count: Int, _ held: UInt64, _ marked: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    let isPlain = held & Letter.strange == 0
    let first: UInt64 = 1 &<< UInt64(Letter.kinds[Int(item[0])])
    let emoji = isPlain ? 0 : Self.emoji(item, count)
    var isAny = false
    for word in marked.indices where marked[word] != 0 {
      var rest = marked[word]
      while rest != 0 {
        let bit = rest & (0 &- rest)
        let row = tables.rows.address[word << 6 + bit.trailingZeroBitCount]
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
    for pattern in 0..<tables.rows.count { marked[pattern >> 6] |= 1 << UInt64(pattern & 63) }
    return !tables.rows.isEmpty
  }

  /// The letters of four bytes that an item holds, as `Letter.emojiBit` has them.
  private static func emoji(_ item: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var found: UInt64 = 0
    for place in 3..<max(count, 3) where item[place - 3] >= 0xF0 { found |= Letter.emojiBit(item[place - 1], item[place]) }
    return found
  }

  /// Whether an item holds a letter beyond ASCII that is another case of an ASCII one: the long s or the Kelvin sign.
  private static func holdsOtherCaseOfASCII(_ item: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    for place in 1..<max(count, 1) {
      if item[place - 1] == 0xC5, item[place] == 0xBF { return true }
      if place > 1, item[place - 2] == 0xE2, item[place - 1] == 0x84, item[place] == 0xAA { return true }
    }
    return false
  }
}
