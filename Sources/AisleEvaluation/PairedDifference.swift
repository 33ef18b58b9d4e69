/// How much more accurate one set of answers to the same items is than another, and whether that is more than noise.
public struct PairedDifference: Sendable, Hashable {
  /// How many items both sets have.
  public let total: Int
  /// How many the first set has right.
  public let before: Int
  /// How many only the second set has right.
  public let won: Int
  /// How many only the first set has right.
  public let lost: Int
  /// The 95% interval of the difference, by paired bootstrap, wide enough to hold 0 where the exact test cannot rule that out; `nil`
  /// without items.
  public let interval: ClosedRange<Double>?
  /// The p-value of McNemar's exact test, two-sided.
  public let pValue: Double
  /// Whether a difference this large is likely even if neither set is better: the p-value is not below alpha.
  public let isNoise: Bool

  /// Compares two sets of answers.
  ///
  /// - Parameters:
  ///   - seed: The seed for the bootstrap.
  ///   - alpha: The p-value below which a difference is more than noise, in 0…1.
  public init(total: Int, before: Int, won: Int, lost: Int, seed: UInt64, alpha: Double = 0.05) {
    self.total = total
    self.before = before
    self.won = won
    self.lost = lost
    let pValue = McNemar.pValue(won: won, lost: lost)
    self.pValue = pValue
    isNoise = pValue >= alpha
    interval =
      total == 0
      ? nil : Self.agreeing(PairedBootstrap.interval(won: won, lost: lost, total: total, seed: seed), with: pValue)
  }

  /// An interval that says the same as the test: of few changed items, the bootstrap says too much.
  private static func agreeing(_ interval: ClosedRange<Double>, with pValue: Double) -> ClosedRange<Double> {
    pValue < 0.05 ? interval : min(interval.lowerBound, 0)...max(interval.upperBound, 0)
  }

  /// How many the second set has right.
  public var after: Int { before + won - lost }
  /// The second set's accuracy minus the first's, in −1…1; `nil` without items.
  public var value: Double? { total == 0 ? nil : Double(won - lost) / Double(total) }
}
