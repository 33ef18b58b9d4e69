/// What an item must hold for an expression to match it: found by reading the expression, and never more than is certain.
///
/// Texts and sets are of `Letter` kinds.
struct Requirement: Equatable {
  /// The item holds one of these texts; `nil` where nothing is certain.
  var texts: [[UInt8]]?
  /// The item holds one kind of each of these sets, a bit a kind.
  var sets: [UInt64] = []

  /// The longest text that is kept; the rest of a longer one is no help.
  static let longestText = 16
  /// The most texts.
  static let mostTexts = 64
  /// The most sets.
  static let mostSets = 4

  /// About how likely an item holds one of the texts.
  var likelihood: Double { texts.map(Self.likelihood) ?? 1 }

  private static func likelihood(_ texts: [[UInt8]]) -> Double { texts.reduce(0) { $0 + Letter.likelihood(of: $1) } }

  /// Keeps other texts where they are the rarer ones; both are necessary.
  mutating func tighten(_ others: [[UInt8]]) {
    if others.contains([]) || others.isEmpty { return }
    if texts == nil || Self.likelihood(others) < likelihood { texts = others.map { Array($0.prefix(Self.longestText)) } }
    add(others.reduce(0) { $0 | 1 << UInt64($1[0]) })
  }

  /// Adds a set that an item must hold one kind of.
  mutating func add(_ set: UInt64) {
    if !sets.contains(set), sets.count < Self.mostSets { sets.append(set) }
  }

  /// What both demand.
  mutating func tighten(_ other: Requirement) {
    if let texts = other.texts { tighten(texts) }
    for set in other.sets { add(set) }
  }

  /// What at least one of several alternatives demands.
  static func either(_ branches: [Requirement]) -> Requirement {
    var requirement = Requirement()
    let texts = branches.compactMap(\.texts)
    if texts.count == branches.count {
      let all = texts.joined()
      if all.count <= mostTexts { requirement.texts = Array(all) }
    }
    let rarest = branches.compactMap { $0.sets.min { $0.nonzeroBitCount < $1.nonzeroBitCount } }
    if rarest.count == branches.count, !rarest.isEmpty { requirement.add(rarest.reduce(0, |)) }
    return requirement
  }
}
