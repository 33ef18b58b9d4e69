import AisleCore

extension PhraseIndex {
  /// How many blocks an image has.
  static let blockCount = 12
  /// The places among the blocks of the rows of words, phrases, and slips, and of the filter of the slips.
  static let (wordBlock, phraseBlock, slipBlock, slipFilterBlock) = (0, 1, 2, 9)

  /// The tables as blocks of bytes.
  func image() -> [FlatBlock] {
    [
      tables.words.block, tables.phrases.block, tables.slips.tables.rows.block, tables.roles.block, tables.seeds.block,
      tables.filter.block, tables.wordPilots.block, tables.phrasePilots.block, tables.doubles.block,
      tables.slips.tables.filter.block, tables.ownWords.block, tables.moveWords.block,
    ]
  }

  /// Reads what `image` wrote; `nil` when the blocks are no index. Whatever they hold, looking up anything leads to nothing that is not
  /// there: what a row says is looked at when it is used, since most rows of a run are not.
  ///
  /// - Parameter anew: Is asked before the slips are read for the first time, and gives an index to take them from where they are damaged.
  convenience init?(
    _ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>], anew: @escaping @Sendable () -> PhraseIndex?
  ) {
    guard var tables = Self.tables(image: memory, blocks: blocks),
      tables.fit(wordCount: tables.words.count, phraseCount: tables.phrases.count),
      tables.moveWords.count == taxonomy.moves.count
    else { return nil }
    let slips = tables.slips.tables
    guard slips.areSound else { return nil }
    tables.slips = SlipSource { anew()?.tables.slips.tables ?? slips }
    self.init(taxonomy, tables)
  }

  /// The tables of an image as they lie there; `nil` where one has not the size that it always has.
  static func tables(image memory: FlatMemory, blocks: [Range<Int>]) -> Tables? {
    guard blocks.count == blockCount, memory.holds(blocks), blocks[3].count == 4 * roleCount, blocks[4].count == 16
    else { return nil }
    func table<Element>(_ block: Int) -> FlatTable<Element> {
      FlatTable(memory, at: blocks[block].lowerBound, count: blocks[block].count / MemoryLayout<Element>.stride)
    }
    return Tables(
      words: table(wordBlock), phrases: table(phraseBlock), wordPilots: table(6), phrasePilots: table(7), doubles: table(8),
      filter: table(5),
      slips: SlipSource(SlipTables(rows: table(slipBlock), filter: table(slipFilterBlock))), roles: table(3), seeds: table(4),
      ownWords: table(10),
      moveWords: table(11))
  }
}

extension PhraseIndex.Tables {
  /// Whether the hashes are of so many rows.
  func fit(wordCount: Int, phraseCount: Int) -> Bool {
    PerfectHash.fits(wordPilots, placeCount: wordCount) && PerfectHash.fits(phrasePilots, placeCount: phraseCount)
      && HashFilter.fits(filter, count: PerfectHash.leastCount(phrasePilots))
  }
}
