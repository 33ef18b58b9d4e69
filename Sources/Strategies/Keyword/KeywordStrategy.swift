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
  private let engine: Engine

  private enum Engine: Sendable {
    case phrase(PhraseIndex)
    case substring(SubstringIndex)
  }

  /// Indexes a taxonomy's keywords.
  ///
  /// - Complexity: O(bytes of all keywords); about 0.1 µs a keyword in phrase mode, a little more in substring mode.
  public init(_ taxonomy: Taxonomy, mode: Mode = .phrase) {
    self.mode = mode
    engine = mode == .phrase ? .phrase(PhraseIndex(taxonomy)) : .substring(SubstringIndex(taxonomy))
  }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "keyword", summary: "whole-word keywords and phrases from the store's shelves, read the way English names goods",
      rationale: """
        It knows what people call things, answers at memory speed, and says which keyword on which line decided. Use it first \
        after corrections and patterns; whatever it abstains on is new to the shelves.
        """,
      rules: PhraseRule.allCases.map(\.rule), examples: PhraseExamples.all)
  }

  /// Keywords that are the same after normalization, each with the one it repeats.
  ///
  /// Which of the two wins is an accident of file order, so a taxonomy that has any across sections is not to be used.
  public var conflicts: [(first: KeywordID, second: KeywordID)] {
    guard case .phrase(let index) = engine else { return [] }
    return index.conflicts.map { ($0.first, $0.second) }
  }

  /// Spellings that stand for no keyword and no word of one.
  public var straySpellings: [Spelling] {
    guard case .phrase(let index) = engine else { return [] }
    return index.straySpellings
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
