import AisleCore
import AisleEvaluation

/// A job summary in GitHub-flavored Markdown: the gate, the changes since the baseline, and the mistakes.
///
/// It has at most 1 MiB, which is GitHub's limit. A table that is too long ends early and says how many rows are left out. The
/// `json` and `html` reports have all rows.
public struct MarkdownReporter: Reporter {
  /// The most bytes in a report.
  public static let maximumBytes = 1 << 20

  /// Makes a reporter.
  public init() {}

  /// The report as Markdown.
  public func write(_ report: Report) -> [UInt8] {
    let evaluation = report.evaluation
    var page = MarkdownPage(limit: Self.maximumBytes)
    Self.headline(report, on: &page)
    Self.conditions(report.verdicts, on: &page)
    if let comparison = report.comparison { Self.changes(comparison, on: &page) }
    Self.figures(evaluation, on: &page)
    Self.sections(evaluation.metrics, on: &page)
    Self.tags(evaluation, on: &page)
    Self.strategies(evaluation, on: &page)
    if let ablation = report.ablation { Self.ablation(ablation, on: &page) }
    if let repeats = report.repeats { Self.repeats(repeats, on: &page) }
    Self.errors(evaluation, on: &page)
    page.trimEnd()
    return page.bytes
  }

  /// The report about a change as Markdown.
  public func write(_ report: ChangeReport) -> [UInt8] {
    let comparison = report.comparison
    var page = MarkdownPage(limit: Self.maximumBytes)
    page.add("# \(Self.text(comparison.after.store)): \(Figures.signedPoints(comparison.difference.value)) points")
    Self.verdict(report.verdicts, on: &page)
    Self.conditions(report.verdicts, on: &page)
    Self.changes(comparison, on: &page)
    page.trimEnd()
    return page.bytes
  }

  // MARK: Headline

  private static func headline(_ report: Report, on page: inout MarkdownPage) {
    let evaluation = report.evaluation
    let metrics = evaluation.metrics
    page.add("# \(text(evaluation.taxonomy.title)): \(Figures.percent(metrics.accuracy.value)) right")
    verdict(report.verdicts, on: &page)
    let left = evaluation.inapplicable
    page.add(
      "\(Figures.count(metrics.accuracy.count)) of \(Figures.count(metrics.accuracy.total)) items, "
        + "95% interval \(Figures.percent(metrics.accuracy.interval)) · chain \(text(evaluation.chain.text, limit: 400)) · "
        + Figures.time(evaluation.seconds)
        + (left == 0 ? "" : " · \(Figures.count(left)) left out: no section of this store for their labels"))
  }

  private static func verdict(_ verdicts: [Gate.Verdict], on page: inout MarkdownPage) {
    if verdicts.isEmpty { return }
    let failed = verdicts.count { !$0.isPassed }
    page.add(
      failed == 0
        ? "✅ **The gate passes.**"
        : "❌ **The gate fails**: \(failed) of \(verdicts.count) conditions \(failed == 1 ? "does" : "do") not hold.")
  }

  private static func conditions(_ verdicts: [Gate.Verdict], on page: inout MarkdownPage) {
    page.table("Gate", [.text("condition"), .text("holds"), .text("why")], count: verdicts.count, share: 32 << 10) {
      [verdicts[$0].name, verdicts[$0].isPassed ? "yes" : "no", verdicts[$0].detail]
    }
  }

  private static func figures(_ evaluation: Evaluation, on page: inout MarkdownPage) {
    let metrics = evaluation.metrics
    var rows = [share("accuracy", metrics.accuracy)]
    for (split, metrics) in evaluation.splits { rows.append(share("accuracy, \(split.name)", metrics.accuracy)) }
    if let difference = evaluation.splitDifference {
      rows.append(["holdout minus tune", "\(Figures.signedPoints(difference)) points", "", ""])
    }
    rows += [
      ["macro-F1", Figures.score(metrics.macroF1), "", ""], share("unplaced", metrics.unplaced), share("sure", metrics.sure),
      share("accuracy where sure", metrics.sureAccuracy),
      ["expected calibration error", Figures.score(metrics.calibration.expectedError), "", ""],
    ]
    page.table(
      "Figures", [.text("figure"), .figure("value"), .figure("95% interval"), .figure("items")], count: rows.count,
      share: 16 << 10
    ) { rows[$0] }
  }

  private static func share(_ name: String, _ value: Proportion) -> [String] {
    [
      name, Figures.percent(value.value), Figures.percent(value.interval),
      "\(Figures.count(value.count)) of \(Figures.count(value.total))",
    ]
  }

  // MARK: Changes

  private static func changes(_ comparison: Comparison, on page: inout MarkdownPage) {
    let difference = comparison.difference
    page.add("## Since the baseline")
    var facts = [
      "\(Figures.signedPoints(difference.value)) points (95% interval \(Figures.signedPoints(difference.interval))), "
        + "\(Figures.pValue(difference.pValue))\(difference.isNoise ? ", which may be noise" : "")",
      "\(Figures.count(difference.lost)) lost, \(Figures.count(difference.won)) won, "
        + "\(Figures.count(comparison.moved.count)) moved of \(Figures.count(difference.total)) items",
    ]
    if comparison.onlyBefore > 0 { facts.append("\(Figures.count(comparison.onlyBefore)) items only in the baseline") }
    if comparison.onlyAfter > 0 { facts.append("\(Figures.count(comparison.onlyAfter)) items not in the baseline") }
    if comparison.relabelled > 0 {
      facts.append("\(Figures.count(comparison.relabelled)) items with new labels, scored by the new labels")
    }
    page.add(
      "Compared with aisle \(text(comparison.before.tool)), chain \(text(comparison.before.chain, limit: 400)): "
        + facts.joined(separator: "; ") + ".")
    flips("Lost: right before, wrong now", comparison.lost, most: 1000, share: 320 << 10, on: &page)
    flips("Won: wrong before, right now", comparison.won, most: 200, share: 96 << 10, on: &page)
    flips("Moved: different section, but still right or still wrong", comparison.moved, most: 100, share: 64 << 10, on: &page)
    page.table(
      "Sections that changed",
      [.text("section"), .figure("items"), .figure("lost"), .figure("won"), .figure("points"), .figure("p")],
      count: comparison.sections.count, share: 32 << 10
    ) {
      let section = comparison.sections[$0]
      let change = section.difference
      return [
        section.name, Figures.count(change.total), Figures.count(change.lost), Figures.count(change.won),
        Figures.signedPoints(change.value), Figures.pValue(change.pValue),
      ]
    }
  }

  private static func flips(
    _ title: String, _ flips: [Comparison.Flip], most: Int, share: Int, on page: inout MarkdownPage
  ) {
    page.table(
      title, [.text("item"), .text("expected"), .text("before"), .text("now"), .text("where")], count: flips.count, most: most,
      share: share
    ) {
      let flip = flips[$0]
      return [
        flip.after.item, flip.after.expected.joined(separator: " or "), reasoned(flip.before), reasoned(flip.after),
        [flip.after.location, flip.after.source].compactMap { $0.map(WrongAnswer.place) }.joined(separator: ", "),
      ]
    }
  }

  private static func reasoned(_ answer: Baseline.Answer) -> String {
    answer.reason.isEmpty ? answer.section : "\(answer.section): \(answer.reason)"
  }

  /// A text of others, escaped and of bounded length.
  private static func text(_ text: String, limit: Int = 160) -> String { Escaping.markdown(Escaping.line(text, limit: limit)) }
}
