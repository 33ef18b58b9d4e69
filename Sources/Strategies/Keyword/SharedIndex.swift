package import AisleCore

/// The index of a taxonomy that several stores share, from which each store's is made.
///
/// Where words and phrases are found is the same in every store. What ends there is the store's, and other stores' own words are unknown.
package struct SharedIndex: Sendable {
  /// The places, among the blocks of an index, of those that are packed by themselves: the rows of words, of phrases, and of slips.
  package static let packedBlocks = [PhraseIndex.wordBlock, PhraseIndex.phraseBlock, PhraseIndex.slipBlock]
  /// The place of the filter of the slips, which is made from them.
  package static let slipFilterBlock = PhraseIndex.slipFilterBlock

  /// All but the rows of words and phrases, which each store has its own of.
  private let tables: PhraseIndex.Tables
  private let words: StaticString
  private let phrases: StaticString

  /// - Parameters:
  ///   - blocks: The blocks of an image; those that are packed are empty, as is the filter of the slips.
  ///   - words: The rows of words, as `PackedText`. These and the phrases are unpacked for each store.
  ///   - phrases: The rows of phrases.
  ///   - slips: The rows of slips, which are unpacked when the first unknown word is read.
  /// - Returns: `nil` where they are no index.
  package init?(
    image memory: FlatMemory, blocks: [Range<Int>], words: StaticString, phrases: StaticString, slips: StaticString
  ) {
    func rowCount(_ text: StaticString) -> Int { PackedText.byteCount(text) / MemoryLayout<PhraseIndex.Row>.stride }
    guard var tables = PhraseIndex.tables(image: memory, blocks: blocks),
      tables.fit(wordCount: rowCount(words), phraseCount: rowCount(phrases))
    else { return nil }
    tables.slips = SlipSource { FlatTable(packed: slips) }
    (self.tables, self.words, self.phrases) = (tables, words, phrases)
  }

  /// The index of a store.
  ///
  /// - Parameters:
  ///   - taxonomy: The store's, made by `Taxonomy.init(_:laidOut:places:)`.
  ///   - places: Where the store has what: a row a section of the shared taxonomy.
  /// - Complexity: O(words and phrases); about 3 ns each in a release build.
  func index(of taxonomy: Taxonomy, _ places: ContiguousArray<PlacedPart>) -> PhraseIndex {
    let placing = Placing(places)
    var tables = tables
    tables.words = placing.rows(words, areWords: true, without: Self.strangers(tables.ownWords, places))
    tables.phrases = placing.rows(phrases)
    tables.doubles = placing.doubles(tables.doubles)
    return PhraseIndex(taxonomy, tables)
  }

  /// The words that only other stores' own keywords hold.
  private static func strangers(
    _ words: FlatTable<PhraseIndex.OwnWord>, _ places: ContiguousArray<PlacedPart>
  ) -> Set<UInt32> {
    let isAbsent = { (word: PhraseIndex.OwnWord) in places[Int(word.section)].section == PlacedPart.absent }
    let own = Set(words.lazy.filter { !isAbsent($0) }.map(\.number))
    return Set(words.lazy.filter(isAbsent).map(\.number)).subtracting(own)
  }
}

/// Puts a store's sections and keywords in the place of the shared ones.
private struct Placing {
  /// What an ending of a shared section becomes.
  private struct Part: BitwiseCopyable {
    /// The bits of the store's section; all bits where the store has none of it.
    var bits: UInt32
    /// What to add to a keyword's number, modulo 2³².
    var shift: UInt32
  }

  /// A row a number that a section can have; that of no section stays as it is.
  private let parts: FlatTable<Part>

  init(_ places: ContiguousArray<PlacedPart>) {
    var parts = ContiguousArray(repeating: Part(bits: PhraseIndex.Ending.none.rawValue, shift: 0), count: 256)
    for (section, place) in places.enumerated() where place.section != PlacedPart.absent {
      parts[section] = Part(bits: PhraseIndex.Ending.bits(ofSection: place.section), shift: UInt32(bitPattern: place.shift))
    }
    self.parts = FlatTable(parts)
  }

  @inline(__always)
  private func placed(_ ending: PhraseIndex.Ending) -> PhraseIndex.Ending {
    let part = parts.address[Int(ending.section)]
    return ending.moved(toSection: part.bits, by: part.shift)
  }

  /// The rows of words, or of phrases, with what ends there in its place.
  ///
  /// - Parameters:
  ///   - text: The rows, packed.
  ///   - areWords: Whether they are rows of words, some of which lead to other words.
  ///   - strangers: Words that are unknown to the store.
  func rows(
    _ text: StaticString, areWords: Bool = false, without strangers: Set<UInt32> = []
  ) -> FlatTable<PhraseIndex.Row> {
    // What would be a role is part of a phrase's hash.
    let alias = areWords ? PhraseIndex.aliasRole : PhraseIndex.roleCount
    return FlatTable(packed: text) { start, count in
      // A plain loop over pointers, since apps open stores in debug builds too.
      var place = 0
      while place < count {
        let row = start[place]
        // Empty rows stay too.
        let stays: UInt64 = (row.isDouble ? 1 : 0) | (row.tag == 0 ? 1 : 0) | (row.role == alias ? 1 : 0)
        start[place] = row.ending(placed(row.ending), if: stays ^ 1)
        place &+= 1
      }
      if strangers.isEmpty { return }
      for word in strangers { start[Int(word) - 1] = .unknown }
      place = 0
      while place < count {
        if start[place].role == alias, strangers.contains(start[place].ending.rawValue) { start[place] = .unknown }
        place &+= 1
      }
    }
  }

  func doubles(_ doubles: FlatTable<PhraseIndex.Double>) -> FlatTable<PhraseIndex.Double> {
    FlatTable(
      ContiguousArray(
        doubles.lazy.map { PhraseIndex.Double(singular: placed($0.singular), plural: placed($0.plural)) }))
  }
}
