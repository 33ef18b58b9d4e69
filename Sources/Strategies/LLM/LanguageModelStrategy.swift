public import AisleCore
import HTTPTransport

/// Asks a language model about the items that nothing else has decided: the last step of a chain, only where it is asked for.
///
/// Items are the same when their normalized forms are, and are asked about once, in requests of up to `ModelSettings.batchSize` items,
/// several at a time. Whatever a server does, an item that it does not answer soundly is an abstention, unless
/// `ModelSettings.isRequired` says that a failure ends the run. What it spends stands in `report`.
public final class LanguageModelStrategy: MeteredStrategy {
  /// The model could not be asked, and is required.
  public struct Unavailable: Error, Sendable, CustomStringConvertible {
    /// What happened first, in one line.
    public let description: String
  }

  /// How sure a section of the store is: what frontier models get right of real items is 90 to 98 %.
  static let confidence: Float = 0.9
  /// How sure a section is that the model proposed.
  static let newSectionConfidence: Float = 0.7

  /// What the strategy is and when to use it.
  public let metadata = StrategyMetadata(
    id: "llm", summary: "asks a language model about what nothing else has decided",
    rationale: """
      Keyword files end somewhere; a language model has read the rest. It takes a second and a fraction of a cent a request, so it \
      comes last, gets only what is left, each item once, and its answers are worth accepting as corrections: then it is not \
      needed for them again.
      """,
    rules: [
      Rule("model", "the model chose one of the store's sections"),
      Rule("new", "the model proposed a section that the store does not have"),
    ],
    examples: [
      StrategyExample("gochugaru", "International", topic: "a rare good"),
      StrategyExample("piri piri", "Condiments & Sauces", topic: "a rare good"),
      StrategyExample("hostess gift", "Other", topic: "not a grocery"),
    ])

  private let settings: ModelSettings
  private let context: AnswerContext
  private let cache: (any AnswerCache)?
  private let ledger: Ledger
  private let dispatcher: Dispatcher

  /// Makes a strategy; nothing is sent before there is an item to ask about.
  ///
  /// - Parameters:
  ///   - settings: Which model, and how.
  ///   - taxonomy: The store.
  ///   - cache: Where answers are kept from run to run.
  ///   - log: Hears of every request.
  ///   - interruption: A descriptor that becomes readable when all waiting shall end; calls then throw `CancellationError`.
  ///   - remark: Gets what goes wrong, a line at a time, each thing once, on any thread.
  public init(
    _ settings: ModelSettings, taxonomy: Taxonomy, cache: (any AnswerCache)? = nil, log: (any RequestLog)? = nil,
    interruption: Int32? = nil, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let prompt = Prompt(taxonomy, allowsNewSections: settings.allowsNewSections)
    let ledger = Ledger(hasPrice: settings.price != nil, log: log, remark: remark)
    let stop = StopButton()
    let client = ModelClient(settings, ledger) { () throws(HTTPError) in
      try HTTPClient(interruption: interruption) { stop.press() }
    }
    let questioner = Questioner(settings, prompt, fallback: taxonomy[taxonomy.fallback].name, client)
    self.settings = settings
    self.cache = settings.cacheUse == .off ? nil : cache
    self.ledger = ledger
    context = AnswerContext(settings, prompt)
    let keep = Self.keeper(self.cache, context, ledger)
    dispatcher = Dispatcher(
      batchSize: settings.batchSize, concurrency: settings.concurrency, isTrusted: { client.isTrusted },
      send: { questions in
        let answers = await questioner.ask(questions)
        keep(questions, answers)
        return answers
      })
    stop.onPress { [weak dispatcher] in dispatcher?.cancelAll() }
  }

  /// What it has spent since it was made, and what that bought.
  public var report: ModelReport { ledger.current }

  /// Requests, tokens and dollars since it was made.
  public var usage: StrategyUsage {
    let report = report
    return StrategyUsage(requests: report.requests, tokens: report.tokens.total, dollars: report.dollars)
  }

  /// The model and its API, for people.
  public var name: String { settings.model.isEmpty ? settings.provider.rawValue : settings.model }

  /// Decides what the model answers soundly.
  ///
  /// - Throws: `CancellationError`; `Unavailable` where the model is required.
  public func decide(_ batch: inout Batch) async throws {
    var keys: [(index: Int, key: String)] = []
    var questions: [Question] = []
    var seen: Set<String> = []
    for index in batch.undecided {
      guard let question = Question(batch.bytes(index)) else { continue }
      keys.append((index, question.key))
      if seen.insert(question.key).inserted { questions.append(question) }
    }
    guard !questions.isEmpty else { return }
    let answers = try await answers(to: questions)
    let note = batch.note(name)
    var abstained: [ModelAnswer.Abstention: Int] = [:]
    for (index, key) in keys {
      var evidence = Evidence()
      evidence.note = note
      switch answers[key] ?? .none(.missing) {
      case .section(let name):
        guard let section = batch.taxonomy.section(named: name) else { continue }
        evidence.rule = 0
        batch.decide(index, Decision(section: section, confidence: Self.confidence, evidence: evidence))
      case .newSection(let name):
        evidence.rule = 1
        let section = batch.sectionID(named: name)
        batch.decide(index, Decision(section: section, confidence: Self.newSectionConfidence, evidence: evidence))
      case .none(let reason): abstained[reason, default: 0] += 1
      }
    }
    let missed = abstained.values.reduce(0, +)
    ledger.change { report in
      report.decided += keys.count - missed
      report.abstained.merge(abstained) { $0 + $1 }
    }
    if settings.isRequired, let count = abstained[.failed] {
      let reason = ledger.current.firstFailure ?? "no answer"
      throw Unavailable(description: "strategy `llm`: \(count) items were not answered (\(reason)), and it is required here")
    }
  }

  private func answers(to questions: [Question]) async throws -> [String: ModelAnswer] {
    try Task.checkCancellation()
    var answers: [String: ModelAnswer] = [:]
    if let cache, settings.cacheUse != .refresh {
      do {
        answers = try cache.answers(to: questions.map(\.key), in: context)
      } catch {
        ledger.remark("\(error)")
      }
    }
    let left = questions.filter { answers[$0.key] == nil }
    if settings.cacheUse == .only {
      for question in left { answers[question.key] = ModelAnswer.none(.uncached) }
    } else if !left.isEmpty {
      answers.merge(try await dispatcher.ask(left)) { $1 }
    }
    return answers
  }

  /// What hands lasting answers to the cache.
  private static func keeper(
    _ cache: (any AnswerCache)?, _ context: AnswerContext, _ ledger: Ledger
  ) -> @Sendable ([Question], [ModelAnswer]) -> Void {
    { questions, answers in
      guard let cache else { return }
      let lasting = zip(questions, answers).filter { $1.isLasting }.map { ($0.key, $1) }
      guard !lasting.isEmpty else { return }
      do {
        try cache.keep(Dictionary(lasting) { first, _ in first }, in: context)
      } catch {
        ledger.remark("\(error)")
      }
    }
  }
}
