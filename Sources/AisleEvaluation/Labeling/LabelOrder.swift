import AisleCore

/// The order in which items are labeled.
public enum LabelOrder: String, Sendable, CaseIterable {
  /// Those that the chain is least sure about first.
  case unsure
  /// Those first for which strategies, each asked alone, name different sections; among them, and after them, the least sure first.
  case disagree
  /// A random order, in which items keep their order when others are added or removed: a list that is labeled in several runs is
  /// labeled in the order of one.
  case random
  /// The order of the lists.
  case file
}

extension LabelOpinions {
  /// The places of all items in an order. Equal items keep the order of the lists.
  ///
  /// - Parameter seed: The seed of a random order. The same seed gives the same order.
  /// - Complexity: O(items · log items).
  public func places(in order: LabelOrder, seed: UInt64) -> [Int] {
    let places = Array(0..<count)
    switch order {
    case .file: return places
    case .random:
      let ranks = places.map { place in
        var generator = SeededGenerator(seed: seed)
        generator = SeededGenerator(seed: generator.next() ^ FNV1a.hash(item(place).utf8))
        return generator.next()
      }
      return places.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    case .unsure: return places.sorted { (confidence($0), $0) < (confidence($1), $1) }
    case .disagree:
      let ranks = places.map { isDisputed($0) ? 0 : 1 }
      return places.sorted { (ranks[$0], confidence($0), $0) < (ranks[$1], confidence($1), $1) }
    }
  }
}
