import AisleCore
import LearnedStrategy
public import LLMStrategy
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Keeps the answers of language models, and a log of the requests, in the corrections file. The first kept answer creates the
/// file.
///
/// Answers are written in the background, those of several requests together: within a few milliseconds, or immediately by `flush`.
public final class ModelMemory: AnswerCache, RequestLog {
  /// What an answer is known by.
  private struct Key: Hashable {
    let source: KeptAnswer.Source
    let question: KeptAnswer.Question
  }

  private struct State {
    var reading: CorrectionStore?
    var writing: CorrectionStore?
    /// What waits to be written.
    var answers: [Key: KeptAnswer] = [:]
    var requests: [KeptRequest] = []
    /// What is being written.
    var underway: [Key: KeptAnswer] = [:]
    /// Whether somebody is about to write what waits.
    var isScheduled = false
    /// What went wrong when nobody could be told.
    var failure: (any Error)?
    /// What was told already.
    var told: String?
  }

  /// The file.
  public let path: String
  private let state = Mutex(State())
  /// Held by whoever writes.
  private let writer = Mutex(())

  /// Keeps answers in a file; nothing is opened yet.
  public init(path: String) { self.path = path }

  deinit { try? flush() }

  /// The known answers, by normalized item.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func answers(to items: [String], in context: AnswerContext) throws -> [String: ModelAnswer] {
    let source = KeptAnswer.Source(context)
    let questions = items.map { (item: $0, question: KeptAnswer.Question(key: $0)) }
    // What is on its way to the file is looked for first: it may get there meanwhile.
    var answers: [String: ModelAnswer] = [:]
    state.withLock { state in
      if state.answers.isEmpty && state.underway.isEmpty { return }
      for (item, question) in questions {
        let key = Key(source: source, question: question)
        if let answer = state.answers[key] ?? state.underway[key] { answers[item] = ModelAnswer(answer) }
      }
    }
    let left = questions.filter { answers[$0.item] == nil }
    if left.isEmpty { return answers }
    do {
      let known = try readingStore()?.answers(to: left.map(\.question), from: source) ?? [:]
      for (item, question) in left { answers[item] = known[question].map { ModelAnswer($0) } }
      return answers
    } catch {
      state.withLock { $0.told = "\(error)" }
      throw error
    }
  }

  /// Keeps answers, by normalized item. They are written to disk shortly afterward.
  ///
  /// - Throws: The error of an earlier write, once.
  public func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) throws {
    let (source, time) = (KeptAnswer.Source(context), Timestamp.now)
    let isFirst = try state.withLock { state in
      if let failure = state.failure {
        (state.failure, state.told) = (nil, "\(failure)")
        throw failure
      }
      // Normalizing may lengthen an item beyond what is stored.
      for (item, answer) in answers where item.utf8.count <= CorrectionStore.maximumTextBytes {
        let question = KeptAnswer.Question(key: item)
        state.answers[Key(source: source, question: question)] = KeptAnswer(source, question, answer, time: time)
      }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst {
      Task.detached { [self] in
        do { try write() } catch { state.withLock { $0.failure = error } }
      }
    }
  }

  /// Logs a request; it is written with the next answers, or by `flush`.
  public func add(_ record: RequestRecord) {
    let request = KeptRequest(record, time: Timestamp.now)
    state.withLock { $0.requests.append(request) }
  }

  /// Logs a batch of requests, only once no matter how often it is collected.
  ///
  /// - Parameter id: The server's name for it.
  /// - Throws: `CorrectionStoreError`.
  public func add(batch report: ModelReport, provider: ModelProvider, model: String, id: String) throws {
    let id = String(id.prefix(200))
    if try readingStore()?.remembersRequest(id) == true { return }
    let request = KeptRequest(
      time: Timestamp.now, task: "batch", provider: provider.rawValue, model: model, items: report.asked, attempt: 0,
      inputTokens: report.tokens.input, cachedTokens: report.tokens.cacheRead, outputTokens: report.tokens.output,
      dollars: report.dollars, duration: 0, requestID: id, status: nil,
      failure: report.failures == 0 ? nil : "\(report.failures) of \(report.requests) requests failed",
      isEstimate: report.estimated > 0)
    state.withLock { $0.requests.append(request) }
  }

  /// Writes everything pending; it is on disk when the call returns.
  ///
  /// - Throws: `CorrectionStoreError`, including one from an earlier write that no call has thrown yet.
  public func flush() throws {
    do {
      try write()
      if let failure = state.withLock({ $0.failure }) { throw failure }
    } catch  where state.withLock({ $0.told }) == "\(error)" {}
  }

  private func write() throws {
    try writer.withLock { _ in
      let (answers, requests) = state.withLock { state in
        defer { (state.answers, state.requests, state.isScheduled) = ([:], [], false) }
        state.underway = state.answers
        return (Array(state.answers.values), state.requests)
      }
      defer { state.withLock { $0.underway = [:] } }
      if answers.isEmpty && requests.isEmpty { return }
      try writingStore().keep(answers, requests: requests)
    }
  }

  private func writingStore() throws -> CorrectionStore {
    try state.withLock { state in
      if let store = state.writing { return store }
      let store = try CorrectionStore(path, access: .writing)
      (state.writing, state.reading) = (store, store)
      return store
    }
  }

  private func readingStore() throws -> CorrectionStore? {
    try state.withLock { state in
      if let store = state.reading { return store }
      do { state.reading = try CorrectionStore(path, access: .reading) } catch let error as CorrectionStoreError
        where error.kind == .missing
      {}
      return state.reading
    }
  }
}

