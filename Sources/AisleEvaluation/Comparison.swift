/// What changed from one evaluation to another, on the items that both have.
public struct Comparison: Sendable {
  /// An item that got another answer.
  public struct Flip: Sendable, Hashable {
    /// The answer before; its `expected` is that of `after`.
    public let before: Baseline.Answer
    /// The answer after.
    public let after: Baseline.Answer
  }

  /// What became of one section's items.
  public struct SectionChange: Sendable, Hashable {
    /// The section's name.
    public let name: String
    /// The change among the items whose best section it is.
    public let difference: PairedDifference
  }

  /// What was evaluated before.
  public let before: Baseline.Header
  /// What was evaluated after.
  public let after: Baseline.Header
  /// The change on the items that both have.
  public let difference: PairedDifference
  /// Items that were wrong and are right now.
  public let won: [Flip]
  /// Items that were right and are wrong now.
  public let lost: [Flip]
  /// Items that got another answer, as right or wrong as before.
  public let moved: [Flip]
  /// The sections whose items changed, those that lost most first.
  public let sections: [SectionChange]
  /// How many items only the first evaluation has.
  public let onlyBefore: Int
  /// How many items only the second evaluation has.
  public let onlyAfter: Int
  /// How many items have other labels now; both answers are scored by the new ones.
  public let relabelled: Int

  /// Compares two evaluations. Items are the same when their bytes are; an item that stands several times is paired in order.
  ///
  /// - Parameter seed: Of the bootstrap.
  /// - Throws: `Incomparable` when they are of different stores or share no item.
  /// - Complexity: O(answers).
  public init(from before: Baseline, to after: Baseline, seed: UInt64) throws(Incomparable) {
    guard before.header.store == after.header.store else {
      throw Incomparable(
        reason: "one is of store \(before.header.store), the other of \(after.header.store); compare evaluations of one store")
    }
    var tally = Tally()
    var (old, new) = (0, 0)
    while old < before.answers.count, new < after.answers.count {
      let (left, right) = (before.answers[old], after.answers[new])
      let order = Baseline.compare(left.item, right.item)
      if order == 0 {
        tally.add(left, right)
        old += 1
        new += 1
      } else if order < 0 {
        tally.onlyBefore += 1
        old += 1
      } else {
        tally.onlyAfter += 1
        new += 1
      }
    }
    guard tally.total > 0 else { throw Incomparable(reason: "they share no item; evaluate the same corpus") }
    self.before = before.header
    self.after = after.header
    onlyBefore = tally.onlyBefore + before.answers.count - old
    onlyAfter = tally.onlyAfter + after.answers.count - new
    relabelled = tally.relabelled
    (won, lost, moved) = (tally.won, tally.lost, tally.moved)
    difference = PairedDifference(
      total: tally.total, before: tally.right, won: tally.won.count, lost: tally.lost.count, seed: seed)
    sections = tally.sections.compactMap { name, counts in
      guard counts.won + counts.lost > 0 else { return nil }
      return SectionChange(
        name: name,
        difference: PairedDifference(
          total: counts.total, before: counts.right, won: counts.won, lost: counts.lost, seed: seed))
    }.sorted { ($0.difference.won - $0.difference.lost, $0.name) < ($1.difference.won - $1.difference.lost, $1.name) }
  }

  private struct Tally {
    struct Counts { var (total, right, won, lost) = (0, 0, 0, 0) }

    var (total, right, onlyBefore, onlyAfter, relabelled) = (0, 0, 0, 0, 0)
    var (won, lost, moved): ([Flip], [Flip], [Flip]) = ([], [], [])
    var sections: [String: Counts] = [:]

    mutating func add(_ before: Baseline.Answer, _ after: Baseline.Answer) {
      var before = before
      if before.expected != after.expected {
        relabelled += 1
        before.expected = after.expected
      }
      let (wasRight, isRight) = (before.isRight, after.isRight)
      total += 1
      right += wasRight ? 1 : 0
      var counts = sections[after.expected.first ?? ""] ?? Counts()
      counts.total += 1
      counts.right += wasRight ? 1 : 0
      switch (wasRight, isRight) {
      case (false, true):
        won.append(Flip(before: before, after: after))
        counts.won += 1
      case (true, false):
        lost.append(Flip(before: before, after: after))
        counts.lost += 1
      default: if before.section != after.section { moved.append(Flip(before: before, after: after)) }
      }
      sections[after.expected.first ?? ""] = counts
    }
  }
}

/// Two evaluations that cannot be compared.
public struct Incomparable: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why, and what to do.
  public let reason: String

  /// The reason.
  public var description: String { "cannot compare: \(reason)" }
}
