import AisleCore

/// A strategy that answers what it answered in an evaluation, and abstains elsewhere: to ask it again would cost something.
struct ReplayedStrategy: Strategy {
  let metadata: StrategyMetadata
  private let answers: [String: (section: String, confidence: Float)]

  /// - Parameter place: The strategy's place in the evaluation's chain.
  init(_ evaluation: Evaluation, at place: Int) {
    metadata = evaluation.metadata[place]
    let decided = evaluation.items.lazy.filter { $0.decision?.strategy.map { Int($0.rawValue) } == place }
    answers = Dictionary(
      decided.map { (evaluation.text($0), (evaluation.name($0.answer), $0.confidence)) }, uniquingKeysWith: { first, _ in first })
  }

  func decide(_ batch: inout Batch) {
    for index in Array(batch.undecided) {
      guard let answer = answers[batch.item(index)] else { continue }
      batch.decide(index, Decision(section: batch.sectionID(named: answer.section), confidence: answer.confidence))
    }
  }
}
