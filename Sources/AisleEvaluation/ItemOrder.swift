import AisleCore

/// The order in which baselines have items: that of their bytes, and for the same item that of its best section's name.
enum ItemOrder {
  /// The places of items in order, or `nil` where they are in order.
  ///
  /// - Parameter ranks: For each item, the rank of its best section's name.
  /// - Complexity: O(items × log items), where few begin with the same eight bytes.
  static func sorted(_ items: [Batch.Extent], in bytes: [UInt8], ranks: [UInt32]) -> [UInt32]? {
    bytes.withUnsafeBufferPointer { bytes in
      items.withUnsafeBufferPointer { items in
        ranks.withUnsafeBufferPointer { ranks in
          let sorter = ItemSorter(items: items, bytes: bytes, ranks: ranks)
          return sorter.isInOrder ? nil : sorter.sorted()
        }
      }
    }
  }

  /// The rank of each name among some, from 1: 0 is left for items without a section.
  static func ranks(of names: [String]) -> [UInt32] {
    let sorted = names.sorted()
    let ranks = Dictionary(zip(sorted, UInt32(1)...), uniquingKeysWith: { first, _ in first })
    return names.map { ranks[$0] ?? 0 }
  }
}

/// Sorts items by their first eight bytes as numbers, and where those are equal by all of them.
private struct ItemSorter {
  let items: UnsafeBufferPointer<Batch.Extent>
  let bytes: UnsafeBufferPointer<UInt8>
  let ranks: UnsafeBufferPointer<UInt32>

  var isInOrder: Bool {
    items.indices.dropFirst().allSatisfy { place in
      let order = bytes.compare(items[place - 1], to: items[place], in: bytes)
      return order < 0 || order == 0 && ranks[place - 1] <= ranks[place]
    }
  }

  func sorted() -> [UInt32] {
    var order = items.indices.map { (key: bytes.beginning(items[$0]), place: $0) }
    order.sort { left, right in
      if left.key != right.key { return left.key < right.key }
      let order = bytes.compare(items[left.place], to: items[right.place], in: bytes)
      return order != 0 ? order < 0 : (ranks[left.place], left.place) < (ranks[right.place], right.place)
    }
    return order.map { UInt32($0.place) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first eight bytes of some, zeros behind their end, as a number that orders as they do.
  fileprivate func beginning(_ extent: Batch.Extent) -> UInt64 {
    let (start, length) = (Int(extent.start), Int(extent.length))
    if length >= 8 { return word(start) }
    return length == 0 ? 0 : (0..<length).reduce(0) { $0 << 8 | UInt64(self[start + $1]) } << (8 * UInt64(8 - length))
  }

  private func word(_ place: Int) -> UInt64 {
    UInt64(bigEndian: UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// Less than, equal to or more than 0 as some bytes of this text come before, are, or come after some of another's.
  func compare(_ left: Batch.Extent, to right: Batch.Extent, in other: UnsafeBufferPointer<UInt8>) -> Int {
    let (first, second) = (Int(left.start), Int(right.start))
    let shorter = Int(Swift.min(left.length, right.length))
    var place = 0
    while place + 8 <= shorter {
      let (one, another) = (word(first + place), other.word(second + place))
      if one != another { return one < another ? -1 : 1 }
      place += 8
    }
    while place < shorter, self[first + place] == other[second + place] { place += 1 }
    return place < shorter
      ? Int(self[first + place]) - Int(other[second + place]) : Int(left.length) - Int(right.length)
  }
}
