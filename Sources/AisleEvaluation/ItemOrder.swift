import AisleCore

/// The order in which baselines have items: that of their bytes, and for the same item that of its best section's name.
enum ItemOrder {
  /// The places of items in order, or `nil` where they are in order.
  ///
  /// - Parameter ranks: For each item, the rank of its best section's name.
  /// - Complexity: O(bytes in which items are alike).
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

/// Sorts items by eight of their bytes at a time, as numbers.
private struct ItemSorter {
  /// An item, with some of its bytes as a number that orders as they do.
  private struct Keyed {
    var key: UInt64
    let place: UInt32
  }

  /// As many items with equal keys are sorted by insertion.
  private static let few = 12

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
    var order = radixSorted(items.indices.map { Keyed(key: bytes.beginning(items[$0], from: 0), place: UInt32($0)) })
    order.withUnsafeMutableBufferPointer { settle($0, read: 8) }
    return order.map(\.place)
  }

  /// Sorts by keys in eight passes, one a byte, from the last: it keeps the order of equal keys.
  private func radixSorted(_ pairs: [Keyed]) -> [Keyed] {
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

  /// Puts items with equal keys in the order of the bytes behind those that were read.
  private func settle(_ order: UnsafeMutableBufferPointer<Keyed>, read: Int) {
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, order[end].key == order[start].key { end += 1 }
      if end - start > 1 { settleEqual(UnsafeMutableBufferPointer(rebasing: order[start..<end]), read: read) }
      start = end
    }
  }

  private func settleEqual(_ order: UnsafeMutableBufferPointer<Keyed>, read: Int) {
    var order = order
    var isEnd = true
    for place in order.indices {
      let item = items[Int(order[place].place)]
      order[place].key = bytes.beginning(item, from: read)
      isEnd = isEnd && Int(item.length) <= read
    }
    if isEnd {
      // All bytes are alike, but for zeros at the end of some.
      order.sort { (rank($0), $0.place) < (rank($1), $1.place) }
      return
    }
    if order.count > Self.few { order.sort { $0.key < $1.key } } else { insertionSort(order) }
    settle(order, read: read + 8)
  }

  /// A number that orders items whose bytes are alike.
  private func rank(_ item: Keyed) -> UInt64 { UInt64(items[Int(item.place)].length) << 32 | UInt64(ranks[Int(item.place)]) }

  private func insertionSort(_ order: UnsafeMutableBufferPointer<Keyed>) {
    for next in 1..<order.count {
      let moved = order[next]
      var place = next
      while place > 0, order[place - 1].key > moved.key {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = moved
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Eight bytes of some from an offset on, zeros behind their end, as a number that orders as they do.
  fileprivate func beginning(_ extent: Batch.Extent, from offset: Int) -> UInt64 {
    let (start, length) = (Int(extent.start) + offset, Int(extent.length) - offset)
    if length >= 8 { return word(start) }
    return length <= 0 ? 0 : (0..<length).reduce(0) { $0 << 8 | UInt64(self[start + $1]) } << (8 * UInt64(8 - length))
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
