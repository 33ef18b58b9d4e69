import AisleCore

/// How a call of a strategy ended.
enum Outcome: Sendable {
  /// It returned.
  case finished(Batch)
  /// It threw.
  case threw(any Error)
  /// It did not return in time and was cancelled and abandoned.
  case hung
}

/// A call under way in a task of its own, which can be waited for without waiting for ever.
///
/// A task group would wait for a child that hangs, so the call runs detached and reports through a stream.
struct StrategyCall: Sendable {
  private let outcomes: AsyncStream<Outcome>
  private let report: AsyncStream<Outcome>.Continuation
  private let work: Task<Void, Never>

  /// Calls the strategy; with `cancelled` in a task that is cancelled before it begins.
  init(_ strategy: any Strategy, _ batch: Batch, cancelled: Bool = false) {
    let (outcomes, report) = AsyncStream.makeStream(of: Outcome.self, bufferingPolicy: .bufferingOldest(1))
    (self.outcomes, self.report) = (outcomes, report)
    work = Task.detached {
      if cancelled { withUnsafeCurrentTask { $0?.cancel() } }
      var batch = batch
      do {
        try await strategy.decide(&batch)
        report.yield(.finished(batch))
      } catch {
        report.yield(.threw(error))
      }
    }
  }

  /// Cancels the call.
  func cancel() { work.cancel() }

  /// Waits for the call to end, at most `limit`.
  func outcome(within limit: Duration) async -> Outcome {
    let report = report
    let timer = Task.detached {
      try? await Task.sleep(for: limit)
      if !Task.isCancelled { report.yield(.hung) }
    }
    defer {
      timer.cancel()
      work.cancel()
    }
    for await outcome in outcomes { return outcome }
    return .hung
  }
}
