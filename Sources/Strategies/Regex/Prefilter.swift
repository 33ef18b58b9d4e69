import AisleCore

/// One pass over an item that says which of many patterns may match it, so that hundreds of them cost little more than one.
///
/// Each pattern waits for one of a few texts that every match of it holds, and a text goes by its rarest pair of letters. A bitmap of
/// all pairs of bytes says of most items that no text is near. Where one is, the item is looked at closely: texts in full, and what else
/// is known of a match.
struct Prefilter: Sendable {
  /// A text that a pattern waits for.
  struct Entry: BitwiseCopyable, Equatable {
    /// Where its kinds begin in `Tables.kinds`.
    var start: UInt32
    var pattern: UInt16
    var count: UInt8
    /// Where in the text its pair stands.
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
    /// A bit for each pair of bytes, the first the lower: clear where no text has it at its pair.
    var bitmap: FlatTable<UInt64>
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
    /// The patterns that wait for no text.
    var always: FlatTable<UInt16>
  }

  let tables: Tables

  init(_ tables: Tables) { self.tables = tables }

  /// Marks the patterns that may match an item, a bit each in `marked`, which must be clear and have a word for 64 patterns.
  ///
  /// - Parameter item: Bytes with at least one behind them that can be read.
  /// - Returns: whether any is marked.
  /// - Complexity: O(bytes); about 1 ns a byte where no pattern is near.
  @inline(__always)
  func mark(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    if tables.always.endIndex == 0 {
      let bitmap = tables.bitmap.address
      var found: UInt64 = 0
      for place in 0..<count {
        let pair = Int(item[place]) | Int(item[place &+ 1]) &<< 8
        found |= bitmap[pair &>> 6] &>> UInt64(truncatingIfNeeded: pair & 63)
      }
      if found & 1 == 0 { return false }
    }
    return look(item, count: count, in: marked)
  }

  /// Looks closely at an item.
  @inline(never)
  private func look(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    var held: UInt64 = 0
    var isMarked = false
    Letter.kinds.withUnsafeBufferPointer { table in
      guard let kindOf = table.baseAddress else { return }
      var previous = 0
      for place in 0..<count {
        let kind = Int(kindOf[Int(item[place])])
        held |= 1 &<< UInt64(truncatingIfNeeded: kind)
        let row = previous &<< 6 | kind
        previous = kind
        if place == 0 { continue }
        for link in Int(tables.starts.address[row])..<Int(tables.starts.address[row + 1]) {
          let entry = tables.entries.address[Int(tables.links.address[link])]
          let start = place &- 1 &- Int(entry.pair)
          guard start >= 0, start &+ Int(entry.count) <= count else { continue }
          let text = tables.kinds.address + Int(entry.start)
          var isThere: UInt64 = 1
          for offset in 0..<Int(entry.count) { isThere &= text[offset] &>> UInt64(kindOf[Int(item[start &+ offset])]) }
          if isThere & 1 == 0 { continue }
          marked[Int(entry.pattern) &>> 6] |= 1 &<< UInt64(entry.pattern & 63)
          isMarked = true
        }
      }
    }
    if held & 1 != 0, Self.holdsOtherCaseOfASCII(item, count) { return markAll(marked) }
    for pattern in tables.always {
      marked[Int(pattern) &>> 6] |= 1 &<< UInt64(pattern & 63)
      isMarked = true
    }
    for single in tables.singles where single.kinds & held != 0 {
      marked[Int(single.pattern) &>> 6] |= 1 &<< (single.pattern & 63)
      isMarked = true
    }
    return isMarked && keepPossible(item, count, held, marked)
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
        let row = tables.rows[word << 6 + bit.trailingZeroBitCount]
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
