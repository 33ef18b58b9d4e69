public import AisleCore
import HTTPTransport

/// Asks a language model about the items that nothing else has decided: the last, optional step of a chain.
///
/// Items with the same normalized form are asked about once, in requests of up to `ModelSettings.batchSize` items, several at a time.
/// If the server gives no valid answer for an item, the strategy abstains, unless `ModelSettings.isRequired` makes a failure end the
/// run. `report` has the cost.
public final class LanguageModelStrategy: MeteredStrategy {
  /// The model could not be asked but is required.
  public struct Unavailable: Error, Sendable, CustomStringConvertible {
    /// What happened first, in one line.
    public let description: String
  }

  /// How sure a section is that the model is sure of: what frontier models get right of real items is 90 to 98%.
  static let confidence: Float = 0.9
  /// How sure a section is that the model guesses: below the confidence of a local decision that is more likely right than wrong.
  static let guessConfidence: Float = 0.5
  /// How sure a section is that the model proposed.
  static let newSectionConfidence: Float = 0.7
  /// The confidence at which an answer is final where the chain does not say: a guess does not outrank a local decision that is surer.
  package static let standardThreshold: Float = 0.6

  /// The most items of a list that go along with a short one.
  package static let mostNeighbors = Neighbors.most

  /// What the strategy is and when to use it.
  public let metadata = StrategyMetadata(
    id: "llm", summary: "asks a language model about items that nothing else has decided",
    rationale: """
      A language model knows products that the keyword files lack. A request takes about a second and costs a fraction of a cent, \
      so the model comes last and gets each remaining item once. Accept its answers as corrections, and it is not asked about \
      them again.
      """,
    rules: [
      Rule("model", "the model chose one of the store's sections"),
      Rule("new", "the model proposed a section that the store does not have"),
      Rule("guess", "the model guessed one of the store's sections"),
    ],
    examples: [
      StrategyExample("gochugaru", "International", topic: "a rare product"),
      StrategyExample("piri piri", "Condiments & Sauces", topic: "a rare product"),
      StrategyExample("hostess gift", "Other", topic: "not a grocery"),
    ])

  /// The store whose sections the model is told.
  public let boundTaxonomy: Taxonomy?

  private let settings: ModelSettings
  private let asker: Asker

  /// Makes a strategy; nothing is sent until there is an item to ask about.
  ///
  /// - Parameters:
  ///   - settings: Which model to ask, and how.
  ///   - taxonomy: The store.
  ///   - cache: Where answers are kept from run to run.
  ///   - log: Is told about every request.
  ///   - interruption: A descriptor that becomes readable when all waiting must end; calls then throw `CancellationError`.
  ///   - remark: Receives each problem once, as one line, on any thread.
  public init(
    _ settings: ModelSettings, taxonomy: Taxonomy, cache: (any AnswerCache)? = nil, log: (any RequestLog)? = nil,
    interruption: Int32? = nil, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.settings = settings
    boundTaxonomy = taxonomy
    asker = Asker(
      settings, Prompt(taxonomy, allowsNewSections: settings.allowsNewSections), fallback: taxonomy[taxonomy.fallback].name,
      cache: cache, log: log, interruption: interruption, remark: remark)
  }

  /// What it has spent since it was created, and the results.
  public var report: ModelReport { asker.ledger.current }

  /// Requests, tokens, and dollars since it was created.
  public var usage: StrategyUsage {
    let report = report
    return StrategyUsage(requests: report.requests, tokens: report.tokens.total, dollars: report.dollars)
  }

  /// The model and its API, for messages.
  public var name: String { settings.model.isEmpty ? settings.provider.rawValue : settings.model }

  /// Decides the items for which the model gives a valid answer.
  ///
  /// - Throws: `CancellationError`; `Unavailable` if the model is required.
  @concurrent
  public func decide(_ batch: inout Batch) async throws {
    var keys: [(index: Int, key: String)] = []
    var questions: [Question] = []
    var seen: Set<String> = []
    for (index, question) in questionsByPlace(batch) {
      keys.append((index, question.key))
      if seen.insert(question.key).inserted { questions.append(question) }
    }
    guard !questions.isEmpty else { return }
    let answers = try await asker.answers(to: questions)
    let note = batch.note(name)
    var abstained: [ModelAnswer.Abstention: Int] = [:]
    var cached = 0
    for (index, key) in keys {
      var evidence = Evidence()
      evidence.note = note
      let answer = answers.byKey[key] ?? .none(.missing)
      switch answer {
      case .section(let name), .guess(let name):
        guard let section = batch.taxonomy.section(named: name) else {
          abstained[.offList, default: 0] += 1
          continue
        }
        if answers.cached.contains(key) { cached += 1 }
        let isSure = answer == .section(name)
        evidence.rule = isSure ? 0 : 2
        batch.decide(
          index, Decision(section: section, confidence: isSure ? Self.confidence : Self.guessConfidence, evidence: evidence))
      case .newSection(let name):
        if answers.cached.contains(key) { cached += 1 }
        evidence.rule = 1
        let section = batch.sectionID(named: name)
        batch.decide(index, Decision(section: section, confidence: Self.newSectionConfidence, evidence: evidence))
      case .none(let reason): abstained[reason, default: 0] += 1
      }
    }
    let missed = abstained.values.reduce(0, +)
    asker.ledger.change { [cached] report in
      report.decided += keys.count - missed
      report.cached += cached
      report.abstained.merge(abstained) { $0 + $1 }
    }
    if settings.isRequired, let count = abstained[.failed] {
      let reason = asker.ledger.current.firstFailure ?? "no answer"
      throw Unavailable(
        description: "strategy `llm`: \(count) items were not answered (\(reason)), but an answer is required here")
    }
  }

  /// The questions about the undecided items, with their places; short ones have their neighbors, known or not.
  private func questionsByPlace(_ batch: Batch) -> [(Int, Question)] {
    let questions = batch.undecided.compactMap { index in Question(batch.bytes(index)).map { (index, $0) } }
    let short = settings.sendsNeighbors ? questions.filter { $0.1.isShort }.map(\.0) : []
    let before = batch.preceding
    let neighbors =
      short.isEmpty
      ? nil
      : Neighbors(of: short, in: -before.count..<batch.count) { place in
        place < 0 ? Question(Array(before[before.count + place].utf8)[...]) : Question(batch.bytes(place))
      }
    guard let neighbors else { return questions }
    return questions.map { index, question in
      var question = question
      if question.isShort { question.neighbors = neighbors }
      return (index, question)
    }
  }
}
