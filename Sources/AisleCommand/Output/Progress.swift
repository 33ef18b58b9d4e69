import LLMStrategy
import Synchronization

/// A line on stderr that tells how far long work is; on terminals only.
final class Progress: Sendable {
  private struct State {
    var last: ContinuousClock.Instant
    var items = 0
    var requests = 0
    var dollars = 0.0
    var isVisible = false
    var isOver = false
  }

  private let isShown: Bool
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  /// - Parameter isOutputLast: Whether nothing else is written before the end, so that the line may share the output's terminal.
  init(isOutputLast: Bool = false) {
    isShown = Descriptor.standardError.isTerminal && (isOutputLast || !Descriptor.standardOutput.isTerminal)
    state = Mutex(State(last: start))
  }

  /// Counts items, and shows the line at most five times a second, from the second second on.
  func advance(by count: Int) {
    guard isShown else { return }
    update { $0.items += count }
  }

  /// Counts a request to a language model; on any thread.
  func count(_ request: RequestRecord) {
    guard isShown else { return }
    update {
      $0.requests += 1
      $0.dollars += request.dollars ?? 0
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let now = ContinuousClock.now
    state.withLock { state in
      change(&state)
      guard !state.isOver, now - start > .seconds(1), now - state.last > .milliseconds(200) else { return }
      state.last = now
      state.isVisible = true
      let rate = Int(Double(state.items) / Double((now - start) / .seconds(1)))
      var line = "\(state.items) items, \(rate) a second"
      if state.requests > 0 { line += ", \(state.requests) requests" }
      if state.dollars > 0 { line += ", $\(ModelSummary.dollars(state.dollars))" }
      Descriptor.standardError.tell("\r\u{1B}[K\(line)")
    }
  }

  /// Takes the line away for good.
  func clear() {
    state.withLock { state in
      if state.isVisible { Descriptor.standardError.tell("\r\u{1B}[K") }
      state.isVisible = false
      state.isOver = true
    }
  }
}
