import Synchronization

/// A question under way: whoever asks waits for one outcome, the first that is given.
final class Job: Sendable {
  /// How a question ended.
  enum Outcome: Sendable {
    /// An answer an item.
    case answers([Answer])
    case failed(ProcessFailure)
    /// Nobody waits for the answer any more.
    case cancelled
  }

  private enum State {
    case begun
    case awaited(CheckedContinuation<Outcome, Never>)
    case finished(Outcome)
  }

  let items: [[UInt8]]
  private let state = Mutex(State.begun)

  init(_ items: [[UInt8]]) { self.items = items }

  var isFinished: Bool {
    state.withLock { state in
      if case .finished = state { return true }
      return false
    }
  }

  /// Lets somebody wait for the outcome.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state -> Outcome? in
      if case .finished(let outcome) = state { return outcome }
      state = .awaited(continuation)
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  /// Gives the outcome, unless there is one.
  func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      defer { if case .finished = state {} else { state = .finished(outcome) } }
      if case .awaited(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(returning: outcome)
  }
}
