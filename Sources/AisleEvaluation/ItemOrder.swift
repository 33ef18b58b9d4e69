import AisleCore

/// The order in which baselines have items: that of their bytes, and for the same item that of its best section's name.
enum ItemOrder {
  /// An item, with some of its bytes as a number that orders as they do.
  private typealias Keyed = (key: UInt64, place: UInt32)

  /// The places of items in order, or `nil` where they are in order.
  ///
  /// - Parameter name: The name of the best section of the item at a place; asked of items that are the same.
  /// - Complexity: O(items) for items that differ in their first bytes.
  static func sorted(_ items: [Batch.Extent], in bytes: [UInt8], name: (Int) -> String) -> [UInt32]? {
    bytes.withUnsafeBufferPointer { bytes in
      func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
        let order = bytes.compare(items[Int(left)], to: items[Int(right)], in: bytes)
        return order == 0 ? name(Int(left)) < name(Int(right)) : order < 0
      }
      if items.indices.dropFirst().allSatisfy({ !precedes(UInt32($0), UInt32($0 - 1)) }) { return nil }
      var order = radixSorted(items.indices.map { (key: bytes.beginning(items[$0]), place: UInt32($0)) })
      settle(&order, order.indices, read: 8, items, bytes, precedes)
      return order.map(\.place)
    }
  }

  /// Puts items with equal keys in order: many by the bytes behind those that were read, few by all of them.
  private static func settle(
    _ order: inout [Keyed], _ range: Range<Int>, read: Int, _ items: [Batch.Extent], _ bytes: UnsafeBufferPointer<UInt8>,
    _ precedes: (UInt32, UInt32) -> Bool
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, order[end].key == order[start].key { end += 1 }
      if end - start > 8 {
        var isEnd = true
        for place in start..<end {
          order[place].key = bytes.beginning(items[Int(order[place].place)], from: read)
          isEnd = isEnd && order[place].key == 0
        }
        if isEnd {
          order[start..<end].sort { precedes($0.place, $1.place) }
        } else {
          order[start..<end].sort { $0.key < $1.key }
          settle(&order, start..<end, read: read + 8, items, bytes, precedes)
        }
      } else if end - start > 1 {
        order[start..<end].sort { precedes($0.place, $1.place) }
      }
      start = end
    }
  }

  /// Sorts by keys in eight passes, one a byte, from the last: it keeps the order of equal keys.
  private static func radixSorted(_ pairs: [Keyed]) -> [Keyed] {
    var (from, to) = (pairs, pairs)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      var starts = [Int](repeating: 0, count: 257)
      for pair in from { starts[Int(pair.key >> shift & 0xFF) + 1] += 1 }
      for byte in 1...256 { starts[byte] += starts[byte - 1] }
      for pair in from {
        let byte = Int(pair.key >> shift & 0xFF)
        to[starts[byte]] = pair
        starts[byte] += 1
      }
      swap(&from, &to)
    }
    return from
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first eight bytes, or those from an offset on, as a number that orders as they do.
  fileprivate func beginning(_ extent: Batch.Extent, from offset: Int = 0) -> UInt64 {
    let (start, length) = (Int(extent.start) + offset, Swift.max(Swift.min(Int(extent.length) - offset, 8), 0))
    if length == 0 { return 0 }
    var key: UInt64 = 0
    for place in start..<start + length { key = key << 8 | UInt64(self[place]) }
    return key << (8 * UInt64(8 - length))
  }

  /// Less than, equal to or more than 0 as some bytes of this text come before, are, or come after some of another's.
  func compare(_ left: Batch.Extent, to right: Batch.Extent, in other: UnsafeBufferPointer<UInt8>) -> Int {
    let (first, second) = (Int(left.start), Int(right.start))
    let shorter = Int(Swift.min(left.length, right.length))
    var place = 0
    while place < shorter, self[first + place] == other[second + place] { place &+= 1 }
    return place < shorter
      ? Int(self[first + place]) - Int(other[second + place]) : Int(left.length) - Int(right.length)
  }
}
