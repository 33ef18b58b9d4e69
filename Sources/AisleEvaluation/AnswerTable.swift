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
  private var textNumbers: [TextKey: UInt32] = [:]
  private var listNumbers: [[UInt32]: UInt32] = [:]

  /// The place in `texts` of a text.
  mutating func number(of text: [UInt8]) -> UInt32 {
    let key = TextKey(bytes: text)
    if let known = textNumbers[key] { return known }
    let number = UInt32(texts.count)
    texts.append(String(decoding: text, as: UTF8.self))
    textNumbers[key] = number
    return number
  }

  /// A text, hashed all at once: an array of bytes would be hashed one by one.
  private struct TextKey: Hashable {
    let bytes: [UInt8]

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
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

  /// Puts the answers in the order of baselines.
  mutating func sort() {
    let order = ItemOrder.sorted(rows.map(\.item), in: bytes) { place in
      lists[Int(rows[place].expected)].first.map { texts[Int($0)] } ?? ""
    }
    if let order { rows = ContiguousArray(order.map { rows[Int($0)] }) }
  }
}
