/// A decision spelled out for people and for other programs.
package struct Explanation: Sendable {
  package let section: String
  package let confidence: Float
  package let strategy: String
  package let keyword: String
  package let span: String
  package let rule: String
  package let source: SourceLocation?
  package let runnerUp: String
  /// What another strategy said, where several were weighed: `model 0.93 (Snacks)`.
  package let secondOpinion: String
  /// Whether that is another section.
  package let isOpposed: Bool

  /// The names of the columns, in order.
  package static let columns = [
    "section", "confidence", "strategy", "keyword", "span", "rule", "source", "runner_up", "second_opinion",
  ]

  /// The columns' values, in order; empty where there is nothing to say.
  package var values: [String] { [section, confidenceText, strategy, keyword, span, rule, sourceText, runnerUp, secondOpinion] }

  /// The confidence with two decimals.
  package var confidenceText: String { Self.hundredths(confidence) }

  /// A confidence in 0…1 with two decimals.
  package static func hundredths(_ confidence: Float) -> String {
    // Not `rounded()`, which needs the C library's mathematics: this module needs no library.
    // And not trapping, whatever a strategy set.
    let hundredths = confidence > 0 ? Int(min(confidence, 1) * 100 + 0.5) : 0
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }

  /// The file and line of the keyword that won.
  package var sourceText: String { source.map { "\($0.path):\($0.line)" } ?? "" }

  /// Why, in a few words that stay the same when lines of files move: `oat milk (head)`.
  package var reason: String { Self.reason(keyword: keyword, rule: rule) }

  /// A keyword and its rule in one text: `kale (head)`.
  package static func reason(keyword: String, rule: String) -> String {
    keyword.isEmpty ? rule : rule.isEmpty ? keyword : "\(keyword) (\(rule))"
  }

  /// The columns' values of an item: all of them when the strategies are given, else the section alone.
  package static func values(_ index: Int, in batch: Batch, metadata: [StrategyMetadata]?) -> [String] {
    metadata.map { Explanation(index, in: batch, metadata: $0).values } ?? [batch.sectionName(at: index)]
  }

  /// The columns' values of what no strategy saw: all of them when it is to be explained, else the fallback section alone.
  package static func values(undecided fallback: String, isExplained: Bool) -> [String] {
    isExplained ? [fallback, hundredths(0), "none"] + Array(repeating: "", count: columns.count - 3) : [fallback]
  }

  /// Spells out the decision about an item of a batch.
  package init(_ index: Int, in batch: Batch, metadata: [StrategyMetadata]) {
    let decision = batch.decisions[index]
    self.init(
      decision, section: batch.sectionName(at: index), note: decision.flatMap { batch.note(of: $0) },
      taxonomy: batch.taxonomy, metadata: metadata)
  }

  /// Spells out a decision.
  ///
  /// - Parameters:
  ///   - section: The name of its section, the fallback's where there is no decision.
  ///   - note: The text that its evidence refers to.
  ///   - metadata: The chain's strategies, in order.
  package init(_ decision: Decision?, section: String, note: String?, taxonomy: Taxonomy, metadata: [StrategyMetadata]) {
    self.section = section
    guard let decision else {
      (confidence, strategy, keyword, span, rule, source, runnerUp) = (0, "none", "", "", "", nil, "")
      (secondOpinion, isOpposed) = ("", false)
      return
    }
    confidence = decision.confidence
    let evidence = decision.evidence
    let by = decision.strategy.map { metadata[Int($0.rawValue)] }
    strategy = by?.id ?? "none"
    let won = evidence.keyword.flatMap { taxonomy.keywords.keyword($0) }
    let pattern = evidence.pattern.flatMap { taxonomy.pattern($0) }
    keyword = won.map { $0.strength.sign + $0.text } ?? pattern?.name ?? note ?? ""
    span = evidence.span.map { "\($0.lowerBound)-\($0.upperBound)" } ?? ""
    let ruleName = evidence.rule.flatMap { by?.rule(at: $0)?.name } ?? ""
    let move = evidence.move.flatMap { taxonomy.move($0) }
    rule = move.map { "\(ruleName) \($0.word) -> \(taxonomy[$0.to].name)" } ?? ruleName
    source = won?.location ?? pattern?.location
    let second = evidence.runnerUp.flatMap { taxonomy.keywords.keyword($0) }
    runnerUp = second.map { "\($0.text) (\(taxonomy[$0.section].name))" } ?? ""
    let opinion = evidence.secondOpinion
    isOpposed = opinion.map { $0.section != decision.section } ?? false
    secondOpinion =
      opinion.map {
        "\(metadata[Int($0.strategy.rawValue)].id) \(Self.hundredths($0.confidence)) (\(taxonomy[$0.section].name))"
      } ?? ""
  }
}
