public import AisleCore

/// A saved evaluation, item by item, that a later one is compared with.
public struct Baseline: Sendable {
  /// The version of the file format that is written and read.
  public static let version = 1

  /// What was evaluated.
  public struct Header: Sendable, Hashable {
    /// The version of `aisle` that answered.
    public var tool: String
    /// The store's id.
    public var store: String
    /// The chain as it is written, e.g. `learned,keyword>=0.6`.
    public var chain: String
    /// Stands for what the store's files said, 16 hexadecimal digits.
    public var taxonomy: String
    /// Stands for the corpus's items with their labels, 16 hexadecimal digits.
    public var corpus: String

    /// Makes a header.
    public init(tool: String, store: String, chain: String, taxonomy: String, corpus: String) {
      self.tool = tool
      self.store = store
      self.chain = chain
      self.taxonomy = taxonomy
      self.corpus = corpus
    }
  }

  /// What was answered to an item.
  public struct Answer: Sendable, Hashable {
    /// The item.
    public var item: String
    /// The names of the sections that are right, best first.
    public var expected: [String]
    /// The section that was answered.
    public var section: String
    /// How sure the answer is, in 0…1, to two decimals.
    public var confidence: Double
    /// The strategy that decided; `none` where none did.
    public var strategy: String
    /// The keyword and rule, or what else the answer rests on.
    public var reason: String
    /// Where the item stands in the corpus; not saved.
    public var location: SourceLocation?
    /// Where the keyword that won stands; not saved.
    public var source: SourceLocation?

    /// Makes an answer.
    public init(
      item: String, expected: [String], section: String, confidence: Double, strategy: String, reason: String,
      location: SourceLocation? = nil, source: SourceLocation? = nil
    ) {
      self.item = item
      self.expected = expected
      self.section = section
      self.confidence = confidence
      self.strategy = strategy
      self.reason = reason
      self.location = location
      self.source = source
    }

    /// Whether the section is one of the right ones.
    public var isRight: Bool { expected.contains(section) }
  }

  /// What was evaluated.
  public let header: Header
  /// The answers, in the order of their items' bytes.
  public let answers: [Answer]

  /// Makes a baseline of answers in any order.
  public init(header: Header, answers: [Answer]) {
    self.header = header
    let isSorted = answers.indices.dropFirst().allSatisfy { !Self.precedes(answers[$0], answers[$0 - 1]) }
    self.answers = isSorted ? answers : Self.sorted(answers)
  }

  /// The share of right answers.
  public var accuracy: Proportion { Proportion(answers.count(where: \.isRight), of: answers.count) }

  /// Sorts by the items' bytes; places are sorted instead of answers, most of them by their first eight bytes alone.
  private static func sorted(_ answers: [Answer]) -> [Answer] {
    var order = answers.indices.map { (key: beginning(answers[$0].item), place: $0) }
    order.sort { left, right in
      if left.key != right.key { return left.key < right.key }
      if precedes(answers[left.place], answers[right.place]) { return true }
      return left.place < right.place && !precedes(answers[right.place], answers[left.place])
    }
    return order.map { answers[$0.place] }
  }

  private static func beginning(_ item: String) -> UInt64 {
    var (key, count): (UInt64, UInt64) = (0, 0)
    for byte in item.utf8.prefix(8) { (key, count) = (key << 8 | UInt64(byte), count + 1) }
    return key << (8 * (8 - count))
  }

  static func precedes(_ left: Answer, _ right: Answer) -> Bool {
    let order = compare(left.item, right.item)
    return order == 0 ? (left.expected.first ?? "") < (right.expected.first ?? "") : order < 0
  }

  /// Less than, equal to or more than 0 as the bytes of one text come before, are, or come after another's.
  static func compare(_ left: String, _ right: String) -> Int {
    func compared(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
      var place = 0
      let shorter = min(left.count, right.count)
      while place < shorter, left[place] == right[place] { place &+= 1 }
      return place < shorter ? Int(left[place]) - Int(right[place]) : left.count - right.count
    }
    let fast = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { compared(left, $0) }
    }
    if let fast, let fast { return fast }
    return Array(left.utf8).withUnsafeBufferPointer { left in Array(right.utf8).withUnsafeBufferPointer { compared(left, $0) } }
  }
}

extension Baseline {
  /// Keeps an evaluation's answers.
  ///
  /// - Parameter tool: The version of `aisle`.
  public init(_ evaluation: Evaluation, tool: String) {
    let expected = evaluation.expectations.accepted.map { $0.map { evaluation.taxonomy[$0].name } }
    self.init(
      header: Header(
        tool: tool, store: evaluation.taxonomy.store, chain: evaluation.chain.text,
        taxonomy: Fingerprint.text(Fingerprint.of(evaluation.taxonomy)),
        corpus: Fingerprint.text(evaluation.corpus.fingerprint)),
      answers: evaluation.items.map { item in
        let explanation = evaluation.explanation(item)
        let entry = evaluation.entry(item)
        return Answer(
          item: evaluation.corpus.item(entry), expected: expected[Int(entry.labels)], section: explanation.section,
          confidence: (Double(explanation.confidence) * 100).rounded() / 100, strategy: explanation.strategy,
          reason: explanation.reason, location: evaluation.corpus.location(entry), source: explanation.source)
      })
  }
}
