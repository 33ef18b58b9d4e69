import AisleCore

/// Finds moves that never apply.
enum MoveCheck {
  /// A finding for each move whose word the lines before it move from each of its shelves already, since the first that fits wins.
  static func findings(in taxonomy: Taxonomy) -> [Finding] {
    var findings: [Finding] = []
    /// The lines that move a word from a shelf; from every shelf: `nil`.
    var lines: [String: [ShelfID?: SourceLocation]] = [:]
    for move in taxonomy.moves {
      let word = move.word.lowercased()
      let earlier = lines[word] ?? [:]
      let shelves = move.from.isEmpty ? [nil] : move.from.map(Optional.some)
      let taken = shelves.compactMap { earlier[$0] ?? earlier[nil] }
      if taken.count == shelves.count, let line = taken.max() {
        let what = move.from.isEmpty ? "every shelf" : move.from.map { taxonomy[$0].name }.joined(separator: " ")
        findings.append(
          Finding(
            move.location,
            "has no effect: `\(move.word)` is already moved from \(what) by \(line.named(in: move.location.path)); keep one"))
      }
      for shelf in shelves where earlier[shelf] == nil { lines[word, default: [:]][shelf] = move.location }
    }
    return findings
  }
}
