import AisleCore

/// Says which of many patterns may match an item, so that hundreds of them cost little more than one.
///
/// Every match of a pattern holds one of a few texts (see `TextReader`); each is looked for by its first two bytes, of which most items
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
  }

  /// A byte with ASCII letters in lower case.
  @inline(__always) static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  @inline(__always) private static func bucket(_ first: UInt8, _ second: UInt8) -> Int { Int(first) &<< 4 ^ Int(second) }

  /// Marks the patterns that may match an item, a bit each in `marked`, which must be clear and have a word for 64 patterns.
  ///
  /// - Parameter item: Bytes, with at least one behind them that can be read.
  /// - Returns: whether any is marked.
  /// - Complexity: O(bytes); about 1 ns a byte where no pattern is near.
  func mark(_ item: UnsafePointer<UInt8>, count: Int, in marked: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    for pattern in always { marked[pattern &>> 6] |= 1 &<< UInt64(pattern & 63) }
    var isAny = !always.isEmpty
    let starts = starts.address
    var first = Self.lower(item[0])
    for place in 0..<count {
      let second = Self.lower(item[place &+ 1])
      let (pair, single) = (Self.bucket(first, second), Self.pairBuckets &+ Int(first))
      first = second
      if starts[pair] != starts[pair &+ 1], look(pair, item + place, count &- place, marked) { isAny = true }
      if starts[single] != starts[single &+ 1], look(single, item + place, count &- place, marked) { isAny = true }
    }
    return isAny
  }

  /// Marks the patterns of a bucket whose texts stand at a place.
  @inline(never)
  private func look(
    _ bucket: Int, _ place: UnsafePointer<UInt8>, _ count: Int, _ marked: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    var text: UInt64 = 0
    for offset in 0..<min(8, count) { text |= UInt64(Self.lower(place[offset])) &<< UInt64(56 &- 8 &* offset) }
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
