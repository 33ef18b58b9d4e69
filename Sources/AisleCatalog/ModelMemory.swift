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

/// Keeps what language models answered, and what they were asked, in the file of the corrections. The file is made when the first
/// answer is kept.
public final class ModelMemory: AnswerCache, RequestLog {
  private struct State {
    var reading: CorrectionStore?
    var writing: CorrectionStore?
    /// Requests that are written with the next answers.
    var requests: [KeptRequest] = []
  }

  /// The most requests that wait for answers to be written with.
  private static let mostWaiting = 100

  /// The file.
  public let path: String
  private let state = Mutex(State())

  /// Keeps answers in a file; nothing is opened yet.
  public init(path: String) { self.path = path }

  /// The answers that are known, by normalized item.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func answers(to items: [String], in context: AnswerContext) throws -> [String: ModelAnswer] {
    guard let store = try readingStore() else { return [:] }
    let questions = items.map { (item: $0, question: KeptAnswer.Question(key: $0, context.task)) }
    let known = try store.answers(to: questions.map(\.question), from: KeptAnswer.Source(context))
    var answers: [String: ModelAnswer] = [:]
    for (item, question) in questions { answers[item] = known[question].map { ModelAnswer($0) } }
    return answers
  }

  /// Keeps answers, by normalized item; they are on the disk when the call returns.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) throws {
    let (source, time) = (KeptAnswer.Source(context), Self.now)
    try write(
      answers.compactMap { item, answer in
        // Normalizing may lengthen an item beyond what is stored.
        item.utf8.count > CorrectionStore.maximumTextBytes
          ? nil : KeptAnswer(source, KeptAnswer.Question(key: item, context.task), answer, time: time)
      })
  }

  /// Puts a request on the record; it is written with the next answers, or by `flush`.
  public func add(_ record: RequestRecord) {
    let request = KeptRequest(record, time: Self.now)
    let isFull = state.withLock { state in
      state.requests.append(request)
      return state.requests.count >= Self.mostWaiting
    }
    if isFull { try? flush() }
  }

  /// Writes what waits.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func flush() throws {
    if state.withLock({ !$0.requests.isEmpty }) { try write([]) }
  }

  private func write(_ answers: [KeptAnswer]) throws {
    let requests = state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
    if answers.isEmpty && requests.isEmpty { return }
    try writingStore().keep(answers, requests: requests)
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

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
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
  /// Of a check, the key has the section where the item stands, after a tab.
  init(key: String, _ task: ModelTask) {
    let tab = task == .check ? key.lastIndex(of: "\t") : nil
    self.init(
      String(key[..<(tab ?? key.endIndex)]), present: tab.map { String(key[key.index(after: $0)...]) } ?? "")
  }
}

extension KeptAnswer {
  /// `nil` for an answer that does not last.
  init?(_ source: Source, _ question: Question, _ answer: ModelAnswer, time: Int) {
    switch answer {
    case .section(let section): self.init(source: source, question: question, section: section, time: time)
    case .newSection(let section): self.init(source: source, question: question, section: section, isNew: true, time: time)
    case .none(.offList): self.init(source: source, question: question, section: nil, time: time)
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
    self = kept.isNew ? .newSection(section) : .section(section)
  }
}

extension KeptRequest {
  init(_ record: RequestRecord, time: Int) {
    self.init(
      time: time, task: record.purpose, provider: record.provider.rawValue, model: record.model, items: record.items,
      attempt: record.attempt, inputTokens: record.tokens.input, cachedTokens: record.tokens.cacheRead,
      outputTokens: record.tokens.output, dollars: record.dollars, duration: Int(record.duration / .milliseconds(1)),
      requestID: record.requestID, status: record.status, failure: record.failure)
  }
}
