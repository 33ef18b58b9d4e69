public import AisleCore

/// How many items of each section were answered with each section.
public struct ConfusionMatrix: Sendable, Hashable {
  /// The section names: the taxonomy's in walking order, then invented ones.
  public let names: [String]
  /// The counts, a row a section that items belong to, a column a section that was answered.
  private var counts: [Int]

  /// Makes a matrix of zeros.
  public init(names: [String]) {
    self.names = names
    counts = [Int](repeating: 0, count: names.count * names.count)
  }

  /// The items that belong to section `truth` and were answered with `answer`, by their places in `names`.
  public subscript(truth: Int, answer: Int) -> Int { counts[truth * names.count + answer] }

  /// Counts an item.
  public mutating func add(truth: SectionID, answer: SectionID) {
    counts[Int(truth.rawValue) * names.count + Int(answer.rawValue)] += 1
  }

  /// Each section's score, in the order of `names`.
  public var scores: [SectionScore] {
    names.indices.map { section in
      SectionScore(
        name: names[section], support: names.indices.reduce(0) { $0 + self[section, $1] },
        predicted: names.indices.reduce(0) { $0 + self[$1, section] }, right: self[section, section])
    }
  }

  /// The mean F1 of the sections that have items or answers; `nil` if none has.
  public var macroF1: Double? {
    let scores = scores.compactMap(\.f1)
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }

  /// Two sections, and how many items of the first were answered with the second.
  public struct Pair: Sendable, Hashable {
    /// The section that the items belong to.
    public let truth: String
    /// The section in the answer.
    public let answer: String
    /// How many items.
    public let count: Int
  }

  /// The pairs of sections that were confused, most items first.
  public var confusedPairs: [Pair] {
    names.indices.flatMap { truth in
      names.indices.filter { $0 != truth && self[truth, $0] > 0 }.map {
        Pair(truth: names[truth], answer: names[$0], count: self[truth, $0])
      }
    }.sorted { ($1.count, $0.truth, $0.answer) < ($0.count, $1.truth, $1.answer) }
  }
}
