public import AisleCore

/// Decides items by the taxonomy's keywords.
public struct KeywordStrategy: LocalStrategy {
  /// How keywords match.
  public enum Mode: String, Sendable, CaseIterable {
    /// By whole words; longer phrases come first, and the head of the item wins.
    case phrase
    /// By the classic loop: the first section in match order with a keyword anywhere in the item wins.
    case substring
  }

  /// The mode in use.
  public let mode: Mode
  /// Keywords that are the same after normalization, each with the one that it repeats; found in phrase mode.
  ///
  /// File order decides which of the two wins, so do not use a taxonomy with conflicts across sections.
  public let conflicts: [(first: KeywordID, second: KeywordID)]
  /// Keywords that are other forms or spellings of one before them, by the rules of a language, each with that one; found in phrase mode. The
  /// first counts.
  public let foldings: [(first: KeywordID, second: KeywordID)]
  /// Keywords that no item can contain: without a letter, or across a comma or parenthesis; found in phrase mode.
  public let unmatchable: [KeywordID]
  /// Spellings without effect: they stand for no keyword, or the word already has a meaning; found in phrase mode.
  public let straySpellings: [Spelling]
  private let taxonomy: Taxonomy
  private let engine: Engine

  private enum Engine: Sendable {
    case phrase(PhraseIndex)
    case substring(SubstringIndex)
  }

  /// Indexes a taxonomy's keywords.
  ///
  /// - Complexity: O(bytes of all keywords); 1 to 2 µs per keyword.
  public init(_ taxonomy: Taxonomy, mode: Mode = .phrase) {
    self.mode = mode
    self.taxonomy = taxonomy
    switch mode {
    case .phrase:
      var builder = PhraseIndexBuilder(taxonomy)
      engine = .phrase(builder.build())
      conflicts = builder.conflicts.map { ($0.first, $0.second) }
      foldings = builder.foldings.map { ($0.first, $0.second) }
      unmatchable = builder.unmatchable
      straySpellings = builder.straySpellings
    case .substring:
      engine = .substring(SubstringIndex(taxonomy))
      (conflicts, foldings, unmatchable, straySpellings) = ([], [], [], [])
    }
  }

  /// The index of phrase mode; `nil` in substring mode.
  var phraseIndex: PhraseIndex? {
    guard case .phrase(let index) = engine else { return nil }
    return index
  }

  /// The index of phrase mode as blocks of bytes, so that it does not have to be rebuilt; `nil` in substring mode.
  public func image() -> [FlatBlock]? {
    phraseIndex?.image()
  }

  /// Reads an index of the same taxonomy, without conflicts, that `image` wrote.
  ///
  /// - Parameter blocks: The locations of the blocks in `memory`, each at a multiple of 16.
  /// - Returns: `nil` if the blocks are not an index of this taxonomy.
  public init?(_ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>]) {
    self.init(taxonomy, image: memory, blocks: blocks, anew: { nil })
  }

  /// - Parameter anew: Is asked before the block of slips is read for the first time, and gives a strategy to take them from where that block
  ///   is damaged.
  package init?(
    _ taxonomy: Taxonomy, image memory: FlatMemory, blocks: [Range<Int>], anew: @escaping @Sendable () -> KeywordStrategy?
  ) {
    guard let index = PhraseIndex(taxonomy, image: memory, blocks: blocks, anew: { anew()?.phraseIndex }) else { return nil }
    self.init(index)
  }

  /// How many blocks an image has, and the place among them of the slips.
  package static var blockCount: Int { PhraseIndex.blockCount }
  package static var slipBlock: Int { PhraseIndex.slipBlock }

  /// The strategy of a store that has the shelves of a shared taxonomy: see `Taxonomy.init(_:laidOut:places:)`.
  ///
  /// - Parameter places: Where the store has what: a row a section of the shared taxonomy.
  package init(_ taxonomy: Taxonomy, sharing shared: SharedIndex, places: ContiguousArray<PlacedPart>) {
    self.init(shared.index(of: taxonomy, places))
  }

  private init(_ index: PhraseIndex) {
    mode = .phrase
    taxonomy = index.taxonomy
    engine = .phrase(index)
    (conflicts, foldings, unmatchable, straySpellings) = ([], [], [], [])
  }

  /// The same strategy with other weights, in phrase mode.
  ///
  /// - Parameter numbersEvidence: Whether its confidences say what stood in the item: see `PhraseEvidence.init(numbered:)`.
  /// - Complexity: O(moves); the index is shared.
  package func weighing(by weights: PhraseWeights, numbersEvidence: Bool = false) -> KeywordStrategy {
    guard case .phrase(let index) = engine else { return self }
    return KeywordStrategy(
      other: self,
      engine: .phrase(
        PhraseIndex(index.taxonomy, index.tables, weights: weights, numbersEvidence: numbersEvidence)))
  }

  /// The English words that are no evidence of their own: quantities, sizes, and words that join or praise.
  package static let wordsWithoutContent = Language.builtInEnglish.words.reduce(into: Set<String>()) { words, list in
    if !Grammar.Role(list.key, in: .builtInEnglish).isDisjoint(with: .silent) { words.formUnion(list.value) }
  }

  private init(other: KeywordStrategy, engine: Engine) {
    (mode, taxonomy) = (other.mode, other.taxonomy)
    (conflicts, foldings, unmatchable, straySpellings) = (
      other.conflicts, other.foldings, other.unmatchable, other.straySpellings
    )
    self.engine = engine
  }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "keyword", summary: "whole-word keywords and phrases from the store's shelves, read the way English names products",
      rationale: """
        It knows what people call products, is very fast, and names the keyword and the line that decided. Use it first after \
        corrections, before patterns; items on which it abstains are new to the shelves.
        """,
      rules: PhraseRule.allCases.map(\.rule), examples: mode == .phrase ? PhraseExamples.all : [])
  }

  /// The taxonomy whose keywords it knows.
  public var boundTaxonomy: Taxonomy? { taxonomy }

  /// Decides the items that contain a keyword.
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

extension KeywordStrategy: WorkingStrategy {
  /// What decides batches with a matcher that it keeps.
  package func makeWorker() -> (inout Batch) -> Void {
    guard case .phrase(let index) = engine else { return decide }
    let kept = KeptMatcher(index)
    return { batch in batch.decideEach { kept.matcher.decide($0, count: $1) } }
  }

  private final class KeptMatcher {
    let matcher: PhraseMatcher
    init(_ index: PhraseIndex) { matcher = PhraseMatcher(index) }
    deinit { matcher.deallocate() }
  }
}

extension Batch {
  /// Asks for a decision on each undecided item: its first byte and its length.
  @inline(__always)
  fileprivate mutating func decideEach(_ body: (UnsafePointer<UInt8>, Int) -> Decision?) {
    withStorage { text, extents, decisions in
      for index in extents.indices where decisions[index] == nil {
        decisions[index] = body(text + Int(extents[index].start), Int(extents[index].length))
      }
    }
  }
}
