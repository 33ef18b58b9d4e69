import AisleCore
import KeywordStrategy

extension KeywordStrategy {
  /// A decision for each item, all in one batch.
  func decisions(_ items: some Sequence<String>, in taxonomy: Taxonomy) -> [Decision?] {
    decisions(items.map { Array($0.utf8) }, in: taxonomy)
  }

  /// A decision for each item, all in one batch.
  func decisions(_ items: [[UInt8]], in taxonomy: Taxonomy) -> [Decision?] {
    var batch = Batch(taxonomy: taxonomy)
    for item in items { batch.append(item) }
    decide(&batch)
    return Array(batch.decisions)
  }

  /// The decision for one item.
  func decision(_ item: String, in taxonomy: Taxonomy) -> Decision? { decisions([item], in: taxonomy)[0] }

  /// The name of the rule that evidence refers to.
  func ruleName(_ decision: Decision?) -> String? {
    guard let rule = decision?.evidence.rule, metadata.rules.indices.contains(Int(rule)) else { return nil }
    return metadata.rules[Int(rule)].name
  }

  /// What came out for an item, for a failing test's message.
  func explain(_ decision: Decision?, in taxonomy: Taxonomy) -> String {
    guard let decision else { return "abstained" }
    let keyword = decision.evidence.keyword.map { "`\(taxonomy.keywords[$0].text)` at \(taxonomy.keywords[$0].location)" }
    let runnerUp = decision.evidence.runnerUp.map { ", before `\(taxonomy.keywords[$0].text)`" } ?? ""
    return "\(taxonomy[decision.section].name) by rule \(ruleName(decision) ?? "none"), keyword \(keyword ?? "none")\(runnerUp)"
  }
}
