/// Finds the name that a mistyped one was meant to be.
public enum DidYouMean {
  /// The known name nearest to `name`, when it is near enough to be a likely slip.
  ///
  /// Near enough is at most a third of the letters changed (edit distance with adjacent swaps, case ignored), or one being the
  /// beginning of the other.
  ///
  /// - Complexity: O(candidates × length²).
  public static func nearest(to name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty else { return nil }
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let letters = Array(candidate.lowercased().unicodeScalars)
      let isBeginning = wanted.count >= 3 && letters.starts(with: wanted)
      let distance = isBeginning ? 1 : editDistance(wanted, letters)
      if distance <= max(1, min(wanted.count, letters.count) / 3), distance < best?.distance ?? .max {
        best = (distance, candidate)
      }
    }
    return best?.name
  }

  /// `; did you mean …?` for an error message, or nothing.
  public static func hint(_ name: String, among candidates: [String]) -> String {
    nearest(to: name, among: candidates).map { "; did you mean `\($0)`?" } ?? ""
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two texts.
  private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other { cost = min(cost, before[column - 1] + 1) }
        current.append(cost)
      }
      (before, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
