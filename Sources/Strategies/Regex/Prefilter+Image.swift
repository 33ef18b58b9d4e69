import AisleCore

extension Prefilter {
  /// How many blocks an image has.
  static let blockCount = 9

  /// The tables as blocks of bytes.
  func image() -> [FlatBlock] {
    [
      tables.triples.block, tables.starts.block, tables.links.block,
      tables.entries.block, tables.kinds.block, tables.rows.block,
      tables.singles.block, tables.starters.block, tables.always.block,
    ]
  }

  /// Copies what `image` wrote; `nil` when the blocks are no prefilter of so many patterns. Whatever they hold, marking ends and stays
  /// within its tables: they are small, and what was found sound stays so when somebody writes to the file that they were mapped from.
  init?(patternCount: Int, image memory: FlatMemory, blocks: [Range<Int>]) {
    guard blocks.count == Self.blockCount, memory.holds(blocks) else { return nil }
    func table<Element: BitwiseCopyable>(_ number: Int, of: Element.Type) -> FlatTable<Element> {
      let mapped = FlatTable<Element>(
        memory, at: blocks[number].lowerBound, count: blocks[number].count / MemoryLayout<Element>.stride)
      return FlatTable(ContiguousArray(mapped.elements))
    }
    tables = Tables(
      triples: table(0, of: UInt64.self), starts: table(1, of: UInt32.self), links: table(2, of: UInt32.self),
      entries: table(3, of: Entry.self), kinds: table(4, of: UInt64.self), rows: table(5, of: Row.self),
      singles: table(6, of: Single.self), starters: table(7, of: UInt16.self), always: table(8, of: UInt16.self))
    guard tables.triples.count == PrefilterBuilder.pairCount + 1, tables.starts.count == PrefilterBuilder.pairCount + 1,
      tables.rows.count == patternCount, isSound(patternCount)
    else { return nil }
  }

  private func isSound(_ patternCount: Int) -> Bool {
    var previous: UInt32 = 0
    for start in tables.starts {
      if start < previous || start > tables.links.count { return false }
      previous = start
    }
    return tables.links.allSatisfy { $0 < tables.entries.count }
      && tables.entries.allSatisfy { entry in
        entry.pattern < patternCount && entry.pair &+ 1 < entry.count && Int(entry.start) + Int(entry.count) <= tables.kinds.count
      }
      && tables.singles.allSatisfy { $0.pattern < patternCount } && tables.starters.allSatisfy { $0 < patternCount }
      && tables.always.allSatisfy { $0 < patternCount }
  }
}
