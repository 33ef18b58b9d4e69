public import AisleCore

/// Decides items by the taxonomy's keywords.
public struct KeywordStrategy: Strategy {
  /// How keywords are matched.
  public enum Mode: String, Sendable, CaseIterable {
    /// Whole words, longer phrases first, the head of the item wins.
    case phrase
    /// The classic way: the first section in match order that has a keyword anywhere in the item.
    case substring
  }

  /// The mode in use.
  public let mode: Mode
  /// Keywords that are the same after normalization, each with the one it repeats; found in phrase mode.
  ///
  /// Which of the two wins is an accident of file order, so a taxonomy that has any across sections is not to be used.
  public let conflicts: [(first: KeywordID, second: KeywordID)]
  /// Keywords that no item can hold: without a letter, or across a comma or parenthesis; found in phrase mode.
  public let unmatchable: [KeywordID]
  /// Spellings without effect: they stand for no keyword, or a word that means something already; found in phrase mode.
  public let straySpellings: [Spelling]
  private let engine: Engine

  private enum Engine: Sendable {
    case phrase(PhraseIndex)
    case substring(SubstringIndex)
  }

  /// Indexes a taxonomy's keywords.
  ///
  /// - Complexity: O(bytes of all keywords); one to two µs a keyword.
  public init(_ taxonomy: Taxonomy, mode: Mode = .phrase) {
    self.mode = mode
    switch mode {
    case .phrase:
      var builder = PhraseIndexBuilder(taxonomy)
      engine = .phrase(builder.build())
      conflicts = builder.conflicts.map { ($0.first, $0.second) }
      unmatchable = builder.unmatchable
      straySpellings = builder.straySpellings
    case .substring:
      engine = .substring(SubstringIndex(taxonomy))
      (conflicts, unmatchable, straySpellings) = ([], [], [])
    }
  }

  /// The index of phrase mode; `nil` in substring mode.
  var phraseIndex: PhraseIndex? {
    guard case .phrase(let index) = engine else { return nil }
    return index
  }

  /// The index of phrase mode as blocks of bytes, so that it need not be built every time; `nil` in substring mode.
  public func image() -> [FlatBlock]? {
    phraseIndex?.image()
  }

  /// Takes up an index of the same taxonomy, without conflicts, that `image` wrote.
  ///
  /// - Parameter blocks: Where in `memory` the blocks lie, each from a multiple of 16.
  /// - Returns: `nil` when the blocks are no index of this taxonomy.
  public init?(_ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>]) {
    guard let index = PhraseIndex(taxonomy, image: memory, blocks: blocks) else { return nil }
    self.init(index)
  }

  /// Takes up an index whose slips are somewhere else.
  ///
  /// - Parameter slips: Gives the bytes of `slipBlock`, which is empty, when the first unknown word is read.
  package init?(
    _ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>], slips: @escaping @Sendable () -> FlatMemory
  ) {
    let source = SlipSource {
      let memory = slips()
      return FlatTable(memory, at: 0, count: memory.count / MemoryLayout<SlipTable.Row>.stride)
    }
    guard let index = PhraseIndex(taxonomy, image: memory, blocks: blocks, slips: source) else { return nil }
    self.init(index)
  }

  /// The place among the blocks of an image of most of its bytes, which say what misspelled words were meant, and of their filter, which
  /// can be made from them.
  package static let (slipBlock, slipFilterBlock) = (PhraseIndex.slipBlock, PhraseIndex.slipFilterBlock)

  /// The strategy of a store that has the shelves of a shared taxonomy, made from that taxonomy's: see `Taxonomy.init(_:laidOut:places:)`.
  package init(_ taxonomy: Taxonomy, sharing shared: KeywordStrategy, places: ContiguousArray<PlacedPart>) {
    guard let index = shared.phraseIndex else { preconditionFailure("a shared index is one of phrases") }
    self.init(PhraseIndex(taxonomy, sharing: index, places: places))
  }

  private init(_ index: PhraseIndex) {
    mode = .phrase
    engine = .phrase(index)
    (conflicts, unmatchable, straySpellings) = ([], [], [])
  }

  /// The same strategy with other weights, in phrase mode.
  ///
  /// - Parameter numbersEvidence: Whether its confidences say what stood in the item: see `PhraseEvidence.init(numbered:)`.
  /// - Complexity: O(moves); the index is shared.
  package func weighing(by weights: PhraseWeights, numbersEvidence: Bool = false) -> KeywordStrategy {
    guard case .phrase(let index) = engine else { return self }
    return KeywordStrategy(
      other: self, engine: .phrase(PhraseIndex(index.taxonomy, index.tables, weights: weights, numbersEvidence: numbersEvidence)))
  }

  private init(other: KeywordStrategy, engine: Engine) {
    (mode, conflicts, unmatchable, straySpellings) = (other.mode, other.conflicts, other.unmatchable, other.straySpellings)
    self.engine = engine
  }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "keyword", summary: "whole-word keywords and phrases from the store's shelves, read the way English names goods",
      rationale: """
        It knows what people call things, answers at memory speed, and says which keyword on which line decided. Use it first \
        after corrections and patterns; whatever it abstains on is new to the shelves.
        """,
      rules: PhraseRule.allCases.map(\.rule), examples: mode == .phrase ? PhraseExamples.all : [])
  }

  /// Decides the items that a keyword stands in.
  public func decide(_ batch: inout Batch) {
    switch engine {
    case .phrase(let index):
      let matcher = PhraseMatcher(index)
      defer { matcher.deallocate() }
      batch.decideEach { matcher.decide($0, count: $1) }
    case .substring(let index):
      batch.decideEach { index.decide($0, count: $1) }
    }
  }
}

extension Batch {
  /// Asks for a decision on each undecided item: its first byte and its length.
  @inline(__always)
  fileprivate mutating func decideEach(_ body: (UnsafePointer<UInt8>, Int) -> Decision?) {
    _ = withStorage { text, extents, decisions in
      for index in extents.indices where decisions[index] == nil {
        decisions[index] = body(text + Int(extents[index].start), Int(extents[index].length))
      }
    }
  }
}
