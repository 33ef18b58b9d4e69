import AisleCore

/// A decision spelled out for people and for other programs.
struct Explanation {
  let section: String
  let confidence: Float
  let strategy: String
  let keyword: String
  let span: String
  let rule: String
  let source: String
  let runnerUp: String

  /// The names of the columns, in order.
  static let columns = ["section", "confidence", "strategy", "keyword", "span", "rule", "source", "runner_up"]

  /// The columns' values, in order; empty where there is nothing to say.
  var values: [String] { [section, confidenceText, strategy, keyword, span, rule, source, runnerUp] }

  /// The confidence with two decimals.
  var confidenceText: String {
    let hundredths = Int((confidence * 100).rounded())
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }

  /// The columns' values of an item: all of them when the strategies are given, else the section alone.
  static func values(_ index: Int, in batch: Batch, metadata: [StrategyMetadata]?) -> [String] {
    metadata.map { Explanation(index, in: batch, metadata: $0).values } ?? [batch.sectionName(at: index)]
  }

  init(_ index: Int, in batch: Batch, metadata: [StrategyMetadata]) {
    let taxonomy = batch.taxonomy
    guard let decision = batch.decisions[index] else {
      section = taxonomy[taxonomy.fallback].name
      (confidence, strategy, keyword, span, rule, source, runnerUp) = (0, "none", "", "", "", "", "")
      return
    }
    section = batch.sectionName(decision.section)
    confidence = decision.confidence
    let evidence = decision.evidence
    let by = decision.strategy.map { metadata[Int($0.rawValue)] }
    strategy = by?.id ?? "none"
    let won = evidence.keyword.map { taxonomy.keywords[$0] }
    keyword = won.map { $0.strength.sign + $0.text } ?? evidence.note.map { batch.notes[Int($0)] } ?? ""
    span = evidence.span.map { "\($0.lowerBound)-\($0.upperBound)" } ?? ""
    let ruleName = evidence.rule.flatMap { by?.rule(at: $0)?.name } ?? ""
    let move = evidence.move.map { taxonomy.moves[Int($0)] }
    rule = move.map { "\(ruleName) \($0.word) -> \(taxonomy[$0.to].name)" } ?? ruleName
    source = won.map { "\($0.location.path):\($0.location.line)" } ?? ""
    let second = evidence.runnerUp.map { taxonomy.keywords[$0] }
    runnerUp = second.map { "\($0.text) (\(taxonomy[$0.section].name))" } ?? ""
  }
}
