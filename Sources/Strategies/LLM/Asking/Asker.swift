import AisleCore
import HTTPTransport

/// Answers questions: from the cache where it knows them, else by asking the model.
final class Asker: Sendable {
  /// What became of questions.
  struct Answers: Sendable {
    /// The answers, by key.
    var byKey: [String: ModelAnswer] = [:]
    /// The keys whose answers were in the cache.
    var cached: Set<String> = []
  }

  let ledger: Ledger
  private let settings: ModelSettings
  private let context: AnswerContext
  private let cache: (any AnswerCache)?
  private let dispatcher: Dispatcher
  /// Is told of answers as they come in, by their questions' keys.
  private let arrived: @Sendable ([String: ModelAnswer]) -> Void

  init(
    _ settings: ModelSettings, _ prompt: Prompt, fallback: String, cache: (any AnswerCache)?, log: (any RequestLog)?,
    interruption: Int32?, remark: @escaping @Sendable (String) -> Void,
    arrived: @escaping @Sendable ([String: ModelAnswer]) -> Void = { _ in }
  ) {
    let ledger = Ledger(hasPrice: settings.price != nil, log: log, remark: remark)
    let stop = StopButton()
    let client = ModelClient(settings, ledger) { () throws(HTTPError) in
      try HTTPClient(interruption: interruption) { stop.press() }
    }
    var prompt = prompt
    prompt.effort = settings.effort
    let questioner = Questioner(settings, prompt, fallback: fallback, client, ledger)
    self.settings = settings
    self.cache = settings.cacheUse == .off ? nil : cache
    self.ledger = ledger
    self.arrived = arrived
    context = AnswerContext(settings, prompt)
    let keep = Self.keeper(self.cache, context, ledger)
    let asker = CappedAsker(ledger) { await questioner.ask($0) }
    dispatcher = Dispatcher(
      batchSize: settings.batchSize, room: { questioner.room },
      send: { questions in
        let answers = await asker.ask(questions)
        keep(questions, answers)
        arrived(Dictionary(zip(questions.map(\.key), answers)) { $1 })
        return answers
      })
    stop.onPress { [weak dispatcher] in dispatcher?.cancelAll() }
  }

  /// The answers to different questions.
  ///
  /// - Throws: `CancellationError`.
  func answers(to questions: [Question]) async throws -> Answers {
    try Task.checkCancellation()
    var answers = Answers()
    if let cache, settings.cacheUse != .refresh {
      do {
        answers.byKey = try cache.answers(to: questions.map(\.key), in: context).filter { $1.isSound }
        answers.cached = Set(answers.byKey.keys)
        arrived(answers.byKey)
      } catch {
        ledger.remark("\(error)")
      }
    }
    let left = questions.filter { answers.byKey[$0.key] == nil }
    if settings.cacheUse == .only {
      for question in left { answers.byKey[question.key] = ModelAnswer.none(.uncached) }
    } else if !left.isEmpty {
      answers.byKey.merge(try await dispatcher.ask(left)) { $1 }
    }
    return answers
  }

  /// What hands lasting answers to the cache.
  private static func keeper(
    _ cache: (any AnswerCache)?, _ context: AnswerContext, _ ledger: Ledger
  ) -> @Sendable ([Question], [ModelAnswer]) -> Void {
    { questions, answers in
      guard let cache else { return }
      var lasting: [String: ModelAnswer] = [:]
      for (question, answer) in zip(questions, answers) where answer.isLasting {
        lasting[question.key] = answer
        // Where the model itself wants an item it will be content with it.
        if let agreed = question.agreedKey(with: answer), lasting[agreed] == nil { lasting[agreed] = answer }
      }
      guard !lasting.isEmpty else { return }
      do {
        try cache.keep(lasting, in: context)
      } catch {
        ledger.remark("\(error)")
      }
    }
  }
}
