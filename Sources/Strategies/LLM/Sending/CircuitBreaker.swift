import Synchronization

/// Keeps requests from a server that fails: after 5 failures in a row none is sent for 30 s, then one to try.
final class CircuitBreaker: Sendable {
  /// How many failures in a row open it.
  static let tolerance = 5
  /// How long it stays open.
  static let rest = Duration.seconds(30)

  private struct State {
    var failures = 0
    var openUntil: ContinuousClock.Instant?
    var isTrying = false
    /// Until when the server has asked for patience.
    var patience: ContinuousClock.Instant?
    /// When a connection broke last.
    var broke: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) { self.now = now }

  /// Whether a request may be sent now. One that was must be followed by `succeeded`, `failed` or `abandoned`.
  func admits() -> Bool {
    let now = now()
    return state.withLock { state in
      guard let end = state.openUntil else { return true }
      if now < end || state.isTrying { return false }
      state.isTrying = true
      return true
    }
  }

  /// A request was answered.
  func succeeded() {
    state.withLock {
      $0.failures = 0
      $0.openUntil = nil
      $0.isTrying = false
    }
  }

  /// A request failed; `true` when that opens the breaker.
  ///
  /// - Parameters:
  ///   - start: When it was sent.
  ///   - patience: How long the server asked to wait because it gets too many requests: those that were on their way then fail for the
  ///     same reason, and count as one failure.
  ///   - isBroken: Whether the connection broke: over HTTP/2 that ends all requests that were on their way, which count as one failure.
  func failed(start: ContinuousClock.Instant, patience: Duration?, isBroken: Bool = false) -> Bool {
    let now = now()
    return state.withLock { state in
      state.isTrying = false
      if let patience {
        let isSame = state.patience.map { start < $0 } ?? false
        state.patience = max(state.patience ?? now, now + patience)
        if isSame { return false }
      }
      if isBroken {
        if let broke = state.broke, start < broke { return false }
        state.broke = now
      }
      state.failures += 1
      guard state.failures >= Self.tolerance else { return false }
      let wasOpen = state.openUntil.map { now < $0 } ?? false
      state.openUntil = now + Self.rest
      return !wasOpen
    }
  }

  /// A request was cancelled.
  func abandoned() { state.withLock { $0.isTrying = false } }

  /// How long the server has asked to wait still.
  var patience: Duration? {
    let now = now()
    return state.withLock { state in state.patience.flatMap { $0 > now ? $0 - now : nil } }
  }

  /// Whether nothing has failed since the last success.
  var isCalm: Bool { state.withLock { $0.failures == 0 && $0.openUntil == nil } }
}
