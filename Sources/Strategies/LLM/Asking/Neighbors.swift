import AisleCore

/// Other items of a list, which tell what a short one may mean: `drop` beside `rai` and `til` is no candy.
struct Neighbors: Sendable, Hashable {
  /// The most of them that go along.
  static let most = 20
  /// The longest that does, in bytes.
  private static let longest = 64

  /// The items as the model gets them.
  let texts: [String]
  /// Tells them from any others, in whatever order: the 64-bit FNV-1a hash of their normalized forms.
  let fingerprint: String

  /// The items of a list that stand nearest to those at some places; `nil` where there are none.
  ///
  /// - Parameters:
  ///   - places: The places of the items that need neighbors, in ascending order.
  ///   - range: The places of all items.
  ///   - item: The item at a place; `nil` where nothing can be told of it.
  /// - Complexity: O(places) for each of the distances that are looked at, of which there are at most `most`.
  init?(of places: [Int], in range: Range<Int>, item: (Int) -> Question?) {
    var found: [Int: Question] = [:]
    var seen: Set<String> = []
    search: for distance in 1...Self.most {
      for place in places {
        for near in [place - distance, place + distance] where range.contains(near) && found[near] == nil {
          guard let item = item(near), item.text.utf8.count <= Self.longest, seen.insert(item.name).inserted else { continue }
          found[near] = item
          if found.count == Self.most { break search }
        }
      }
    }
    if found.isEmpty { return nil }
    texts = found.sorted { $0.key < $1.key }.map(\.value.text)
    fingerprint = FNV1a.text(FNV1a.hash(found.values.map(\.name).sorted().joined(separator: "\n").utf8))
  }
}
