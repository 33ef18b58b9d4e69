import AisleCore

/// The paired bootstrap: how far a difference in accuracy may be off, found by drawing the items anew, each with both its answers.
///
/// Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, percentile interval.
public enum PairedBootstrap {
  /// How often the items are drawn anew.
  public static let rounds = 10_000

  /// The 95 % interval of the second way's accuracy less the first's.
  ///
  /// Drawing `total` items with replacement is drawing the numbers of won and lost ones, so a round costs the same for any total.
  ///
  /// - Parameters:
  ///   - won: Items that only the second way has right.
  ///   - lost: Items that only the first way has right.
  ///   - total: All items; more than 0.
  ///   - seed: The same seed gives the same interval.
  public static func interval(won: Int, lost: Int, total: Int, seed: UInt64) -> ClosedRange<Double> {
    precondition(won >= 0 && lost >= 0 && total > 0 && won + lost <= total)
    var generator = SeededGenerator(seed: seed)
    var differences = (0..<rounds).map { _ in
      let gained = Binomial.draw(total, Double(won) / Double(total), using: &generator)
      let others = total - won
      let dropped = others == 0 ? 0 : Binomial.draw(total - gained, Double(lost) / Double(others), using: &generator)
      return Double(gained - dropped) / Double(total)
    }
    differences.sort()
    return quantile(differences, 0.025)...quantile(differences, 0.975)
  }

  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
