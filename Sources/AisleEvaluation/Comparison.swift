/// The changes from one evaluation to another, on the items that both have.
public struct Comparison: Sendable {
  /// An item whose answer changed.
  public struct Flip: Sendable, Hashable {
    /// The earlier answer; its `expected` is that of `after`.
    public let before: Baseline.Answer
    /// The later answer.
    public let after: Baseline.Answer
  }

  /// The change for one section's items.
  public struct SectionChange: Sendable, Hashable {
    /// The section's name.
    public let name: String
    /// The change on the items whose best section it is.
    public let difference: PairedDifference
  }

  /// The header of the earlier evaluation.
  public let before: Baseline.Header
  /// The header of the later evaluation.
  public let after: Baseline.Header
  /// The change on the items that both have.
  public let difference: PairedDifference
  /// Items that were wrong and are now right.
  public let won: [Flip]
  /// Items that were right and are now wrong.
  public let lost: [Flip]
  /// Items whose answer changed without becoming right or wrong.
  public let moved: [Flip]
  /// The sections whose items changed, greatest loss first.
  public let sections: [SectionChange]
  /// How many items only the first evaluation has.
  public let onlyBefore: Int
  /// How many items only the second evaluation has.
  public let onlyAfter: Int
  /// How many items have different labels now; both answers are scored by the new labels.
  public let relabelled: Int

  /// Compares two evaluations. Items are the same if their bytes are; repeated items are paired in order.
  ///
  /// - Parameters:
  ///   - seed: The seed for the bootstrap.
  ///   - alpha: The p-value below which a change is more than noise, in 0…1, as for the gate.
  ///   - pairing: The pairing of the two, if it was computed during the later evaluation.
  /// - Throws: `Incomparable` if they are of different stores or have no items in common.
  /// - Complexity: O(answers).
  public init(
    from before: Baseline, to after: Baseline, seed: UInt64, alpha: Double = 0.05, pairing: Pairing? = nil
  ) throws(Incomparable) {
    guard before.header.store == after.header.store else {
      throw Incomparable(
        reason:
          "one is for the store \(before.header.store), the other for \(after.header.store); compare evaluations of the same store"
      )
    }
    var tally = Tally(before.table, after.table)
    for pair in (pairing ?? Pairing(before.table, after.table)).pairs { tally.add(pair) }
    guard tally.total > 0 else { throw Incomparable(reason: "they have no items in common; evaluate the same corpus") }
    self.before = before.header
    self.after = after.header
    (onlyBefore, onlyAfter) = (before.table.rows.count - tally.total, after.table.rows.count - tally.total)
    relabelled = tally.relabelled
    let (older, newer) = (before.answers, after.answers)
    func flips(_ pairs: [Pairing.Pair]) -> [Flip] {
      pairs.map { pair in
        var before = older[Int(pair.before)]
        let after = newer[Int(pair.after)]
        before.expected = after.expected
        return Flip(before: before, after: after)
      }
    }
    (won, lost, moved) = (flips(tally.won), flips(tally.lost), flips(tally.moved))
    difference = PairedDifference(
      total: tally.total, before: tally.right, won: tally.won.count, lost: tally.lost.count, seed: seed, alpha: alpha)
    sections = tally.sections().compactMap { name, counts in
      guard counts.won + counts.lost > 0 else { return nil }
      return SectionChange(
        name: name,
        difference: PairedDifference(
          total: counts.total, before: counts.right, won: counts.won, lost: counts.lost, seed: seed, alpha: alpha))
    }.sorted { ($0.difference.won - $0.difference.lost, $0.name) < ($1.difference.won - $1.difference.lost, $1.name) }
  }

  /// Counts in two tables what changed, by the numbers of the newer one.
  private struct Tally {
    struct Counts { var (total, right, won, lost) = (0, 0, 0, 0) }

    private let before: AnswerTable
    private let after: AnswerTable
    /// The newer number of each section of the older table, and of each list; `nil` where the newer has none such.
    private let sectionNumbers: [UInt32?]
    private let listNumbers: [UInt32?]
    /// For each list of the newer table.
    private var counts: [Counts]
    private(set) var (total, right, relabelled) = (0, 0, 0)
    private(set) var (won, lost, moved): ([Pairing.Pair], [Pairing.Pair], [Pairing.Pair]) = ([], [], [])

    init(_ before: AnswerTable, _ after: AnswerTable) {
      (self.before, self.after) = (before, after)
      let lists = Dictionary(uniqueKeysWithValues: zip(after.lists, UInt32(0)...))
      let numbers = before.sections.numbers(among: after.sections)
      sectionNumbers = numbers
      listNumbers = before.lists.map { list in
        let translated = list.compactMap { numbers[Int($0)] }
        return translated.count == list.count ? lists[translated] : nil
      }
      counts = Array(repeating: Counts(), count: after.lists.count)
    }

    mutating func add(_ pair: Pairing.Pair) {
      let (one, other) = (before.rows[Int(pair.before)], after.rows[Int(pair.after)])
      let answered = sectionNumbers[Int(one.section)]
      let list = Int(other.expected)
      let isRelabelled = listNumbers[Int(one.expected)] != other.expected
      let wasRight = isRelabelled ? answered.map(after.lists[list].contains) ?? false : one.isRight
      relabelled += isRelabelled ? 1 : 0
      total += 1
      right += wasRight ? 1 : 0
      counts[list].total += 1
      counts[list].right += wasRight ? 1 : 0
      switch (wasRight, other.isRight) {
      case (false, true):
        won.append(pair)
        counts[list].won += 1
      case (true, false):
        lost.append(pair)
        counts[list].lost += 1
      default: if answered != other.section { moved.append(pair) }
      }
    }

    /// What was counted for the items whose best section each is.
    func sections() -> [String: Counts] {
      var sections: [String: Counts] = [:]
      for (list, counts) in zip(after.lists, counts) {
        guard let name = list.first.map({ after.sections[$0] }) else { continue }
        sections[name, default: Counts()].total += counts.total
        sections[name, default: Counts()].right += counts.right
        sections[name, default: Counts()].won += counts.won
        sections[name, default: Counts()].lost += counts.lost
      }
      return sections
    }
  }
}

/// Two evaluations that cannot be compared.
public struct Incomparable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason and the remedy.
  public let reason: String

  /// The reason.
  public var description: String { "cannot compare: \(reason)" }
}
