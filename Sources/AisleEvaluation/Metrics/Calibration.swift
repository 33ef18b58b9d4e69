/// Whether answers are right as often as their confidence claims.
///
/// Source: Naeini, Cooper, Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning; equal-width bins.
public struct Calibration: Sendable, Hashable {
  /// Answers with similar confidence.
  public struct Bin: Sendable, Hashable {
    /// The confidences in the bin: from the lower bound up to, but not including, the upper bound; the last bin includes 1.
    public let range: Range<Double>
    /// How many answers are in it.
    public internal(set) var count = 0
    /// How many of them are right.
    public internal(set) var right = 0
    /// The sum of their confidences.
    public internal(set) var confidenceSum = 0.0

    /// The mean confidence; `nil` without answers.
    public var confidence: Double? { count == 0 ? nil : confidenceSum / Double(count) }
    /// The share of right answers.
    public var accuracy: Proportion { Proportion(right, of: count) }
  }

  /// The ten bins, each a tenth wide.
  public private(set) var bins = (0..<10).map { Bin(range: Double($0) / 10..<Double($0 + 1) / 10) }

  /// Makes a calibration without answers.
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

  /// The expected calibration error in 0…1: the mean gap between confidence and accuracy over all answers; `nil` without answers.
  public var expectedError: Double? {
    let total = bins.reduce(0) { $0 + $1.count }
    if total == 0 { return nil }
    return bins.reduce(0) { $0 + abs(Double($1.right) - $1.confidenceSum) } / Double(total)
  }
}
