public import AisleEvaluation

/// All that there is to report of an evaluation.
public struct Report: Sendable {
  /// The version of `aisle`.
  public let tool: String
  /// The evaluation.
  public let evaluation: Evaluation
  /// What changed since the baseline, where one was given.
  public let comparison: Comparison?
  /// The chain without each strategy and in other orders, where asked for.
  public let ablation: Ablation?
  /// What asking several times found, where asked for.
  public let repeats: Repeats?
  /// What the gate says; empty where nothing was demanded.
  public let verdicts: [Gate.Verdict]

  /// Collects what there is to report.
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

  /// Whether the gate lets the evaluation pass.
  public var isPassed: Bool { verdicts.allSatisfy(\.isPassed) }
}
