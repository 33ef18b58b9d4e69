public import AisleEvaluation

/// Everything there is to report about an evaluation.
public struct Report: Sendable {
  /// The version of `aisle`.
  public let tool: String
  /// The evaluation.
  public let evaluation: Evaluation
  /// The changes since the baseline, if one was given.
  public let comparison: Comparison?
  /// The chain without each strategy and in other orders, if requested.
  public let ablation: Ablation?
  /// The results of repeated runs, if requested.
  public let repeats: Repeats?
  /// The verdicts of the gate; empty without a gate.
  public let verdicts: [Gate.Verdict]

  /// Makes a report.
  public init(
    tool: String, evaluation: Evaluation, comparison: Comparison? = nil, ablation: Ablation? = nil, repeats: Repeats? = nil,
    verdicts: [Gate.Verdict] = []
  ) {
    self.tool = tool
    self.evaluation = evaluation
    self.comparison = comparison
    self.ablation = ablation
    self.repeats = repeats
    self.verdicts = verdicts
  }

  /// Whether the evaluation passes the gate.
  public var isPassed: Bool { verdicts.allSatisfy(\.isPassed) }
}
