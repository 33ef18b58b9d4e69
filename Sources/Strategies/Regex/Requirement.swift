/// What an item must hold for an expression to match it: found by reading the expression, and never more than is certain.
struct Requirement: Equatable {
  /// Bytes one after the other, each of one of a few kinds.
  typealias Text = [Letter.Kinds]

  /// The item holds one of these texts; `nil` where nothing is certain.
  var texts: [Text]?
  /// The item holds one kind of each of these sets.
  var sets: [Letter.Kinds] = []
  /// The kinds that an item's first byte may be of; for items in printable ASCII.
  var begins = Letter.all
  /// The kinds that all of an item's bytes are of; for items in printable ASCII.
  var within = Letter.all
  /// The emoji that an item holds one of, as `Letter.emojiBit` has them.
  var emoji = UInt64.max

  /// The longest text that is kept.
  static let longestText = 16
  /// The most texts.
  static let mostTexts = 64
  /// The most sets.
  static let mostSets = 4

  /// About how likely an item holds one of the texts.
  var likelihood: Double { texts.map(Self.likelihood) ?? 1 }

  /// About how likely an item of twenty letters holds one of some texts.
  private static func likelihood(_ texts: [Text]) -> Double {
    texts.reduce(0) { $0 + min(1, 20 * Letter.likelihood(of: $1)) }
  }

  /// Keeps other texts where they are the rarer ones; both are necessary.
  mutating func tighten(_ others: [Text]) {
    if others.isEmpty || others.contains([]) { return }
    if texts.map({ Self.likelihood(others) < Self.likelihood($0) }) ?? true { texts = others }
    add(others.reduce(0) { $0 | ($1.min { Letter.likelihood($0) < Letter.likelihood($1) } ?? Letter.all) })
  }

  /// Adds a set that an item must hold one kind of.
  private mutating func add(_ set: Letter.Kinds) {
    if set != Letter.all, !sets.contains(set), sets.count < Self.mostSets { sets.append(set) }
  }

  /// What both demand, of the item as a whole.
  mutating func tighten(_ other: Requirement) {
    if let texts = other.texts { tighten(texts) }
    for set in other.sets { add(set) }
    if other.emoji.nonzeroBitCount < emoji.nonzeroBitCount { emoji = other.emoji }
  }

  /// What at least one of several alternatives demands.
  static func either(_ branches: [Requirement]) -> Requirement {
    var requirement = Requirement()
    let texts = branches.compactMap(\.texts)
    if texts.count == branches.count {
      let all = texts.joined()
      if all.count <= mostTexts { requirement.texts = Array(all) }
    }
    let rarest = branches.compactMap { $0.sets.min { Letter.likelihood($0) < Letter.likelihood($1) } }
    if rarest.count == branches.count, !rarest.isEmpty { requirement.add(rarest.reduce(0, |)) }
    requirement.emoji = branches.reduce(0) { $0 | $1.emoji }
    return requirement
  }
}
