import Synchronization

/// Sees to it that a run uses no more than its caps allow. What a request may take at most is set aside before it is sent, and what it
/// took is counted when it has ended.
///
/// Requests that are under way count by their bytes alone, however close the bound is that a `TokenGauge` gives. So a server that counts
/// one way first and another way later finds at most one request that was let in on the strength of that bound.
final class Budget: Sendable {
  /// A cap leaves no room for a request.
  struct Reached: Error {
    /// Which cap, and why, for people.
    let description: String
  }

  private struct Amount {
    var tokens = 0
    var dollars = 0.0

    static func + (left: Amount, right: Amount) -> Amount {
      Amount(tokens: TokenUsage.sum(left.tokens, right.tokens), dollars: left.dollars + right.dollars)
    }
  }

  private struct State {
    var requests = 0
    /// What requests took that have ended.
    var used = Amount()
    /// What is set aside for those that are under way.
    var aside = Amount()
    var underway = 0
    /// Who waits for one of them to end.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0
    /// What is known of how the server counts.
    var gauge = TokenGauge()
  }

  private let caps: ModelSettings.Caps
  private let state = Mutex(State())

  init(_ caps: ModelSettings.Caps) { self.caps = caps }

  /// Whether tokens or money are bounded, so that it matters what a server says of them.
  var isBounded: Bool { caps.tokens != nil || caps.dollars != nil }

  /// Sets aside what a request may take; waits where there may be room for it once others have ended. `settle` or `giveBack` must follow.
  ///
  /// - Returns: The reservation with its bound as things stand.
  /// - Throws: `Reached`; `CancellationError`.
  func reserve(_ reservation: Reservation) async throws -> Reservation {
    while true {
      try Task.checkCancellation()
      let waiter: Int
      switch try take(reservation) {
      case .taken(let bounded): return bounded
      case .mustWait(let number): waiter = number
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { wait(waiter, $0, for: reservation) }
      } onCancel: {
        state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
      }
    }
  }

  /// Counts what a request took in place of what was set aside for it.
  func settle(_ reservation: Reservation, _ charge: Charge) {
    end(reservation) {
      $0.used = $0.used + Amount(tokens: charge.tokens.total, dollars: charge.dollars ?? 0)
      $0.gauge.learn(reservation, charge)
    }
  }

  /// Takes back what was set aside for a request that was not sent.
  func giveBack(_ reservation: Reservation) { end(reservation) { $0.requests -= 1 } }

  private func end(_ reservation: Reservation, _ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      state.underway -= 1
      state.aside.tokens -= reservation.byBytes.tokens
      state.aside.dollars -= reservation.byBytes.dollars
      // No rounding may be left that somebody would wait for in vain.
      if state.underway == 0 { state.aside = Amount() }
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// What became of a request for room.
  private enum Place {
    case taken(Reservation)
    /// There may be room later; the number to wait with.
    case mustWait(Int)
  }

  /// Sets aside what a request may take, where there is room for it.
  private func take(_ reservation: Reservation) throws -> Place {
    try state.withLock { state in
      guard try hasRoom(for: reservation, state) else {
        state.lastWaiter += 1
        return .mustWait(state.lastWaiter)
      }
      state.requests += 1
      state.underway += 1
      state.aside = state.aside + Amount(tokens: reservation.byBytes.tokens, dollars: reservation.byBytes.dollars)
      return .taken(state.gauge.bounding(reservation))
    }
  }

  /// Waits for a request to end, unless that has changed something already.
  private func wait(_ waiter: Int, _ continuation: CheckedContinuation<Void, Never>, for reservation: Reservation) {
    let mustWait = state.withLock { state in
      guard !Task.isCancelled, (try? hasRoom(for: reservation, state)) == false else { return false }
      state.waiting[waiter] = continuation
      return true
    }
    if !mustWait { continuation.resume() }
  }

  /// Whether there is room now; `false` where there may be later.
  ///
  /// - Throws: `Reached` where there will be none.
  private func hasRoom(for reservation: Reservation, _ state: State) throws -> Bool {
    if let cap = caps.requests, state.requests >= cap { throw Reached(description: "--max-requests \(cap) is reached") }
    let reservation = state.gauge.bounding(reservation)
    if let reached = reached(by: reservation, after: state.used) { throw reached }
    return reached(by: reservation, after: state.used + state.aside) == nil
  }

  /// The cap that a request might break after others took an amount.
  private func reached(by reservation: Reservation, after spent: Amount) -> Reached? {
    if let cap = caps.tokens, TokenUsage.sum(spent.tokens, reservation.tokens) > cap {
      return Reached(description: "--max-tokens \(cap) is reached: the next request may take up to \(reservation.tokens)")
    }
    if let cap = caps.dollars, spent.dollars + reservation.dollars > cap {
      let most = ModelPrice.text(dollars: reservation.dollars)
      return Reached(description: "--max-cost \(cap) is reached: the next request may take up to $\(most)")
    }
    return nil
  }
}
