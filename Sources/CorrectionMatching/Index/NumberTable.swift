import AisleCore

/// Finds the rows that were filed under a 64-bit number: rows lie in buckets by the number's highest bits, each with the lowest 32.
///
/// What a damaged table gives is rows that do not exist or are not meant; both are checked by who asks.
struct NumberTable: Sendable {
  private let filter: NumberFilter
  private let starts: PagedTable<UInt32>
  /// The lowest 32 bits of the number above, the row below.
  private let entries: PagedTable<UInt64>
  private let shift: UInt64

  init?(filter: PagedTable<UInt64>, starts: PagedTable<UInt32>, entries: PagedTable<UInt64>) {
    let buckets = starts.count - 1
    guard buckets > 0, buckets & (buckets - 1) == 0, let filter = NumberFilter(filter) else { return nil }
    self.filter = filter
    self.starts = starts
    self.entries = entries
    shift = UInt64(64 - buckets.trailingZeroBitCount)
  }

  @inline(__always)
  func mayHold(_ number: UInt64) -> Bool { filter.mayHold(number) }

  /// Reads where the rows of a number are filed, so that they are at hand when they are asked for.
  @inline(__always)
  func fetch(_ number: UInt64) -> UInt64 {
    let start = Int(starts[Int(truncatingIfNeeded: number >> shift)])
    return start < entries.count ? entries[start] : 0
  }

  /// Gives the rows filed under a number, in the order they were filed.
  ///
  /// - Parameter most: The most rows that are given.
  func forEachRow(of number: UInt64, most: Int, _ body: (Int) -> Void) {
    let bucket = Int(truncatingIfNeeded: number >> shift)
    let (start, end) = (Int(starts[bucket]), Int(starts[bucket + 1]))
    guard start <= end, end <= entries.count else { return }
    var rest = most
    for entry in entries[start..<end] where entry &>> 32 == number & 0xFFFF_FFFF {
      body(Int(entry & 0xFFFF_FFFF))
      rest -= 1
      if rest == 0 { return }
    }
  }

  /// The three tables for numbers and their rows.
  ///
  /// - Parameter others: Numbers that the filter shall know too.
  static func tables(
    _ numbers: ContiguousArray<UInt64>, _ rows: ContiguousArray<UInt32>, others: ContiguousArray<UInt64> = []
  ) -> (filter: ContiguousArray<UInt64>, starts: ContiguousArray<UInt32>, entries: ContiguousArray<UInt64>) {
    let bucketCount = 1 << max(0, Int.bitWidth - (numbers.count / 4).leadingZeroBitCount)
    let shift = UInt64(64 - bucketCount.trailingZeroBitCount)
    var starts = ContiguousArray<UInt32>(repeating: 0, count: bucketCount + 1)
    for number in numbers { starts[Int(truncatingIfNeeded: number >> shift) + 1] += 1 }
    for bucket in 0..<bucketCount { starts[bucket + 1] += starts[bucket] }
    var next = starts
    var entries = ContiguousArray<UInt64>(repeating: 0, count: numbers.count)
    for (number, row) in zip(numbers, rows) {
      let bucket = Int(truncatingIfNeeded: number >> shift)
      entries[Int(next[bucket])] = number &<< 32 | UInt64(row)
      next[bucket] += 1
    }
    return (NumberFilter.table(of: [numbers, others], bitsEach: 10), starts, entries)
  }
}
