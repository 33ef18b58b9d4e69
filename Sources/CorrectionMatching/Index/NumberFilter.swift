import AisleCore

/// Says of most numbers that are not in a set that they are not, with one look at memory (a Bloom filter whose bits for a number lie
/// in one word; Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007).
struct NumberFilter: Sendable {
  private let words: PagedTable<UInt64>
  private let shift: UInt64

  init?(_ words: PagedTable<UInt64>) {
    guard words.count > 0, words.count & (words.count - 1) == 0, words.count < 1 << 40 else { return nil }
    self.words = words
    shift = UInt64(64 - words.count.trailingZeroBitCount)
  }

  /// `false` when the number is surely not in the set.
  @inline(__always)
  func mayHold(_ number: UInt64) -> Bool {
    // A shift by 64, for a filter of one word, gives 0.
    let word = words[Int(truncatingIfNeeded: number >> shift)]
    let mask = Self.mask(number)
    return word & mask == mask
  }

  @inline(__always)
  private static func mask(_ number: UInt64) -> UInt64 {
    1 &<< (number & 63) | 1 &<< (number &>> 6 & 63) | 1 &<< (number &>> 12 & 63) | 1 &<< (number &>> 18 & 63)
  }

  /// A filter of numbers, with about so many bits for each.
  static func table(of parts: [ContiguousArray<UInt64>], bitsEach: Int) -> ContiguousArray<UInt64> {
    let wanted = max(1, (parts.reduce(0) { $0 + $1.count } * bitsEach + 63) / 64)
    let size = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
    var words = ContiguousArray<UInt64>(repeating: 0, count: size)
    let shift = UInt64(64 - size.trailingZeroBitCount)
    for part in parts { for number in part { words[Int(truncatingIfNeeded: number >> shift)] |= mask(number) } }
    return words
  }
}
