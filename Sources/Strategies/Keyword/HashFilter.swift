import AisleCore

/// Says of most hashes that are not in a table that they are not: a bit a hash, found by its beginning, in a table small enough to stay
/// near the processor.
struct HashFilter {
  /// How many bits there are for a hash, at least: one in eight strange hashes gets by, at most.
  static let bitsEach = 8

  private let words: UnsafePointer<UInt64>
  private let shift: UInt64

  /// - Parameter table: What `table(of:count:)` made, or one of any content whose size `fits`.
  init(_ table: FlatTable<UInt64>) {
    words = table.address
    shift = UInt64(64 - (table.count * 64).trailingZeroBitCount)
  }

  /// 0 where a hash is not in the table, 1 where it may be.
  @inline(__always)
  func mayHold(_ hash: UInt64) -> UInt64 {
    let bit = hash &>> shift
    return words[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1
  }

  /// Whether a table's size is one that `init` takes and enough for so many hashes.
  static func fits(_ table: FlatTable<UInt64>, count: Int) -> Bool {
    table.count.nonzeroBitCount == 1 && 64 * table.count >= bitsEach * count
  }

  /// How many words a table for so many hashes has.
  static func wordCount(_ count: Int) -> Int {
    1 << (max(6, Int.bitWidth - max(bitsEach * count - 1, 0).leadingZeroBitCount) - 6)
  }

  /// The bits of so many hashes, well mixed from the highest bit down.
  static func table(of hashes: some Sequence<UInt64>, count: Int) -> ContiguousArray<UInt64> {
    let size = wordCount(count)
    var words = ContiguousArray<UInt64>(repeating: 0, count: size)
    let bits = (size * 64).trailingZeroBitCount
    for hash in hashes {
      let bit = Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
      words[bit / 64] |= 1 << UInt64(bit % 64)
    }
    return words
  }
}
