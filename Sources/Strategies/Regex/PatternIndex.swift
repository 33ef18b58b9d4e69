public import AisleCore

/// A taxonomy's patterns, most confident first, with data to rule out patterns quickly. It holds nothing compiled.
public struct PatternIndex: Sendable {
  /// Says which patterns may match; they go by their rank.
  let prefilter: Prefilter
  /// The places in the taxonomy, by rank.
  let places: FlatTable<UInt16>

  /// Indexes patterns.
  ///
  /// - Complexity: O(bytes of the expressions); about 5 µs per pattern.
  public init(_ patterns: [Pattern]) { self.init(patterns, isFiltering: true) }

  /// - Parameter isFiltering: `false` for an index by which every pattern is tried on every item.
  init(_ patterns: [Pattern], isFiltering: Bool) {
    // The sort is stable: among equals the earlier comes first.
    let ranked = patterns.indices.sorted { (-patterns[$0].confidence, $0) < (-patterns[$1].confidence, $1) }
    places = FlatTable(ContiguousArray(ranked.map { UInt16($0) }))
    prefilter = PrefilterBuilder.build(
      ranked.map { isFiltering ? ExpressionReader.requirement(of: patterns[$0].expression) : Requirement() })
  }

  /// How many blocks `image` has.
  public static let blockCount = Prefilter.blockCount + 1

  /// The index as blocks of bytes, so that it does not have to be rebuilt.
  public func image() -> [FlatBlock] { [places.block] + prefilter.image() }

  /// Reads an index of the same patterns that `image` wrote.
  ///
  /// - Parameter blocks: The locations of the blocks in `memory`, each at a multiple of 16.
  /// - Returns: `nil` if the blocks are not an index of these patterns.
  public init?(_ patterns: [Pattern], image memory: FlatMemory, blocks: [Range<Int>]) {
    guard blocks.count == Self.blockCount, memory.holds(blocks),
      let prefilter = Prefilter(patternCount: patterns.count, image: memory, blocks: Array(blocks.dropFirst()))
    else { return nil }
    self.prefilter = prefilter
    let mapped = FlatTable<UInt16>(memory, at: blocks[0].lowerBound, count: blocks[0].count / MemoryLayout<UInt16>.stride)
    places = FlatTable(ContiguousArray(mapped.elements))
    guard places.count == patterns.count, places.allSatisfy({ $0 < patterns.count }) else { return nil }
  }
}
