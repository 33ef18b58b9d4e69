import AisleCore
import Synchronization

/// A strategy that decides what it was told to, and remembers what it was asked.
final class ScriptedStrategy: Strategy {
  struct Failure: Error, Equatable {}

  let metadata: StrategyMetadata
  private let answers: [String: Decision]
  private let inventions: [String: String]
  private let failure: Failure?
  private let log = Mutex<[String]>([])

  /// The items that it was asked and that were still undecided, in order.
  var asked: [String] { log.withLock { $0 } }

  init(
    _ id: String, _ answers: [String: (section: UInt16, confidence: Float)] = [:], inventing inventions: [String: String] = [:],
    rules: [Rule] = [], failure: Failure? = nil
  ) {
    metadata = StrategyMetadata(id: id, summary: "scripted", rationale: "For tests.", rules: rules, examples: [])
    self.answers = answers.mapValues { Decision(section: SectionID(rawValue: $0.section), confidence: $0.confidence) }
    self.inventions = inventions
    self.failure = failure
  }

  func decide(_ batch: inout Batch) async throws {
    for index in Array(batch.undecided) {
      let item = batch.item(index)
      log.withLock { $0.append(item) }
      if let decision = answers[item] { batch.decide(index, decision) }
      if let section = inventions[item] {
        var decision = Decision(section: batch.sectionID(named: section), confidence: 0.9)
        decision.evidence.note = batch.note("invented for \(item)")
        batch.decide(index, decision)
      }
    }
    if let failure { throw failure }
  }
}
