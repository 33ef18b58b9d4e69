public import AisleCore
import AisleFiles

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
  let table: AnswerTable
  /// What the answers are of, for their places in files.
  private let evaluation: Evaluation?

  /// Makes a baseline of answers in any order; where they and their keywords stand is not kept.
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
  /// The answers, in the order of their items' bytes; each is spelled out when it is asked for.
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
      var answer = baseline.table.answer(place)
      if let evaluation = baseline.evaluation {
        let item = evaluation.items[Int(baseline.table.rows[place].origin)]
        answer.location = evaluation.corpus.location(evaluation.entry(item))
        answer.source = evaluation.explanation(item).source
      }
      return answer
    }
  }
}

extension Baseline {
  /// Keeps an evaluation's answers.
  ///
  /// - Parameters:
  ///   - tool: The version of `aisle`.
  ///   - order: What `Evaluator.baselineOrder` gave, where that was asked for beside the evaluation.
  public init(_ evaluation: Evaluation, tool: String, order: [UInt32]? = nil) {
    var table = AnswerTable()
    table.bytes = evaluation.corpus.text
    table.rows.reserveCapacity(evaluation.items.count)
    let sections = evaluation.sectionNames.map { table.number(of: Array($0.utf8)) }
    let expected = evaluation.expectations.accepted.map { list in table.number(of: list.map { sections[Int($0.rawValue)] }) }
    // Most answers rest on what another rests on too.
    var known: [Decision.Grounds?: (strategy: UInt32, reason: UInt32)] = [:]
    for (origin, item) in evaluation.items.enumerated() {
      let grounds = item.decision?.grounds
      let spelled =
        known[grounds]
        ?? {
          let explanation = evaluation.explanation(item)
          let made = (table.number(of: Array(explanation.strategy.utf8)), table.number(of: Array(explanation.reason.utf8)))
          known[grounds] = made
          return made
        }()
      let entry = evaluation.entry(item)
      table.rows.append(
        AnswerTable.Row(
          item: entry.item, expected: expected[Int(entry.labels)], section: sections[Int(item.answer.rawValue)],
          strategy: spelled.strategy, reason: spelled.reason, origin: UInt32(origin),
          confidence: AnswerTable.hundredths(Double(item.confidence)), isRight: item.isRight))
    }
    table.rows = ContiguousArray((order ?? evaluation.baselineOrder).map { table.rows[Int($0)] })
    self.init(
      header: Header(
        tool: tool, store: evaluation.taxonomy.store, chain: evaluation.chain.text,
        taxonomy: Fingerprint.text(Fingerprint.of(evaluation.taxonomy)),
        corpus: Fingerprint.text(evaluation.corpus.fingerprint)), sorted: table, of: evaluation)
  }
}

extension Evaluation {
  /// The places in `items` in the order of baselines.
  fileprivate var baselineOrder: [UInt32] {
    corpus.baselineOrder(of: items.map(\.entry), expectations, sectionNames)
  }
}

extension Evaluator {
  /// The places of the items that are asked, in the order that a baseline has them in: it needs no answers, so that it can be found
  /// while they are awaited.
  ///
  /// - Complexity: O(items).
  public func baselineOrder() -> [UInt32] { corpus.baselineOrder(of: entries, expectations, taxonomy.sections.map(\.name)) }
}

extension Corpus {
  fileprivate func baselineOrder(of places: [UInt32], _ expectations: Expectations, _ names: [String]) -> [UInt32] {
    ItemOrder.sorted(places.map { entries[Int($0)].item }, in: text) { place in
      expectations.accepted[Int(entries[Int(places[place])].labels)].first.map { names[Int($0.rawValue)] } ?? ""
    } ?? Array(places.indices.map { UInt32($0) })
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
