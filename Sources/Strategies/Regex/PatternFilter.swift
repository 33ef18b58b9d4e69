import AisleCore

/// Says which of many patterns may match an item, so that hundreds of them cost little more than one.
///
/// Every match of a pattern holds one of a few texts (see `TextReader`); each is looked for by its first three bytes, of which most items
/// have none.
final class PatternFilter: Sendable {
  /// A text that a pattern waits for.
  private struct Entry: BitwiseCopyable {
    /// Its bytes, the first the highest.
    var text: UInt64
    /// The bits of `text` that count.
    var mask: UInt64
    /// The pattern, or `patternCount` for all of them.
    var pattern: Int
  }

  private let patternCount: Int
  /// Where the entries of each bucket begin; one more number ends the last.
  private let starts: FlatTable<UInt32>
  private let entries: FlatTable<Entry>
  /// A bit for each three bytes that some text may begin with, by `triple`.
  private let used: FlatTable<UInt64>
  /// The patterns that wait for nothing.
  private let always: [Int]

  /// Buckets for the first two bytes; those for texts of a single byte follow.
  private static let pairBuckets = 1 << 12

  /// Prepares for patterns, which go by their place.
  ///
  /// - Parameter texts: For each pattern the texts of which every match holds one; `nil` where nothing is certain.
  init(_ texts: [[TextReader.Text]?]) {
    patternCount = texts.count
    always = texts.indices.filter { texts[$0] == nil }
    var buckets = [[Entry]](repeating: [], count: Self.pairBuckets + 256)
    // Other cases of ASCII letters, the long s and the Kelvin sign: items with one go to all patterns.
    let otherCases = ["\u{17F}", "\u{212A}"].map { TextReader.Text($0.utf8) }
    for (pattern, texts) in (texts + [otherCases]).enumerated() {
      var last: Entry?
      for text in (texts ?? []).sorted(by: { ($0.bits, $0.count) < ($1.bits, $1.count) }) {
        // What begins with another text is found with that.
        if let last, text.bits & last.mask == last.text { continue }
        let entry = Entry(text: text.bits, mask: ~0 << (64 - 8 * text.count), pattern: pattern)
        let (first, second) = (UInt8(text.bits >> 56), UInt8(text.bits >> 48 & 0xFF))
        buckets[text.count == 1 ? Self.pairBuckets + Int(first) : Self.bucket(first, second)].append(entry)
        last = entry
      }
    }
    starts = FlatTable(ContiguousArray(buckets.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt32($1.count)) }))
    entries = FlatTable(ContiguousArray(buckets.joined()))
    used = FlatTable(Self.beginnings(of: buckets.joined()))
  }

  /// A bit for each three bytes that a text begins with; a shorter one may be followed by anything.
  private static func beginnings(of entries: some Sequence<Entry>) -> ContiguousArray<UInt64> {
    var used = ContiguousArray<UInt64>(repeating: 0, count: pairBuckets * 16 / 64)
    for entry in entries {
      func bytes(_ place: UInt64) -> ClosedRange<UInt8> {
        let byte = UInt8(truncatingIfNeeded: entry.text &>> (56 - 8 * place))
        return entry.mask &>> (56 - 8 * place) & 1 == 1 ? byte...byte : 0...255
      }
      for first in bytes(0) {
        for second in bytes(1) {
          for third in bytes(2) {
            let triple = triple(bucket(first, second), third)
            used[triple / 64] |= 1 << UInt64(triple % 64)
          }
        }
      }
    }
    return used
  }

  /// A byte with ASCII letters in lower case.
  @inline(__always) static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  @inline(__always) private static func bucket(_ first: UInt8, _ second: UInt8) -> Int { Int(first) &<< 4 ^ Int(second) }

  @inline(__always) private static func triple(_ pair: Int, _ third: UInt8) -> Int { pair &<< 4 ^ Int(third) }

  /// Marks the patterns that may match an item, a bit each in `marked`, which must be clear and have a word for 64 patterns.
  ///
  /// - Parameter item: Bytes, with `Batch.padding` behind them that can be read.
  /// - Returns: whether any is marked.
  /// - Complexity: O(bytes); about 1 ns a byte where no pattern is near.
  func mark(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    for pattern in always { marked[pattern &>> 6] |= 1 &<< UInt64(pattern & 63) }
    var isAny = !always.isEmpty
    let used = used.address
    var (first, second) = (Self.lower(item[0]), Self.lower(item[1]))
    for place in 0..<count {
      let third = Self.lower(item[place &+ 2])
      let (pair, single) = (Self.bucket(first, second), Self.pairBuckets &+ Int(first))
      (first, second) = (second, third)
      let triple = Self.triple(pair, third)
      if used[triple &>> 6] &>> UInt64(triple & 63) & 1 == 0 { continue }
      let text = Self.text(item + place, count &- place)
      if look(pair, text, marked) { isAny = true }
      if look(single, text, marked) { isAny = true }
    }
    return isAny
  }

  /// The eight bytes at a place in lower case, the first the highest; zeros behind the end.
  @inline(__always)
  private static func text(_ place: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    let bytes = UInt64(bigEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    // A capital's byte has its high bit set in the one sum and not in the other.
    let ascii = bytes & 0x7F7F_7F7F_7F7F_7F7F
    let isCapital = (ascii &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(ascii &+ 0x2525_2525_2525_2525) & ~bytes & 0x8080_8080_8080_8080
    let lower = bytes | isCapital &>> 2
    return count < 8 ? lower & ~(~0 &>> UInt64(8 &* count)) : lower
  }

  /// Marks the patterns of a bucket whose texts a place begins with.
  private func look(_ bucket: Int, _ text: UInt64, _ marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    var isAny = false
    for number in Int(starts[bucket])..<Int(starts[bucket + 1]) {
      let entry = entries[number]
      guard text & entry.mask == entry.text else { continue }
      isAny = true
      let patterns = entry.pattern < patternCount ? entry.pattern..<entry.pattern + 1 : 0..<patternCount
      for pattern in patterns { marked[pattern &>> 6] |= 1 &<< UInt64(pattern & 63) }
    }
    return isAny
  }
}
