#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// McNemar's exact test: whether two sets of answers to the same items are equally often right.
///
/// Source: McNemar (1947), Note on the sampling error of the difference between correlated proportions or percentages; exact form
/// by the binomial distribution.
public enum McNemar {
  /// The two-sided p-value, in 0…1: the probability of a split of the changed items at least this uneven if neither set is better.
  ///
  /// - Parameters:
  ///   - won: Items that only the second set has right.
  ///   - lost: Items that only the first set has right.
  /// - Complexity: O(won + lost).
  public static func pValue(won: Int, lost: Int) -> Double {
    let n = won + lost
    let smaller = min(won, lost)
    if n == 0 { return 1 }
    // The binomial tail up to `smaller`, from its largest term down.
    var term = exp(logChoose(n, smaller) - Double(n) * log(2.0))
    var tail = 0.0
    for k in stride(from: smaller, through: 0, by: -1) {
      tail += term
      if term < tail * 1e-17 { break }
      term *= Double(k) / Double(n - k + 1)
    }
    return min(1, 2 * tail)
  }

  private static func logChoose(_ n: Int, _ k: Int) -> Double {
    lgamma(Double(n + 1)) - lgamma(Double(k + 1)) - lgamma(Double(n - k + 1))
  }
}
