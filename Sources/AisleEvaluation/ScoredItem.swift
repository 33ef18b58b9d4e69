public import AisleCore

/// An item of the corpus with its answer.
public struct ScoredItem: Sendable {
  /// The item: an index into `Corpus.entries`.
  public let entry: UInt32
  /// The section that it counts toward: the answer if it is accepted, otherwise the best accepted section.
  public let truth: SectionID
  /// The section in the answer; the fallback section if no strategy decided.
  public let answer: SectionID
  /// Whether the answer is accepted.
  public let isRight: Bool
  /// The decision; `nil` if no strategy decided. Its note is an index into `Evaluation.notes`.
  public let decision: Decision?

  /// The confidence of the answer, in 0…1; 0 if no strategy decided.
  public var confidence: Float { decision?.confidence ?? 0 }
}
