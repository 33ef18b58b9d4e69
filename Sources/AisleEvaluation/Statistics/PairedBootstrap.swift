import AisleCore

/// The paired bootstrap: the uncertainty of a difference in accuracy, found by resampling the items, each with both answers.
///
/// Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, percentile interval.
public enum PairedBootstrap {
  /// The number of resamples.
  public static let rounds = 10_000

  /// The 95% interval of the second set's accuracy minus the first's.
  ///
  /// Only the numbers of won and lost items matter, so a resample costs the same for any total.
  ///
  /// - Parameters:
  ///   - won: Items that only the second set has right.
  ///   - lost: Items that only the first set has right.
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
