/// How much better one way to answer the same items is than another, and whether that is more than noise.
public struct PairedDifference: Sendable, Hashable {
  /// How many items were answered both ways.
  public let total: Int
  /// How many the first way has right.
  public let before: Int
  /// How many only the second way has right.
  public let won: Int
  /// How many only the first way has right.
  public let lost: Int
  /// The 95 % interval of the difference, by paired bootstrap; `nil` of no items.
  public let interval: ClosedRange<Double>?
  /// The p-value of McNemar's exact test, two-sided.
  public let pValue: Double

  /// Compares two ways.
  ///
  /// - Parameter seed: Of the bootstrap.
  public init(total: Int, before: Int, won: Int, lost: Int, seed: UInt64) {
    self.total = total
    self.before = before
    self.won = won
    self.lost = lost
    interval = total == 0 ? nil : PairedBootstrap.interval(won: won, lost: lost, total: total, seed: seed)
    pValue = McNemar.pValue(won: won, lost: lost)
  }

  /// How many the second way has right.
  public var after: Int { before + won - lost }
  /// The second way's accuracy less the first's, in −1…1; `nil` of no items.
  public var value: Double? { total == 0 ? nil : Double(won - lost) / Double(total) }

  /// Whether a difference this large is to be expected where there is none.
  public func isNoise(alpha: Double = 0.05) -> Bool { pValue >= alpha }
}
