import Synchronization

/// Sees to it that a run uses no more than its caps allow. What a request may take at most is set aside before it is sent.
final class Budget: Sendable {
  /// What one request may take at most.
  struct Estimate: Sendable {
    let tokens: Int
    let dollars: Double
  }

  private struct State {
    var requests = 0
    var tokens = 0
    var dollars = 0.0
  }

  private let caps: ModelSettings.Caps
  private let state = Mutex(State())

  init(_ caps: ModelSettings.Caps) { self.caps = caps }

  /// The most that a request takes: a token has at least two bytes of JSON with the items in it, and the answer is bounded.
  static func estimate(bytes: Int, answerTokens: Int, price: ModelPrice?) -> Estimate {
    let sent = bytes / 2
    let dollars = price.map { Double(sent) * max($0.input, $0.cacheWrite) + Double(answerTokens) * $0.output } ?? 0
    return Estimate(tokens: sent + answerTokens, dollars: dollars / 1_000_000)
  }

  /// Sets aside what a request may take; otherwise the name of the cap that it would break.
  func reserve(_ estimate: Estimate) -> String? {
    state.withLock { state in
      if let cap = caps.requests, state.requests >= cap { return "--max-requests \(cap)" }
      if let cap = caps.tokens, state.tokens + estimate.tokens > cap { return "--max-tokens \(cap)" }
      if let cap = caps.dollars, state.dollars + estimate.dollars > cap { return "--max-cost \(cap)" }
      state.requests += 1
      state.tokens += estimate.tokens
      state.dollars += estimate.dollars
      return nil
    }
  }

  /// Replaces what was set aside by what was used.
  func settle(_ estimate: Estimate, tokens: Int, dollars: Double) {
    state.withLock {
      $0.tokens += tokens - estimate.tokens
      $0.dollars += dollars - estimate.dollars
    }
  }
}
