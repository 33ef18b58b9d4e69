/// A count of items out of a total: a share with its uncertainty.
public struct Proportion: Sendable, Hashable {
  /// The counted items.
  public let count: Int
  /// All items.
  public let total: Int

  /// Makes a proportion of `count` out of `total`.
  public init(_ count: Int, of total: Int) {
    self.count = count
    self.total = total
  }

  /// The share in 0…1; `nil` without items.
  public var value: Double? { total == 0 ? nil : Double(count) / Double(total) }

  /// The Wilson score interval with 95% coverage; `nil` without items.
  ///
  /// Source: Wilson (1927), Probable inference, the law of succession, and statistical inference, without continuity correction.
  public var interval: ClosedRange<Double>? {
    guard let value else { return nil }
    let n = Double(total)
    let z = Self.z
    let center = (value + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (value * (1 - value) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, center - half)...min(1, center + half)
  }

  /// The 97.5% point of the standard normal distribution.
  private static let z = 1.959963984540054
}
