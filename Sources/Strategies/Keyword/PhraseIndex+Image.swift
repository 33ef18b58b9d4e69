import AisleCore

extension PhraseIndex {
  /// How many blocks an image has.
  static let blockCount = 11
  /// The place of the slips' rows among the blocks, and of their filter.
  static let (slipBlock, slipFilterBlock) = (2, 9)

  /// The tables as blocks of bytes.
  func image() -> [FlatBlock] {
    [
      tables.words.block, tables.phrases.block, tables.slips.tables.rows.block, tables.roles.block, tables.seeds.block,
      tables.filter.block, tables.wordPilots.block, tables.phrasePilots.block, tables.doubles.block,
      tables.slips.tables.filter.block, tables.ownWords.block,
    ]
  }

  /// Reads what `image` wrote; `nil` when the blocks are no index. Whatever they hold, looking up anything leads to nothing that is not
  /// there: what a row says is looked at when it is used, since most rows of a run are not.
  ///
  /// - Parameter slips: The slips of an image that lacks them.
  convenience init?(_ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>], slips: SlipSource? = nil) {
    guard blocks.count == Self.blockCount, memory.holds(blocks), blocks[3].count == 4 * Self.roleCount, blocks[4].count == 16
    else { return nil }
    func table<Element>(_ block: Int) -> FlatTable<Element> {
      FlatTable(memory, at: blocks[block].lowerBound, count: blocks[block].count / MemoryLayout<Element>.stride)
    }
    let own = SlipTables(rows: table(Self.slipBlock), filter: table(Self.slipFilterBlock))
    let tables = Tables(
      words: table(0), phrases: table(1), wordPilots: table(6), phrasePilots: table(7), doubles: table(8), filter: table(5),
      slips: slips ?? SlipSource(own), roles: table(3), seeds: table(4), ownWords: table(10))
    guard PerfectHash.fits(tables.wordPilots, placeCount: tables.words.count),
      PerfectHash.fits(tables.phrasePilots, placeCount: tables.phrases.count),
      HashFilter.fits(tables.filter, count: PerfectHash.leastCount(tables.phrasePilots)), slips != nil || own.areSound
    else { return nil }
    self.init(taxonomy, tables)
  }
}
