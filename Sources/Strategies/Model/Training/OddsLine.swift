import AisleCore

/// Turns the logarithm of a share's odds into that of its being right: a line, fitted by Newton's method (Platt, 1999).
struct OddsLine {
  private(set) var slope: Float = 1
  private(set) var offset: Float = 0

  /// Fewer cases than this say too little.
  static let leastCases = 50

  /// The logarithm of a share's odds; shares within a thousandth of 0 and 1 count as that far from them.
  static func logOdds(_ share: Float) -> Float {
    let kept = min(max(share, 0.001), 0.999)
    return Exponential.logarithm(kept / (1 - kept))
  }

  /// Fits the line; with few cases it stays the identity.
  init(_ cases: [(share: Float, isRight: Bool)]) {
    if cases.count < Self.leastCases { return }
    let odds = cases.map { Self.logOdds($0.share) }
    func limited(_ step: Float) -> Float { max(min(step, 0.2), -0.2) }
    for _ in 0..<50 {
      // Gradient and Hessian of the log likelihood, with a little weight on the identity.
      var (gradient, hessian): (SIMD2<Float>, SIMD3<Float>) = ([1 - slope, -offset], [1, 0, 1])
      for (odds, item) in zip(odds, cases) {
        let likely = 1 / (1 + Exponential.of(-(slope * odds + offset)))
        let error = (item.isRight ? 1 : 0) - likely
        gradient += [error * odds, error]
        let spread = likely * (1 - likely)
        hessian += [spread * odds * odds, spread * odds, spread]
      }
      let determinant = hessian.x * hessian.z - hessian.y * hessian.y
      guard determinant > 1e-6 else { return }
      // Far from the best line a whole step would go past it.
      slope += limited((hessian.z * gradient.x - hessian.y * gradient.y) / determinant)
      offset += limited((hessian.x * gradient.y - hessian.y * gradient.x) / determinant)
    }
  }
}
