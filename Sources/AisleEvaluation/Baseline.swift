public import AisleCore
import AisleFiles

/// A saved evaluation, item by item, that a later one is compared with.
public struct Baseline: Sendable {
  /// The version of the file format that is written and read.
  public static let version = 1

  /// What was evaluated.
  public struct Header: Sendable, Hashable {
    /// The version of `aisle` that gave the answers.
    public var tool: String
    /// The store's id.
    public var store: String
    /// The chain as written, e.g. `learned,keyword>=0.6`.
    public var chain: String
    /// The fingerprint of the store's files, 16 hexadecimal digits.
    public var taxonomy: String
    /// The fingerprint of the corpus's items and labels, 16 hexadecimal digits.
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

  /// The answer to an item.
  public struct Answer: Sendable, Hashable {
    /// The item.
    public var item: String
    /// The names of the sections that are right, best first.
    public var expected: [String]
    /// The section that was answered.
    public var section: String
    /// How sure the answer is, in 0…1, to two decimals.
    public var confidence: Double
    /// The strategy that decided; `none` if none did.
    public var strategy: String
    /// The keyword and rule, or other evidence for the answer.
    public var reason: String
    /// The item's location in the corpus; not saved.
    public var location: SourceLocation?
    /// The location of the keyword that won; not saved.
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
  /// How many answers there are.
  public var count: Int { table.rows.count }
  let table: AnswerTable
  /// What the answers are of, for their places in files.
  private let evaluation: Evaluation?

  /// Makes a baseline from answers in any order; the locations of items and keywords are not kept.
  public init(header: Header, answers: [Answer]) {
    var table = AnswerTable()
    for answer in answers { table.add(answer) }
    self.init(header: header, table: table)
  }

  init(header: Header, table: AnswerTable) {
    var table = table
    table.sort()
    self.init(header: header, sorted: table, of: nil)
  }

  private init(header: Header, sorted table: AnswerTable, of evaluation: Evaluation?) {
    self.header = header
    self.table = table
    self.evaluation = evaluation
  }

  /// The share of right answers.
  public var accuracy: Proportion { Proportion(table.rows.count(where: \.isRight), of: table.rows.count) }
}

extension Baseline {
  /// The answers, sorted by the bytes of their items; each one is created on access.
  public var answers: Answers { Answers(baseline: self) }

  /// A baseline's answers.
  public struct Answers: RandomAccessCollection, Sendable {
    fileprivate let baseline: Baseline

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of answers.
    public var endIndex: Int { baseline.table.rows.count }

    /// The answer at a place.
    public subscript(place: Int) -> Answer {
      let table = baseline.table
      let row = table.rows[place]
      let (item, expected, section) = (table.text(row.item), table.names(row), table.sections[row.section])
      let confidence = Double(row.confidence) / 100
      switch (row.grounds, baseline.evaluation) {
      case (.decision(let place), let evaluation?):
        let scored = evaluation.items[Int(place)]
        let explanation = evaluation.explanation(scored)
        return Answer(
          item: item, expected: expected, section: section, confidence: confidence, strategy: explanation.strategy,
          reason: explanation.reason, location: evaluation.corpus.location(evaluation.entry(scored)), source: explanation.source)
      case (.spelled(let strategy, let reason), _):
        return Answer(
          item: item, expected: expected, section: section, confidence: confidence, strategy: table.strategies[strategy],
          reason: table.text(reason))
      case (.decision, nil):
        return Answer(item: item, expected: expected, section: section, confidence: confidence, strategy: "none", reason: "")
      }
    }
  }
}

extension Baseline {
  /// Saves an evaluation's answers.
  ///
  /// - Parameters:
  ///   - tool: The version of `aisle`.
  ///   - outline: The result of `Evaluator.baselineOutline`, if it was computed during the evaluation.
  public init(_ evaluation: Evaluation, tool: String, outline: BaselineOutline? = nil) {
    let outline = outline ?? evaluation.baselineOutline
    var table = AnswerTable()
    table.bytes = outline.bytes
    let sections = evaluation.sectionNames.map { table.sections.number(of: $0.utf8) }
    let expected = evaluation.expectations.accepted.map { list in table.number(of: list.map { sections[Int($0.rawValue)] }) }
    table.rows = ContiguousArray(
      outline.items.map { item in
        let scored = evaluation.items[Int(item.place)]
        return AnswerTable.Row(
          item: item.extent, expected: expected[Int(item.labels)], section: sections[Int(scored.answer.rawValue)],
          grounds: .decision(item.place), confidence: AnswerTable.hundredths(Double(scored.confidence)), isRight: scored.isRight)
      })
    self.init(header: Header(evaluation, tool: tool, outline.taxonomy, outline.corpus), sorted: table, of: evaluation)
  }

  /// The answers with what they rest on spelled out: each strategy and reason is made a text once.
  var spelledTable: AnswerTable {
    guard let evaluation else { return table }
    var table = table
    // Most answers rest on what another rests on too.
    var known: [Decision.Grounds?: AnswerTable.Grounds] = [:]
    for place in table.rows.indices {
      guard case .decision(let origin) = table.rows[place].grounds else { continue }
      let item = evaluation.items[Int(origin)]
      let grounds = item.decision?.grounds
      let spelled =
        known[grounds]
        ?? {
          let explanation = evaluation.explanation(item)
          return .spelled(
            strategy: table.strategies.number(of: explanation.strategy.utf8), reason: table.keep(explanation.reason.utf8))
        }()
      known[grounds] = spelled
      table.rows[place].grounds = spelled
    }
    return table
  }
}

extension Decision {
  /// What a decision's strategy and reason are spelled from.
  fileprivate struct Grounds: Hashable {
    let strategy: StrategyID?
    let keyword: KeywordID?
    let pattern: PatternID?
    let rule: UInt8?
    let move: UInt16?
    let note: UInt32?

    /// What differs most often is enough.
    func hash(into hasher: inout Hasher) {
      let source = UInt64(keyword?.rawValue ?? .max) << 32 | UInt64(note ?? .max)
      hasher.combine(source ^ UInt64(rule ?? .max) << 56 ^ UInt64(move ?? .max) << 16)
    }
  }

  fileprivate var grounds: Grounds {
    Grounds(
      strategy: strategy, keyword: evidence.keyword, pattern: evidence.pattern, rule: evidence.rule, move: evidence.move,
      note: evidence.note)
  }
}

extension Baseline.Header {
  /// What an evaluation is of.
  ///
  /// - Parameter tool: The version of `aisle`.
  /// - Complexity: O(keywords + items).
  public init(_ evaluation: Evaluation, tool: String) {
    self.init(evaluation, tool: tool, Fingerprint.of(evaluation.taxonomy), evaluation.corpus.fingerprint)
  }

  fileprivate init(_ evaluation: Evaluation, tool: String, _ taxonomy: UInt64, _ corpus: UInt64) {
    self.init(
      tool: tool, store: evaluation.taxonomy.store, chain: evaluation.chain.text, taxonomy: Fingerprint.text(taxonomy),
      corpus: Fingerprint.text(corpus))
  }
}
