import AisleReporting
import AisleTesting
import Synchronization

/// Writes a line a case while the conformance kit runs; on a terminal the case under way stands below.
final class ConformanceReport: Sendable {
  private struct State {
    var shown: Set<ConformanceFailure> = []
    var finished: Set<ConformanceCase> = []
    var scale: ConformanceScale?
    var fault: (any Error)?
  }

  private let state = Mutex(State())
  private let isProgressShown = Descriptor.standardError.isTerminal

  /// Takes an event of the kit.
  func tell(_ event: ConformanceEvent) {
    state.withLock { state in
      if state.fault != nil { return }
      do {
        switch event {
        case .began(let conformanceCase): showProgress(Self.name(conformanceCase, state.scale))
        case .reduced(let scale):
          state.scale = scale
          try write("note      " + Self.text(scale))
        case .finished(let conformanceCase, let failures):
          state.shown.formUnion(failures)
          state.finished.insert(conformanceCase)
          try write(conformanceCase, failures, state.scale)
        }
      } catch { state.fault = error }
    }
  }

  /// Writes what is left to say once the kit is through.
  ///
  /// - Throws: what kept a line from being written.
  func end(_ failures: [ConformanceFailure], ran cases: Set<ConformanceCase>) throws {
    showProgress(nil)
    try state.withLock { state in
      if let fault = state.fault { throw fault }
      // Found by a later case than the one that they belong to.
      for failure in failures where !state.shown.contains(failure) {
        try write("failed    \(failure.conformanceCase.rawValue): \(failure.message)")
      }
    }
    let finished = state.withLock(\.finished)
    for conformanceCase in ConformanceCase.allCases where !finished.contains(conformanceCase) {
      let why = cases.contains(conformanceCase) ? "an earlier call did not return" : "the program's hello has no examples"
      try write("left out  \(conformanceCase.rawValue): \(why)")
    }
  }

  private func write(_ conformanceCase: ConformanceCase, _ failures: [ConformanceFailure], _ scale: ConformanceScale?) throws {
    let name = Self.name(conformanceCase, scale)
    if failures.isEmpty { try write("ok        \(name)") }
    for failure in failures { try write("failed    \(name): \(failure.message)") }
  }

  private func write(_ line: String) throws {
    showProgress(nil)
    try Self.write(line)
  }

  private func showProgress(_ text: String?) {
    if isProgressShown { Descriptor.standardError.tell("\r\u{1B}[K" + (text.map { "…         \($0)" } ?? "")) }
  }

  private static func name(_ conformanceCase: ConformanceCase, _ scale: ConformanceScale?) -> String {
    guard conformanceCase == .manyItems, let scale else { return conformanceCase.rawValue }
    return "\(scale.many) items"
  }

  private static func text(_ scale: ConformanceScale) -> String {
    let (item, full) = (scale.itemTime / .milliseconds(1), Int((scale.fullTime / .seconds(1)).rounded(.up)))
    let time = item < 9.5 ? "\((item * 10).rounded() / 10)" : "\(Int(item.rounded()))"
    return "\(time) ms per item: asked about \(scale.ordinary) and \(scale.many) items; --budget \(full) asks about all"
  }

  /// Writes a line to standard output.
  static func write(_ line: String) throws {
    var text = Style.visible(line) + "\n"
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }
}
