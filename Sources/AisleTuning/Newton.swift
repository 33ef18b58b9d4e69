/// Newton's method for a function that has one peak.
enum Newton {
  private static let maximumRounds = 100

  /// Climbs to the peak.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - gain: The function.
  ///   - derivatives: Its slopes, and its curvature with the sign turned, which must be positive definite.
  static func climb(
    from start: [Double], _ gain: ([Double]) -> Double,
    _ derivatives: ([Double]) -> (slopes: [Double], curvature: [[Double]])
  ) -> [Double] {
    var values = start
    for _ in 0..<maximumRounds {
      let (slopes, curvature) = derivatives(values)
      guard let step = Cholesky.solve(curvature, slopes) else { break }
      // A step may overshoot: it is halved until the gain is no less.
      let before = gain(values)
      var length = 1.0
      var next = zip(values, step).map { $0 + $1 }
      while gain(next) < before, length > 1e-6 {
        length /= 2
        next = zip(values, step).map { $0 + length * $1 }
      }
      values = next
      if step.allSatisfy({ abs($0) < 1e-9 }) { break }
    }
    return values
  }
}

/// Solves linear equations whose matrix is symmetric and positive definite.
private enum Cholesky {
  /// The solution, or `nil` for a matrix of another kind.
  static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    let count = right.count
    var lower = matrix
    for row in 0..<count {
      for column in 0...row {
        var sum = matrix[row][column]
        for place in 0..<column { sum -= lower[row][place] * lower[column][place] }
        if row == column {
          guard sum > 0 else { return nil }
          lower[row][row] = sum.squareRoot()
        } else {
          lower[row][column] = sum / lower[column][column]
        }
      }
    }
    var solution = right
    for row in 0..<count {
      for place in 0..<row { solution[row] -= lower[row][place] * solution[place] }
      solution[row] /= lower[row][row]
    }
    for row in (0..<count).reversed() {
      for place in row + 1..<max(count, row + 1) { solution[row] -= lower[place][row] * solution[place] }
      solution[row] /= lower[row][row]
    }
    return solution
  }
}
