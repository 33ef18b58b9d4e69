import AisleEvaluation

extension HTMLPage {
  /// The figures that sum the evaluation up, and what the gate says of them.
  var headline: Markup {
    let metrics = evaluation.metrics
    return """
      <section id="headline" aria-labelledby="headline-title">
      <h2 id="headline-title" class="vh">Headline figures</h2>
      <div class="headline">
      <div class="hero">
      <p class="big">\(Figures.percent(metrics.accuracy.value))</p>
      <p>right: \(Figures.count(metrics.accuracy.count)) of \(Figures.count(metrics.accuracy.total))</p>
      \(HTMLChart.interval(metrics.accuracy, mark: nil))
      <p class="quiet">95% interval \(Figures.percent(metrics.accuracy.interval))</p>
      \(change)</div>
      \(figures)</div>
      \(HTMLGate(verdicts: report.verdicts).markup)\(leftOut)</section>

      """
  }

  private var figures: Markup {
    let metrics = evaluation.metrics
    func row(_ name: Markup, _ note: Markup, _ value: String, _ rest: [Markup]) -> Markup {
      HTMLTable.row("\(name) <span class=\"quiet\">\(note)</span>", ["<td class=\"n strong\">\(value)</td>"] + rest)
    }
    func row(_ name: Markup, _ note: Markup, _ share: Proportion) -> Markup {
      let chart = HTMLChart.interval(share, mark: nil)
      return row(
        name, note, Figures.percent(share.value),
        [HTMLTable.number(Figures.percent(share.interval)), "<td class=\"chart\">\(chart)</td>"])
    }
    func row(_ name: Markup, _ note: Markup, _ score: String) -> Markup { row(name, note, score, ["<td></td>", "<td></td>"]) }
    var rows = evaluation.splits.map { part in
      row("\(part.split.name)", "right, of \(Figures.items(part.metrics.accuracy.total))", part.metrics.accuracy)
    }
    if let gap = evaluation.splitDifference { rows.append(row("holdout − tune", "points", Figures.signedPoints(gap))) }
    rows += [
      row("unplaced", "no strategy decides", metrics.unplaced),
      row("sure", "confidence \(Figures.fixed(Double(Metrics.sureConfidence), 2)) or more", metrics.sure),
      row("sure and right", "of the sure", metrics.sureAccuracy),
      row("macro-F1", "mean of the sections", Figures.score(metrics.macroF1)),
      row("ECE", "expected calibration error", Figures.score(metrics.calibration.expectedError)),
    ]
    return HTMLTable(
      "figures", kind: "figures", caption: "Shares of items with their uncertainty.",
      [.text("figure"), .number("value"), .number("95% interval"), .text("<span class=\"vh\">interval</span>")], rows
    ).markup
  }

  /// What changed since the baseline, in a line.
  private var change: Markup {
    guard let difference = report.comparison?.difference else { return "" }
    return """
      <p class="since\(Self.trend(difference))"><strong>\(Figures.signedPoints(difference.value))</strong> points since the \
      <a href="#changes">baseline</a> \(Self.certainty(difference))</p>

      """
  }

  private var leftOut: Markup {
    let count = evaluation.inapplicable
    if count == 0 { return "" }
    return "<p class=\"quiet\">\(Figures.items(count)) left out: this store has no section for their labels.</p>\n"
  }
}
