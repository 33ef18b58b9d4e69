public import AisleCore

/// How two stores with the same shelves differ: their sections, the placement of shelves, the walking order, and their own
/// keywords and patterns.
///
/// Two sections match if they have the same name or both are the fallback. Otherwise they match if at least half of the shelves of
/// one are in the other; sections with the most shelves in common are matched first.
public struct StoreDifference: Sendable {
  /// Two matching sections, or a section that only one store has.
  public struct Pair: Sendable, Equatable {
    /// The section of the first store; `nil` if only the second has it.
    public let from: SectionID?
    /// The section of the second store; `nil` if only the first has it.
    public let to: SectionID?
    /// How many shelves are in both.
    public let common: Int
    /// Whether its position differs in the walking order of the sections that both have.
    public let isMoved: Bool
  }

  /// A shelf, keyword, pattern, or item, with its section in each store; `nil` if a store does not have it.
  public struct Change: Sendable, Equatable {
    /// The shelf's name, the keyword with its sign, the pattern's name, or the item.
    public let what: String
    /// Its section in the first store.
    public let from: SectionID?
    /// Its section in the second store.
    public let to: SectionID?
  }

  /// The first store.
  public let first: Taxonomy
  /// The second store.
  public let second: Taxonomy
  /// The sections: those of the first store in walking order, then those that only the second has.
  public let pairs: [Pair]
  /// The shelves whose sections do not match, sorted by section of the first store, then of the second.
  public let shelves: [Change]
  /// The sections' own keywords that the matching section of the other store does not have.
  public let keywords: [Change]
  /// The sections' own patterns that the matching section of the other store does not have.
  public let patterns: [Change]
  /// How many shelves there are.
  public let shelfCount: Int

  private let partners: [SectionID: SectionID]

  /// Compares two stores.
  ///
  /// - Complexity: O(keywords + sections² · log sections).
  public init(from first: Taxonomy, to second: Taxonomy) {
    self.first = first
    self.second = second
    let homes = Dictionary(second.shelves.map { ($0.name, $0.section) }, uniquingKeysWith: { first, _ in first })
    var common: [Couple: Int] = [:]
    for shelf in first.shelves {
      if let home = homes[shelf.name] { common[Couple(from: shelf.section, to: home), default: 0] += 1 }
    }
    let partners = Self.match(first, second, common)
    self.partners = partners

    let settled = Self.longestRise(first.sections.indices.compactMap { partners[SectionID(rawValue: UInt16($0))] })
    pairs =
      first.sections.indices.map { place in
        let from = SectionID(rawValue: UInt16(place))
        guard let to = partners[from] else { return Pair(from: from, to: nil, common: 0, isMoved: false) }
        return Pair(from: from, to: to, common: common[Couple(from: from, to: to)] ?? 0, isMoved: !settled.contains(to))
      }
      + Self.unmatched(second, Set(partners.values)).map { Pair(from: nil, to: $0, common: 0, isMoved: false) }
    shelfCount = Set(first.shelves.map(\.name)).union(homes.keys).count
    shelves = Self.changes(
      first.shelves.map { ([$0.name], $0.section) }, second.shelves.map { ([$0.name], $0.section) }, partners)
    keywords = Self.changes(Self.ownKeywords(first), Self.ownKeywords(second), partners)
    patterns = Self.changes(Self.ownPatterns(first), Self.ownPatterns(second), partners)
  }

  /// Whether the two stores are the same except for the names of their sections.
  public var isEmpty: Bool {
    shelves.isEmpty && keywords.isEmpty && patterns.isEmpty
      && pairs.allSatisfy { $0.from != nil && $0.to != nil && !$0.isMoved }
  }

  /// Whether a section of the first store matches one of the second.
  public func isSame(_ from: SectionID, _ to: SectionID) -> Bool { partners[from] == to }

  /// The items whose sections do not match, sorted by section of the first store, then of the second.
  public func changes(of items: some Sequence<(item: String, from: SectionID, to: SectionID)>) -> [Change] {
    Self.sorted(items.filter { !isSame($0.from, $0.to) }.map { Change(what: $0.item, from: $0.from, to: $0.to) })
  }

