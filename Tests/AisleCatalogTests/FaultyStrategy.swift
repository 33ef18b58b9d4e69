import AisleCore
import Synchronization

/// A strategy that knows milk, and breaks one promise where a test wants it to.
struct FaultyStrategy: Strategy {
  struct Fault: Error, CustomStringConvertible {
    var description = "no such luck"
  }

  var metadata = StrategyMetadata(
    id: "milkman", summary: "knows milk", rationale: "Somebody must.", rules: [Rule("milk", "it says milk")],
    examples: [StrategyExample("oat milk", "Dairy & Eggs", topic: "milk"), StrategyExample("kale", nil, topic: "no milk")])

  /// Changes a sound decision on a batch's item.
  var spoil: @Sendable (_ decision: inout Decision, _ index: Int, _ batch: inout Batch) -> Void = { _, _, _ in }
  var before: @Sendable (_ batch: inout Batch) async throws -> Void = { _ in }
  var after: @Sendable (_ batch: inout Batch) async throws -> Void = { _ in }

  func decide(_ batch: inout Batch) async throws {
    try await before(&batch)
    for index in Array(batch.undecided) where contains("milk", in: batch.bytes(index)) {
      var decision = Decision(section: SectionID(rawValue: 1), confidence: 0.5)
      decision.evidence.rule = 0
      spoil(&decision, index, &batch)
      batch.decide(index, decision)
    }
    try await after(&batch)
  }

  private func contains(_ word: String, in bytes: ArraySlice<UInt8>) -> Bool {
    let word = Array(word.utf8)
    guard bytes.count >= word.count, bytes.count < 1_000 else { return false }
    return (bytes.startIndex...bytes.endIndex - word.count).contains { bytes[$0...].starts(with: word) }
  }
}

/// A door that stays shut until a test opens it, whether or not the one who waits was cancelled.
final class Gate: Sendable {
  private let waiting: Mutex<(isOpen: Bool, tasks: [UnsafeContinuation<Void, Never>])> = Mutex((false, []))

  func wait() async {
    await withUnsafeContinuation { continuation in
      let isOpen = waiting.withLock { waiting in
        if !waiting.isOpen { waiting.tasks.append(continuation) }
        return waiting.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let tasks = waiting.withLock { waiting in
      defer { waiting = (true, []) }
      return waiting.tasks
    }
    for task in tasks { task.resume() }
  }
}

/// A number that several calls share.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func add(_ step: Int) -> Int { count.add(step, ordering: .sequentiallyConsistent).newValue }
}
