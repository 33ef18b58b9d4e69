import AisleCore

/// The scores of a set of answered items.
public struct Metrics: Sendable {
  /// The confidence at which an answer counts as sure.
  public static let sureConfidence: Float = 0.9

  /// The share of right answers.
  public let accuracy: Proportion
  /// The share of items that no strategy decided.
  public let unplaced: Proportion
  /// The share of items that were answered with a confidence of 0.9 or more.
  public let sure: Proportion
  /// The share of right answers among these.
  public let sureAccuracy: Proportion
  /// Which sections were confused with which.
  public let confusion: ConfusionMatrix
  /// Each section's score.
  public let sections: [SectionScore]
  /// The mean F1 of the sections that have items or answers.
  public let macroF1: Double?
  /// Whether decided items are right as often as their confidence claims.
  public let calibration: Calibration

  /// Scores items.
  ///
  /// - Parameter names: The section names: the taxonomy's, then the invented ones.
  /// - Complexity: O(items + sections²).
  public init(_ items: some Sequence<ScoredItem>, names: [String]) {
    var confusion = ConfusionMatrix(names: names)
    var calibration = Calibration()
    var (total, right, unplaced, sure, sureRight) = (0, 0, 0, 0, 0)
    for item in items {
      total += 1
      right += item.isRight ? 1 : 0
      confusion.add(truth: item.truth, answer: item.answer)
      guard let decision = item.decision else {
        unplaced += 1
        continue
      }
      calibration.add(confidence: decision.confidence, isRight: item.isRight)
      if decision.confidence >= Self.sureConfidence {
        sure += 1
        sureRight += item.isRight ? 1 : 0
      }
    }
    accuracy = Proportion(right, of: total)
    self.unplaced = Proportion(unplaced, of: total)
    self.sure = Proportion(sure, of: total)
    sureAccuracy = Proportion(sureRight, of: sure)
    self.confusion = confusion
    sections = confusion.scores
    macroF1 = confusion.macroF1
    self.calibration = calibration
  }
}
