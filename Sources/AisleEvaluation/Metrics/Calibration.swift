/// Whether answers are right as often as their confidence says.
///
/// Source: Naeini, Cooper, Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning; equal-width bins.
public struct Calibration: Sendable, Hashable {
  /// Answers of like confidence.
  public struct Bin: Sendable, Hashable {
    /// The confidences in it: from the lower bound, up to the upper one without it; the last bin holds 1 too.
    public let range: Range<Double>
    /// How many answers are in it.
    public internal(set) var count = 0
    /// How many of them are right.
    public internal(set) var right = 0
    /// The sum of their confidences.
    public internal(set) var confidenceSum = 0.0

    /// The mean confidence; `nil` of no answers.
    public var confidence: Double? { count == 0 ? nil : confidenceSum / Double(count) }
    /// The share of right answers.
    public var accuracy: Proportion { Proportion(right, of: count) }
  }

  /// The bins: ten of a tenth each.
  public private(set) var bins = (0..<10).map { Bin(range: Double($0) / 10..<Double($0 + 1) / 10) }

  /// Makes a calibration of no answers.
  public init() {}

  /// Counts an answer.
  public mutating func add(confidence: Float, isRight: Bool) {
    // As it was written: 0.7 as a `Float` is a hair less, which would be the bin below.
    let confidence = (Double(confidence) * 1e6).rounded() / 1e6
    let place = min(max(Int(confidence * 10), 0), 9)
    bins[place].count += 1
    bins[place].right += isRight ? 1 : 0
    bins[place].confidenceSum += confidence
  }

  /// The expected calibration error in 0…1: how far confidence and accuracy lie apart, on average over the answers; `nil` of none.
  public var expectedError: Double? {
    let total = bins.reduce(0) { $0 + $1.count }
    if total == 0 { return nil }
    return bins.reduce(0) { $0 + abs(Double($1.right) - $1.confidenceSum) } / Double(total)
  }
}
