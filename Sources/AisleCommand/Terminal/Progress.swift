import AisleCore
import AisleEvaluation
import LLMStrategy
import Synchronization

/// A line on stderr that tells how far long work is; on terminals only.
final class Progress: Sendable {
  private struct State {
    var last: ContinuousClock.Instant
    var items = 0
    var requests = 0
    var dollars = 0.0
    var isEstimate = false
    var isVisible = false
    var isOver = false
  }

  private let isShown: Bool
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  /// - Parameters:
  ///   - isOutputLast: Whether nothing else is written before the end, so that the line may share the output's terminal.
  ///   - readsInput: Whether standard input is read meanwhile: where someone types it, the line would be in the way.
  init(isOutputLast: Bool = false, readsInput: Bool = false) {
    let isTyped = readsInput && Descriptor.standardInput.isTerminal
    isShown = Descriptor.standardError.isTerminal && (isOutputLast || !Descriptor.standardOutput.isTerminal) && !isTyped
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
      if request.isEstimate { $0.isEstimate = true }
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
      let line = Self.line(
        items: state.items, rate: rate, requests: state.requests, dollars: state.dollars, isEstimate: state.isEstimate)
      Descriptor.standardError.tell("\r\u{1B}[K\(line)")
    }
  }

  /// The line, without what shows it: items, how many per second, requests and what they cost.
  static func line(items: Int, rate: Int, requests: Int = 0, dollars: Double = 0, isEstimate: Bool = false) -> String {
    var line = "\(counted(items)), \(Figures.count(rate)) per second"
    if requests > 0 { line += ", \(counted(requests, "request"))" }
    if dollars > 0 { line += ", \(isEstimate ? "at most " : "")$\(ModelSummary.dollars(dollars))" }
    return line
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
