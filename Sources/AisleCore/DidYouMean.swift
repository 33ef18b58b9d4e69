/// Finds the name that a mistyped name was meant to be.
public enum DidYouMean {
  /// The longest name, in bytes, that is looked up; anything longer is not a typo.
  public static let longestName = 64

  /// The known name nearest to `name`, if it is near enough to be a likely typo.
  ///
  /// A name is near enough if at most a third of its letters differ (edit distance with adjacent swaps, case ignored) or if one name
  /// is a prefix of the other. A name of more than `longestName` bytes is near none.
  ///
  /// - Complexity: O(letters of the candidates), and O(length²) for each that is about as long and has about the same letters. Where
  ///   many names are looked up, `Candidates` goes through the candidates' letters only once.
  public static func nearest(to name: String, among candidates: [String]) -> String? {
    isFit(name) ? Candidates(candidates).nearest(to: name) : nil
  }

  /// `; did you mean …?` for an error message, or nothing.
  public static func hint(_ name: String, among candidates: [String]) -> String {
    isFit(name) ? Candidates(candidates).hint(name) : ""
  }

  /// Names in a message, separated by commas; in backticks if one has a comma itself, or blanks around it.
  package static func list(_ names: [String]) -> String {
    let needsMarks = names.contains { $0.contains(",") || $0.first == " " || $0.last == " " }
    return names.map { needsMarks ? "`\($0)`" : $0 }.joined(separator: ", ")
  }

  private static func isFit(_ name: String) -> Bool { !name.isEmpty && name.utf8.count <= longestName }

  /// Known names, prepared for many lookups.
  public struct Candidates: Sendable {
    private let names: [String]
    private let letters: [NameLetters]

    /// Prepares names.
    ///
    /// - Complexity: O(letters).
    public init(_ names: [String]) {
      self.names = names
      letters = names.map { NameLetters($0) }
    }

    /// The known name nearest to `name`, as `DidYouMean.nearest` finds it.
    public func nearest(to name: String) -> String? {
      guard DidYouMean.isFit(name) else { return nil }
      let wanted = NameLetters(name)
      var best: (distance: Int, place: Int)?
      for (place, known) in letters.enumerated() {
        let allowed = min(max(1, min(wanted.letters.count, known.letters.count) / 3), best.map { $0.distance - 1 } ?? .max)
        if let distance = wanted.distance(to: known, atMost: allowed) { best = (distance, place) }
      }
      return best.map { names[$0.place] }
    }

    /// `; did you mean …?` for an error message, or nothing.
    public func hint(_ name: String) -> String { nearest(to: name).map { "; did you mean `\($0)`?" } ?? "" }
  }
}

/// A name's letters, case ignored.
private struct NameLetters: Sendable {
  let letters: [Unicode.Scalar]
  /// A bit for each letter that occurs; some letters share one.
  private let kinds: UInt64

  init(_ name: String) {
    letters = Array(name.lowercased().unicodeScalars)
    kinds = letters.reduce(0) { $0 | 1 << UInt64($1.value % 64) }
  }

  /// How far a name is from this one; `nil` where it is more than `limit`. One that this is the beginning of is as near as one slip.
  func distance(to other: NameLetters, atMost limit: Int) -> Int? {
    // Each kind of letter that the other lacks takes a change of its own, and so does each letter too many.
    if (kinds & ~other.kinds).nonzeroBitCount > limit { return nil }
    if letters.count >= 3, other.letters.starts(with: letters) { return limit >= 1 ? 1 : nil }
    if max((other.kinds & ~kinds).nonzeroBitCount, abs(letters.count - other.letters.count)) > limit { return nil }
    return edits(to: other, atMost: limit)
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two names; `nil` where it is more than
  /// `limit`.
  private func edits(to other: NameLetters, atMost limit: Int) -> Int? {
    let (left, right) = (letters, other.letters)
    var (before, previous, current) = (Array(0...right.count), Array(0...right.count), Array(0...right.count))
    var least = 0  // Of the row before.
    for row in left.indices {
      let leastBefore = least
      current[0] = row + 1
      least = row + 1
      for column in right.indices {
        let step = left[row] == right[column] ? 0 : 1
        var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + step)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current[column + 1] = cost
        least = min(least, cost)
      }
      if min(least, leastBefore) > limit { return nil }  // A row builds on the two before it.
      (before, previous, current) = (previous, current, before)
    }
    return previous[right.count] <= limit ? previous[right.count] : nil
  }
}
