import AisleCore
public import AisleEvaluation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How well confidences predict right answers.
public struct FitFigures: Sendable {
  /// An item's answer.
  public struct Answer: Sendable, Hashable {
    /// Its confidence in 0…1; `nil` if no strategy decided.
    public let confidence: Float?
    /// Whether it is right.
    public let isRight: Bool

    /// Makes an answer.
    public init(confidence: Float?, isRight: Bool) {
      self.confidence = confidence
      self.isRight = isRight
    }

    /// The logarithm of what its confidence gave what came true, as a loss; a certainty counts as 99.9%.
    var loss: Double? {
      guard let confidence else { return nil }
      let chance = min(max(Double(confidence), 0.001), 0.999)
      return -log(isRight ? chance : 1 - chance)
    }
  }

  /// The answers, in the order of the items.
  public let answers: [Answer]
  /// The share of right answers.
  public let accuracy: Proportion
  /// The share of items with a confidence of 0.9 or more.
  public let sure: Proportion
  /// The share of right answers among these.
  public let sureAccuracy: Proportion
  /// The expected calibration error of the decided items; `nil` without any.
  public let calibrationError: Double?
  /// The mean logarithmic loss of the decided items; `nil` without any.
  public let logLoss: Double?

  /// Computes the figures.
  public init(_ answers: [Answer]) {
    self.answers = answers
    let sure = answers.filter { $0.confidence ?? 0 >= Metrics.sureConfidence }
    accuracy = Proportion(answers.count { $0.isRight }, of: answers.count)
    self.sure = Proportion(sure.count, of: answers.count)
    sureAccuracy = Proportion(sure.count { $0.isRight }, of: sure.count)
    calibrationError = Self.calibrationError(answers)
    logLoss = Self.logLoss(answers)
  }

  /// The figures of an evaluation's items.
  public init(_ evaluation: Evaluation, where isMeant: (ScoredItem) -> Bool = { _ in true }) {
    self.init(
      evaluation.items.filter(isMeant).map { Answer(confidence: $0.decision?.confidence, isRight: $0.isRight) })
  }

  private static func calibrationError(_ answers: some Sequence<Answer>) -> Double? {
    var calibration = Calibration()
    for answer in answers {
      if let confidence = answer.confidence { calibration.add(confidence: confidence, isRight: answer.isRight) }
    }
    return calibration.expectedError
  }

  private static func logLoss(_ answers: some Sequence<Answer>) -> Double? {
    let losses = answers.compactMap(\.loss)
    return losses.isEmpty ? nil : losses.reduce(0, +) / Double(losses.count)
  }

  /// The 95% intervals of the change in two figures from these answers to others for the same items, by paired bootstrap.
  ///
  /// Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, percentile interval.
  public func intervals(
    to other: FitFigures, seed: UInt64, rounds: Int = 1000
  ) -> (calibrationError: ClosedRange<Double>?, logLoss: ClosedRange<Double>?) {
    let count = min(answers.count, other.answers.count)
    if count == 0 { return (nil, nil) }
    var generator = SeededGenerator(seed: seed)
    var (errors, losses): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      let draw = (0..<count).map { _ in Int(generator.next() % UInt64(count)) }
      let (old, new) = (draw.lazy.map { answers[$0] }, draw.lazy.map { other.answers[$0] })
      if let before = Self.calibrationError(old), let after = Self.calibrationError(new) { errors.append(after - before) }
      if let before = Self.logLoss(old), let after = Self.logLoss(new) { losses.append(after - before) }
    }
    return (Self.interval(errors), Self.interval(losses))
  }

  private static func interval(_ values: [Double]) -> ClosedRange<Double>? {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let cut = sorted.count / 40
    return (cut < sorted.count ? sorted[cut] : first)...(cut < sorted.count ? sorted[sorted.count - 1 - cut] : last)
  }
}
