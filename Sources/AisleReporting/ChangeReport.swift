public import AisleEvaluation

/// What changed between two saved evaluations, and what the gate says about it.
public struct ChangeReport: Sendable {
  /// The version of `aisle`.
  public let tool: String
  /// The changes.
  public let comparison: Comparison
  /// The verdicts of the gate.
  public let verdicts: [Gate.Verdict]

  /// Makes a report.
  public init(tool: String, comparison: Comparison, verdicts: [Gate.Verdict]) {
    self.tool = tool
    self.comparison = comparison
    self.verdicts = verdicts
  }

  /// Whether the change passes the gate.
  public var isPassed: Bool { verdicts.allSatisfy(\.isPassed) }
}