extension KeptAnswer.Source {
  init(_ context: AnswerContext) {
    self.init(
      task: context.task.rawValue, provider: context.provider.rawValue, model: context.model, prompt: context.promptVersion,
      sections: context.sections, allowsNewSections: context.allowsNewSections)
  }
}

extension KeptAnswer.Question {
  /// After a tab, the key may have the section where the item stands, or what tells its neighbors on the list.
  init(key: String) {
    let tab = key.lastIndex(of: "\t")
    self.init(
      String(key[..<(tab ?? key.endIndex)]), present: tab.map { String(key[key.index(after: $0)...]) } ?? "")
  }
}

extension KeptAnswer {
  /// `nil` for an answer that does not last. A section that the model only guesses is kept with the mark of a guess.
  init?(_ source: Source, _ question: Question, _ answer: ModelAnswer, time: Int) {
    switch answer {
    case .section(let section): self.init(source: source, question: question, section: section, time: time)
    case .newSection(let section): self.init(source: source, question: question, section: section, isNew: true, time: time)
    case .guess(let section):
      self.init(source: source, question: question, section: section + AnswerContext.guessMark, time: time)
    case .none: return nil
    }
  }
}

extension ModelAnswer {
  init(_ kept: KeptAnswer) {
    guard let section = kept.section else {
      self = .none(.offList)
      return
    }
    if kept.isNew {
      self = .newSection(section)
    } else if section.hasSuffix(AnswerContext.guessMark) {
      self = .guess(String(section.dropLast(AnswerContext.guessMark.count)))
    } else {
      self = .section(section)
    }
  }
}

extension KeptRequest {
  init(_ record: RequestRecord, time: Int) {
    self.init(
      time: time, task: record.purpose, provider: record.provider.rawValue, model: record.model, items: record.items,
      attempt: record.attempt, inputTokens: record.tokens.input, cachedTokens: record.tokens.cacheRead,
      outputTokens: record.tokens.output, dollars: record.dollars, duration: Int(record.duration / .milliseconds(1)),
      requestID: record.requestID, status: record.status, failure: record.failure,
      isEstimate: record.isEstimate)
  }
}
