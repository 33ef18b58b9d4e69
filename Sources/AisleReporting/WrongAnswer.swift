import AisleCore
import AisleEvaluation

/// A wrong answer as reports tell it; its texts are not escaped yet.
struct WrongAnswer {
  let item: String
  /// The sections that are right, best first.
  let expected: String
  let section: String
  /// Where the item stands.
  let location: SourceLocation
  /// Where the keyword that misled stands.
  let source: SourceLocation?
  /// The keyword and its rule, or what else the answer rests on; empty where no strategy decided.
  let reason: String
  /// The strategy and its confidence; empty where no strategy decided.
  let decided: String
  /// What was answered when it was right: in the baseline.
  let before: Baseline.Answer?

  init(_ item: ScoredItem, in evaluation: Evaluation, lost: LostItems = LostItems(nil)) {
    let explanation = evaluation.explanation(item)
    self.item = evaluation.text(item)
    expected = evaluation.accepted(item).joined(separator: " or ")
    section = explanation.section
    location = evaluation.corpus.location(evaluation.entry(item))
    source = explanation.source
    reason = explanation.reason
    decided = item.decision == nil ? "" : "\(explanation.strategy), confidence \(explanation.confidenceText)"
    before = lost[location]?.before
  }

  /// What the answer rests on: `~lemon (head), taxonomies/shelves/fruit.txt:3; keyword, confidence 0.80`.
  var evidence: String {
    if decided.isEmpty { return "no strategy decided it" }
    let cause = [reason, source.map(Self.place) ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return cause.isEmpty ? decided : "\(cause); \(decided)"
  }

  /// A file and a line: `path:line`.
  static func place(_ location: SourceLocation) -> String { "\(location.path):\(location.line)" }
}

/// The items that were right in the baseline and are wrong, by where they stand in the corpus.
struct LostItems {
  private let flips: [SourceLocation: Comparison.Flip]

  init(_ comparison: Comparison?) {
    var flips: [SourceLocation: Comparison.Flip] = [:]
    for flip in comparison?.lost ?? [] {
      if let location = flip.after.location { flips[location] = flip }
    }
    self.flips = flips
  }

  subscript(location: SourceLocation) -> Comparison.Flip? { flips.isEmpty ? nil : flips[location] }
}
