import AisleCore

/// Answers as rows of numbers: 32 bytes each, beside the bytes of their items and reasons and each other text once.
struct AnswerTable: Sendable {
  /// An answer.
  struct Row: Sendable {
    /// Where the item's bytes lie in `bytes`.
    var item: Batch.Extent
    /// The names of the right sections: a place in `lists`.
    var expected: UInt32
    /// The section that was answered: a number in `sections`.
    var section: UInt32
    /// What the answer rests on.
    var grounds: Grounds
    /// How sure the answer is, in hundredths.
    var confidence: UInt8
    /// Whether the section is one of the right ones.
    var isRight: Bool
  }

  /// What an answer rests on.
  enum Grounds {
    /// The strategy that decided, a number in `strategies`, and where in `bytes` it says why.
    case spelled(strategy: UInt32, reason: Batch.Extent)
    /// The decision about an item, by its place in the evaluation that the answers are of.
    case decision(UInt32)
  }

  /// The bytes that the items and reasons lie in.
  var bytes: [UInt8] = []
  /// The answers.
  var rows: ContiguousArray<Row> = []
  /// The names of sections.
  var sections = NumberedTexts()
  /// The names of strategies.
  var strategies = NumberedTexts()
  /// Lists of numbers of `sections`, each once.
  private(set) var lists: [[UInt32]] = []
  /// The lists' bytes, by their places in `lists`.
  private var listNumbers = NumberedTexts()

  /// The place in `lists` of a list of sections.
  mutating func number(of list: [UInt32]) -> UInt32 {
    let number = list.withUnsafeBytes { listNumbers.number(of: $0) }
    if number == lists.count { lists.append(list) }
    return number
  }

  /// Adds an answer with an item of its own.
  mutating func add(_ answer: Baseline.Answer) {
    let expected = answer.expected.map { sections.number(of: $0.utf8) }
    rows.append(
      Row(
        item: keep(answer.item.utf8), expected: number(of: expected), section: sections.number(of: answer.section.utf8),
        grounds: .spelled(strategy: strategies.number(of: answer.strategy.utf8), reason: keep(answer.reason.utf8)),
        confidence: Self.hundredths(answer.confidence), isRight: answer.isRight))
  }

  /// A confidence in hundredths.
  static func hundredths(_ confidence: Double) -> UInt8 { UInt8(min(max(confidence * 100 + 0.5, 0), 100)) }

  /// Adds a text to `bytes`.
  ///
  /// - Returns: Where it lies.
  mutating func keep(_ text: some Collection<UInt8>) -> Batch.Extent {
    bytes.append(contentsOf: text)
    return Batch.Extent(start: UInt32(bytes.count - text.count), length: UInt32(text.count))
  }

  /// A part of `bytes` as text.
  func text(_ extent: Batch.Extent) -> String {
    String(decoding: bytes[Int(extent.start)..<Int(extent.start) + Int(extent.length)], as: UTF8.self)
  }

  /// The names of the sections that are right for an answer's item, best first.
  func names(_ row: Row) -> [String] { lists[Int(row.expected)].map { sections[$0] } }

  /// Puts the answers in the order of baselines.
  mutating func sort() {
    let names = ItemOrder.ranks(of: sections.all)
    let ranks = lists.map { list in list.first.map { names[Int($0)] } ?? 0 }
    let order = ItemOrder.sorted(rows.map(\.item), in: bytes, ranks: rows.map { ranks[Int($0.expected)] })
    if let order { rows = ContiguousArray(order.map { rows[Int($0)] }) }
  }
}
