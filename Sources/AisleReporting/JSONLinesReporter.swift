/// One JSON object per item and line, in the order of the corpus, for `jq`, `pandas`, and similar tools.
///
/// Every object has all of these fields, in this order:
/// - `item`: the item as written in the corpus; invalid UTF-8 becomes U+FFFD.
/// - `expected`: the names of the correct sections, best first; at least one.
/// - `section`: the name of the section in the answer; the fallback section if no strategy decided.
/// - `right`: whether the section is one of the expected ones.
/// - `confidence`: the confidence of the answer, in 0…1, rounded to six decimals; 0 if no strategy decided.
/// - `strategy`: the id of the strategy that decided; `none` if none did.
/// - `keyword`: the keyword that won, with its strength sign, or other evidence for the answer; `null` for none.
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

  /// The report about a change as JSON lines: an object per item whose answer changed. `change` is `lost`, `won`, or `moved`; the
  /// other fields are those of the lists with these names in the `json` format.
  public func write(_ report: ChangeReport) -> [UInt8] {
    let output = ReportBuffer()
    let comparison = report.comparison
    for (change, flips) in [("lost", comparison.lost), ("won", comparison.won), ("moved", comparison.moved)] {
      for flip in flips {
        var json = JSONWriter(output)
        json.object { json in
          json.member("change", change)
          JSONReporter.write(flip, &json)
        }
        output.append("\n")
      }
    }
    return output.bytes
  }
}
