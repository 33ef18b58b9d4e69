import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Draws from binomial distributions.
enum Binomial {
  /// How many of `n` trials come out, each with probability `p` in 0…1.
  ///
  /// - Complexity: O(1) on average for large `n·p`, else O(n·p).
  static func draw(_ n: Int, _ p: Double, using generator: inout SeededGenerator) -> Int {
    if n <= 0 || p <= 0 { return 0 }
    if p >= 1 { return n }
    if p > 0.5 { return n - draw(n, 1 - p, using: &generator) }
    return Double(n) * p < 10 ? waiting(n, p, using: &generator) : rejection(n, p, using: &generator)
  }

  /// Skips from one success to the next: the gaps are geometric.
  private static func waiting(_ n: Int, _ p: Double, using generator: inout SeededGenerator) -> Int {
    let rate = log1p(-p)
    var count = 0
    var trial = 0.0
    while true {
      trial += (log(generator.unit()) / rate).rounded(.down) + 1
      if trial > Double(n) { return count }
      count += 1
    }
  }

  /// Transformed rejection with squeeze (Hörmann 1993, The generation of binomial random variates, algorithm BTRS).
  private static func rejection(_ n: Int, _ p: Double, using generator: inout SeededGenerator) -> Int {
    let n = Double(n)
    let spread = (n * p * (1 - p)).squareRoot()
    let b = 1.15 + 2.53 * spread
    let a = -0.0873 + 0.0248 * b + 0.01 * p
    let c = n * p + 0.5
    let vr = 0.92 - 4.2 / b
    let alpha = (2.83 + 5.1 / b) * spread
    let odds = log(p / (1 - p))
    let mode = ((n + 1) * p).rounded(.down)
    let h = lgamma(mode + 1) + lgamma(n - mode + 1)
    while true {
      let u = generator.unit() - 0.5
      var v = generator.unit()
      let us = 0.5 - abs(u)
      let k = ((2 * a / us + b) * u + c).rounded(.down)
      if k < 0 || k > n { continue }
      if us >= 0.07 && v <= vr { return Int(k) }
      v = log(v * alpha / (a / (us * us) + b))
      if v <= h - lgamma(k + 1) - lgamma(n - k + 1) + (k - mode) * odds { return Int(k) }
    }
  }
}

extension SeededGenerator {
  /// A number in 0…1, without both ends.
  mutating func unit() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }
}
