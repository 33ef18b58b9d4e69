package import LLMStrategy
import Synchronization

/// Keeps what language models answered in the file of the corrections, or for this run where there is to be none, and hands what is
/// known of each request to whoever shows it.
package final class ModelRecord: AnswerCache, RequestLog {
  private struct State {
    package let memory = MemoryAnswerCache()
    package var file: ModelMemory?
    package var listener: @Sendable (RequestRecord) -> Void = { _ in }
  }

  private let state = Mutex(State())

  /// Keeps answers for this run, until a file is named.
  package init() {}

  /// Says which file is used; `nil` for none.
  package func use(_ path: String?) {
    state.withLock { state in
      if state.file?.path != path { state.file = path.map { ModelMemory(path: $0) } }
    }
  }

  /// Says who shows what is known of a request.
  package func onRequest(_ action: @escaping @Sendable (RequestRecord) -> Void) { state.withLock { $0.listener = action } }

  private var cache: any AnswerCache {
    state.withLock { state -> any AnswerCache in
      if let file = state.file { return file }
      return state.memory
    }
  }

  package func answers(to items: [String], in context: AnswerContext) throws -> [String: ModelAnswer] {
    try cache.answers(to: items, in: context)
  }

  package func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) throws { try cache.keep(answers, in: context) }

  package func add(_ record: RequestRecord) {
    let (file, listener) = state.withLock { ($0.file, $0.listener) }
    file?.add(record)
    listener(record)
  }

  /// Keeps what a batch brought, and puts it on the record once; nothing where `id` is empty, since nothing was asked.
  package func keep(_ outcome: BatchRunner.Outcome, of settings: ModelSettings, id: String) throws {
    if id.isEmpty { return }
    try keep(outcome.lasting, in: outcome.context)
    try state.withLock { $0.file }?.add(batch: outcome.report, provider: settings.provider, model: settings.model, id: id)
  }

  /// Writes what is known of requests and answers and waits to be written.
  ///
  /// - Throws: `CorrectionStoreError`.
  package func flush() throws { try state.withLock { $0.file }?.flush() }
}
