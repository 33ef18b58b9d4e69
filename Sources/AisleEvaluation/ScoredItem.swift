public import AisleCore

/// An item of the corpus with the answer it got.
public struct ScoredItem: Sendable {
  /// The item: a place in `Corpus.entries`.
  public let entry: UInt32
  /// The section that it counts for: the answer where that is accepted, else the best accepted one.
  public let truth: SectionID
  /// The section that was answered; the fallback where no strategy decided.
  public let answer: SectionID
  /// Whether the answer is accepted.
  public let isRight: Bool
  /// The decision; `nil` where no strategy decided. Its note is a place in `Evaluation.notes`.
  public let decision: Decision?

  /// How sure the answer is, in 0…1; 0 where no strategy decided.
  public var confidence: Float { decision?.confidence ?? 0 }
}
