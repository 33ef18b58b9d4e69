/// A JSON object an item, in the order of the corpus, each on a line of its own; for `jq`, `pandas` and the like.
///
/// The fields, always all of them and in this order:
/// - `item`: the item as it stands in the corpus; bytes that are no UTF-8 become U+FFFD.
/// - `expected`: the names of the sections that are right, best first; at least one.
/// - `section`: the name of the section that was answered; the fallback's where no strategy decided.
/// - `right`: whether it is one of the expected ones.
/// - `confidence`: how sure the answer is, in 0…1, rounded to six decimals; 0 where no strategy decided.
/// - `strategy`: the id of the strategy that decided; `none` where none did.
/// - `keyword`: the keyword that won, with its strength sign, or what else the answer rests on; `null` for nothing.
/// - `rule`: the rule by which it won; `null` for none.
/// - `source`: the file and line of the keyword, `path:line`; `null` for none.
/// - `location`: the file and line of the item, `path:line`.
/// - `tags`: the item's tags, as the corpus lists them.
/// - `split`: `tune` or `holdout`.
///
/// Complexity: O(bytes written). A million items are about 250 MB.
public struct JSONLinesReporter: Reporter {
  /// Makes a reporter.
  public init() {}

  /// The report as JSON lines.
  public func write(_ report: Report) -> [UInt8] {
    if report.evaluation.items.isEmpty { return [] }
    let output = ReportBuffer()
    var objects = ItemObjects(report.evaluation)
    objects.append(to: output, separator: "\n")
    output.append("\n")
    return output.bytes
  }
}
