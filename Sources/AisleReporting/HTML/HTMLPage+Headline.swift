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
      <p class="quiet">95 % interval \(Figures.percent(metrics.accuracy.interval))</p>
      \(change)</div>
      \(figures)</div>
      \(gate)\(leftOut)</section>

      """
  }

  private var figures: Markup {
    let metrics = evaluation.metrics
    func row(_ name: Markup, _ share: Proportion, _ note: Markup) -> Markup {
      HTMLTable.row(
        name,
        [
          "<td class=\"n strong\">\(Figures.percent(share.value))</td>", HTMLTable.number(Figures.percent(share.interval)),
          "<td class=\"chart\">\(HTMLChart.interval(share, mark: nil))</td>", HTMLTable.text(note),
        ])
    }
    func row(_ name: Markup, _ score: String, _ note: Markup) -> Markup {
      HTMLTable.row(name, ["<td class=\"n strong\">\(score)</td>", "<td></td>", "<td></td>", HTMLTable.text(note)])
    }
    var rows = evaluation.splits.map { part in
      row("\(part.split.name)", part.metrics.accuracy, "right, of \(Self.items(part.metrics.accuracy.total))")
    }
    if let gap = evaluation.splitDifference {
      rows.append(row("holdout − tune", Figures.signedPoints(gap), "points"))
    }
    rows += [
      row("unplaced", metrics.unplaced, "no strategy decides"),
      row("sure", metrics.sure, "of answers have a confidence of \(Figures.fixed(Double(Metrics.sureConfidence), 2)) or more"),
      row("sure and right", metrics.sureAccuracy, "of the sure answers"),
      row("macro-F1", Figures.score(metrics.macroF1), "mean of the sections"),
      row("ECE", Figures.score(metrics.calibration.expectedError), "expected calibration error"),
    ]
    return HTMLTable(
      "figures", caption: "<span class=\"vh\">Headline figures</span>",
      [
        .text("figure"), .number("value"), .number("95 % interval"), .text("<span class=\"vh\">interval</span>"),
        .text("of what"),
      ],
      rows
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

  private var gate: Markup {
    if report.verdicts.isEmpty { return "" }
    let lines = report.verdicts.map { verdict in
      """
      <li class="\(verdict.isPassed ? "pass" : "fail")"><b>\(verdict.isPassed ? "✓ passed" : "✗ failed")</b> \
      <code>\(verdict.name)</code> \(verdict.detail)</li>

      """ as Markup
    }
    return """
      <div class="gate \(report.isPassed ? "pass" : "fail")">
      <h3>The gate \(report.isPassed ? "passes" : "fails")</h3>
      <ul>
      \(lines)</ul>
      </div>

      """
  }

  private var leftOut: Markup {
    let count = evaluation.inapplicable
    if count == 0 { return "" }
    return "<p class=\"quiet\">\(Self.items(count)) left out: this store has no section for their labels.</p>\n"
  }
}
