import AisleCore

/// Answers as rows of numbers: 36 bytes each, beside the bytes of their items and each other text once.
struct AnswerTable: Sendable {
  /// An answer.
  struct Row: Sendable {
    /// Where the item's bytes lie in `bytes`.
    var item: Batch.Extent
    /// The names of the right sections: a place in `lists`.
    var expected: UInt32
    /// The section that was answered: a place in `texts`.
    var section: UInt32
    /// The strategy that decided: a place in `texts`.
    var strategy: UInt32
    /// What the answer rests on: a place in `texts`.
    var reason: UInt32
    /// The item's place in the evaluation that it is of; `.max` when it is of none.
    var origin: UInt32 = .max
    /// How sure the answer is, in hundredths.
    var confidence: UInt8
    /// Whether the section is one of the right ones.
    var isRight: Bool
  }

  /// The bytes that the items lie in.
  var bytes: [UInt8] = []
  /// The answers.
  var rows: ContiguousArray<Row> = []
  /// Names of sections and strategies, and reasons, each once.
  private(set) var texts: [String] = []
  /// Lists of places in `texts`, each once.
  private(set) var lists: [[UInt32]] = []
  private var textNumbers: [[UInt8]: UInt32] = [:]
  private var listNumbers: [[UInt32]: UInt32] = [:]

  /// The place in `texts` of a text.
  mutating func number(of text: [UInt8]) -> UInt32 {
    if let known = textNumbers[text] { return known }
    let number = UInt32(texts.count)
    texts.append(String(decoding: text, as: UTF8.self))
    textNumbers[text] = number
    return number
  }

  /// The place in `lists` of a list of texts' places.
  mutating func number(of list: [UInt32]) -> UInt32 {
    if let known = listNumbers[list] { return known }
    let number = UInt32(lists.count)
    lists.append(list)
    listNumbers[list] = number
    return number
  }

  /// Adds an answer with an item of its own.
  mutating func add(_ answer: Baseline.Answer) {
    let expected = answer.expected.map { number(of: Array($0.utf8)) }
    let item = Batch.Extent(start: UInt32(bytes.count), length: UInt32(answer.item.utf8.count))
    bytes += answer.item.utf8
    rows.append(
      Row(
        item: item, expected: number(of: expected), section: number(of: Array(answer.section.utf8)),
        strategy: number(of: Array(answer.strategy.utf8)), reason: number(of: Array(answer.reason.utf8)),
        confidence: Self.hundredths(answer.confidence), isRight: answer.isRight))
  }

  /// A confidence in hundredths.
  static func hundredths(_ confidence: Double) -> UInt8 { UInt8(min(max(confidence * 100 + 0.5, 0), 100)) }

  /// Spells out an answer.
  func answer(_ place: Int) -> Baseline.Answer {
    let row = rows[place]
    return Baseline.Answer(
      item: item(row), expected: names(row), section: texts[Int(row.section)], confidence: Double(row.confidence) / 100,
      strategy: texts[Int(row.strategy)], reason: texts[Int(row.reason)])
  }

  /// An answer's item.
  func item(_ row: Row) -> String {
    String(decoding: bytes[Int(row.item.start)..<Int(row.item.start) + Int(row.item.length)], as: UTF8.self)
  }

  /// The names of the sections that are right for an answer's item, best first.
  func names(_ row: Row) -> [String] { lists[Int(row.expected)].map { texts[Int($0)] } }

  // MARK: Order

  /// Puts the answers in the order of their items' bytes; those of the same item, in the order of their best section's name.
  mutating func sort() {
    let isSorted = bytes.withUnsafeBufferPointer { bytes in
      rows.indices.dropFirst().allSatisfy { !precedes(rows[$0], rows[$0 - 1], bytes) }
    }
    if isSorted { return }
    rows = bytes.withUnsafeBufferPointer { bytes in
      var order = Self.radixSorted(rows.indices.map { (key: bytes.beginning(rows[$0].item), place: UInt32($0)) })
      settle(&order, order.indices, read: 8, bytes)
      return ContiguousArray(order.map { rows[Int($0.place)] })
    }
  }

  /// Puts rows with equal keys in order: many by the bytes behind those that were read, few by all of them.
  private func settle(
    _ order: inout [(key: UInt64, place: UInt32)], _ range: Range<Int>, read: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, order[end].key == order[start].key { end += 1 }
      if end - start > 8 {
        var isEnd = true
        for place in start..<end {
          order[place].key = bytes.beginning(rows[Int(order[place].place)].item, from: read)
          isEnd = isEnd && order[place].key == 0
        }
        if isEnd {
          order[start..<end].sort { precedes(rows[Int($0.place)], rows[Int($1.place)], bytes) }
        } else {
          order[start..<end].sort { $0.key < $1.key }
          settle(&order, start..<end, read: read + 8, bytes)
        }
      } else if end - start > 1 {
        order[start..<end].sort { precedes(rows[Int($0.place)], rows[Int($1.place)], bytes) }
      }
      start = end
    }
  }

  /// Sorts by keys in eight passes, one a byte, from the last: it keeps the order of equal keys.
  private static func radixSorted(_ pairs: [(key: UInt64, place: UInt32)]) -> [(key: UInt64, place: UInt32)] {
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

  private func precedes(_ left: Row, _ right: Row, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let order = bytes.compare(left.item, to: right.item, in: bytes)
    return order == 0 ? bestName(left) < bestName(right) : order < 0
  }

  private func bestName(_ row: Row) -> String { lists[Int(row.expected)].first.map { texts[Int($0)] } ?? "" }
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
