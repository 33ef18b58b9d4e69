import Synchronization

/// Gathers questions from all calls into requests, sends several at a time, and never asks the same question twice in a run.
///
/// A request begins as soon as there is a question and room for it; what comes while all are under way fills the next ones up.
final class Dispatcher: Sendable {
  /// A call that waits for answers. Used under the dispatcher's lock alone.
  private final class Call: @unchecked Sendable {
    var left = 0
    var answers: [String: ModelAnswer] = [:]
    var isCancelled = false
    var continuation: CheckedContinuation<[String: ModelAnswer], any Error>?
  }

  private struct Entry {
    let question: Question
    var calls: [Call]
    /// The request that it is part of; `nil` while it waits.
    var request: Int?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// Keys that wait, from `head` on.
    var waiting: [String] = []
    var head = 0
    var running: [Int: (keys: [String], task: Task<Void, Never>?)] = [:]
    var nextRequest = 0
    /// Whether no call is answered any more.
    var isStopped = false
    /// The answers of this run that asking again would not change.
    var known: [String: ModelAnswer] = [:]
  }

  /// The most answers that are remembered in a run, so that an endless stream does not fill the memory.
  private static let mostKnown = 200_000

  private let batchSize: Int
  private let room: @Sendable () -> Int
  private let send: @Sendable ([Question]) async -> [ModelAnswer]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - room: How many requests may be under way at once, as things stand.
  ///   - send: Makes one request; gives an answer a question, in order.
  init(
    batchSize: Int, room: @escaping @Sendable () -> Int,
    send: @escaping @Sendable ([Question]) async -> [ModelAnswer]
  ) {
    self.batchSize = batchSize
    self.room = room
    self.send = send
  }

  /// The answers, by key.
  ///
  /// - Throws: `CancellationError`.
  func ask(_ questions: [Question]) async throws -> [String: ModelAnswer] {
    let call = Call()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register(call, questions, $0) }
    } onCancel: {
      cancel([call])
    }
  }

  /// Lets every call throw `CancellationError`, those that are still to come too.
  func cancelAll() {
    let calls = state.withLock { state in
      state.isStopped = true
      return state.entries.values.flatMap(\.calls).filter { $0.continuation != nil }
    }
    cancel(calls)
  }

  private func register(
    _ call: Call, _ questions: [Question], _ continuation: CheckedContinuation<[String: ModelAnswer], any Error>
  ) {
    let finished: Result<[String: ModelAnswer], any Error>? = state.withLock { state in
      if call.isCancelled || state.isStopped { return .failure(CancellationError()) }
      for question in questions {
        if let known = state.known[question.key] {
          call.answers[question.key] = known
        } else if state.entries[question.key] != nil {
          state.entries[question.key]?.calls.append(call)
          call.left += 1
        } else {
          state.entries[question.key] = Entry(question: question, calls: [call])
          state.waiting.append(question.key)
          call.left += 1
        }
      }
      if call.left == 0 { return .success(call.answers) }
      call.continuation = continuation
      return nil
    }
    if let finished { continuation.resume(with: finished) }
    launch()
  }

  /// Begins as many requests as there is room for.
  private func launch() {
    let room = room()
    func begin(_ state: inout State) -> Bool {
      guard let (number, questions) = Self.next(&state, batchSize, room) else { return false }
      // Under the lock, so that no cancellation finds a request without its task.
      state.running[number]?.task = Task.detached { [self] in finish(number, questions, await send(questions)) }
      return true
    }
    while state.withLock({ begin(&$0) }) {}
  }

  private static func next(_ state: inout State, _ batchSize: Int, _ room: Int) -> (Int, [Question])? {
    guard state.running.count < room else { return nil }
    let number = state.nextRequest
    var keys: [String] = []
    var questions: [Question] = []
    var neighbors: Neighbors?
    while state.head < state.waiting.count, keys.count < batchSize {
      let key = state.waiting[state.head]
      if let entry = state.entries[key], entry.request == nil, let others = entry.question.neighbors {
        // Items of two lists do not go together where the list matters.
        if let neighbors, neighbors != others { break }
        neighbors = others
      }
      state.head += 1
      guard let entry = state.entries[key], entry.request == nil else { continue }
      state.entries[key]?.request = number
      keys.append(key)
      questions.append(entry.question)
    }
    if state.head == state.waiting.count { (state.waiting, state.head) = ([], 0) }
    guard !keys.isEmpty else { return nil }
    state.nextRequest += 1
    state.running[number] = (keys, nil)
    return (number, questions)
  }

  private func finish(_ number: Int, _ questions: [Question], _ answers: [ModelAnswer]) {
    let ended = state.withLock { state in
      state.running[number] = nil
      if state.known.count > Self.mostKnown { state.known.removeAll() }
      var ended: [(CheckedContinuation<[String: ModelAnswer], any Error>, [String: ModelAnswer])] = []
      for (question, answer) in zip(questions, answers) {
        if answer.isSettled { state.known[question.key] = answer }
        // A question may have been dropped and asked again since.
        guard let entry = state.entries[question.key], entry.request == number else { continue }
        state.entries[question.key] = nil
        for call in entry.calls {
          call.answers[question.key] = answer
          call.left -= 1
          if call.left == 0, let continuation = call.continuation {
            call.continuation = nil
            ended.append((continuation, call.answers))
          }
        }
      }
      return ended
    }
    for (continuation, answers) in ended { continuation.resume(returning: answers) }
    launch()
  }

  private func cancel(_ calls: [Call]) {
    let (continuations, tasks) = state.withLock { state in
      var continuations: [CheckedContinuation<[String: ModelAnswer], any Error>] = []
      for call in calls {
        call.isCancelled = true
        if let continuation = call.continuation { continuations.append(continuation) }
        call.continuation = nil
      }
      for (key, entry) in state.entries where entry.calls.contains(where: \.isCancelled) {
        let others = entry.calls.filter { !$0.isCancelled }
        if others.isEmpty { state.entries[key] = nil } else { state.entries[key]?.calls = others }
      }
      // A request that nobody waits for any more is given up.
      let idle = state.running.filter { number, request in
        !request.keys.contains { state.entries[$0]?.request == number }
      }
      return (continuations, idle.values.compactMap(\.task))
    }
    for task in tasks { task.cancel() }
    if continuations.isEmpty { return }
    // Whoever waits may end the run: what the requests may have taken goes on the record before.
    Task.detached {
      for task in tasks { await task.value }
      for continuation in continuations { continuation.resume(throwing: CancellationError()) }
    }
  }
}