  private struct Couple: Hashable {
    let from: SectionID
    let to: SectionID
  }

  /// The partner of each section of the first store that has one.
  private static func match(_ first: Taxonomy, _ second: Taxonomy, _ common: [Couple: Int]) -> [SectionID: SectionID] {
    var partners: [SectionID: SectionID] = [:]
    for (place, section) in first.sections.enumerated() {
      if let other = second.section(named: section.name) { partners[SectionID(rawValue: UInt16(place))] = other }
    }
    if partners[first.fallback] == nil, !partners.values.contains(second.fallback) { partners[first.fallback] = second.fallback }
    var taken = Set(partners.values)
    let sizes = (size(first), size(second))
    let likely = common.filter { couple, count in
      count * 2 >= min(sizes.0[Int(couple.from.rawValue)], sizes.1[Int(couple.to.rawValue)])
    }
    for (couple, _) in likely.sorted(by: { ($1.value, $0.key.from, $0.key.to) < ($0.value, $1.key.from, $1.key.to) })
    where partners[couple.from] == nil && !taken.contains(couple.to) {
      partners[couple.from] = couple.to
      taken.insert(couple.to)
    }
    return partners
  }

  private static func size(_ taxonomy: Taxonomy) -> [Int] {
    taxonomy.shelves.reduce(into: Array(repeating: 0, count: taxonomy.sections.count)) { $0[Int($1.section.rawValue)] += 1 }
  }

  private static func unmatched(_ taxonomy: Taxonomy, _ matched: Set<SectionID>) -> [SectionID] {
    taxonomy.sections.indices.map { SectionID(rawValue: UInt16($0)) }.filter { !matched.contains($0) }
  }

  /// The largest set of sections that stand in walking order already; all others are those that moved.
  private static func longestRise(_ order: [SectionID]) -> Set<SectionID> {
    var best: [(length: Int, before: Int?)] = []
    for (place, section) in order.enumerated() {
      let before = order[..<place].indices.filter { order[$0] < section }.max { best[$0].length < best[$1].length }
      best.append((1 + (before.map { best[$0].length } ?? 0), before))
    }
    var settled: Set<SectionID> = []
    var next = best.indices.max { best[$0].length < best[$1].length }
    while let place = next {
      settled.insert(order[place])
      next = best[place].before
    }
    return settled
  }

  private static func ownKeywords(_ taxonomy: Taxonomy) -> [([String], SectionID)] {
    taxonomy.keywords.entries.indices.filter { taxonomy.keywords.entries[$0].shelfID == nil }.map { place in
      let keyword = taxonomy.keywords[KeywordID(rawValue: UInt32(place))]
      return ([keyword.strength.sign + keyword.text], keyword.section)
    }
  }

  private static func ownPatterns(_ taxonomy: Taxonomy) -> [([String], SectionID)] {
    taxonomy.patterns.filter { $0.shelf == nil }.map { ([$0.name, $0.expression, "\($0.confidence)"], $0.section) }
  }

  /// What stands in sections that are not the same, ordered by them: the same in all of its texts, and named by the first.
  private static func changes(
    _ first: [([String], SectionID)], _ second: [([String], SectionID)], _ partners: [SectionID: SectionID]
  ) -> [Change] {
    var others = Dictionary(second, uniquingKeysWith: { first, _ in first })
    var changes = first.compactMap { what, from -> Change? in
      let to = others.removeValue(forKey: what)
      return to != nil && partners[from] == to ? nil : Change(what: what[0], from: from, to: to)
    }
    changes += second.filter { others[$0.0] != nil }.map { Change(what: $0.0[0], from: nil, to: $0.1) }
    return sorted(changes)
  }

  /// By section of the first store, then of the second; what a store does not have comes last.
  private static func sorted(_ changes: [Change]) -> [Change] {
    let last = SectionID(rawValue: .max)
    return changes.enumerated().sorted {
      ($0.element.from ?? last, $0.element.to ?? last, $0.offset) < ($1.element.from ?? last, $1.element.to ?? last, $1.offset)
    }.map(\.element)
  }
}
