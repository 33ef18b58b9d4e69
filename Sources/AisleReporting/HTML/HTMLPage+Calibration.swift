import AisleEvaluation

extension HTMLPage {
  /// Whether answers are right as often as their confidence says.
  var calibration: Part? {
    let calibration = evaluation.metrics.calibration
    let bins = calibration.bins.filter { $0.count > 0 }
    if bins.isEmpty { return nil }
    let rows = bins.map { bin in
      let gap = (bin.accuracy.value ?? 0) - (bin.confidence ?? 0)
      return HTMLTable.row(
        "\(Figures.fixed(bin.range.lowerBound, 1))–\(Figures.fixed(bin.range.upperBound, 1))",
        [
          HTMLTable.number(Figures.count(bin.count)), HTMLTable.number(Figures.percent(bin.confidence)),
          "<td class=\"n strong\">\(Figures.percent(bin.accuracy.value))</td>",
          HTMLTable.number(Figures.percent(bin.accuracy.interval)), HTMLTable.number(Figures.signedPoints(gap)),
        ])
    }
    let table = HTMLTable(
      "calibration-table",
      caption: "Decided items by confidence, with an expected calibration error of \(Figures.score(calibration.expectedError)).",
      [
        .text("confidence"), .number("answers"), .number("mean"), .number("right"), .number("95% interval"), .number("gap"),
      ], rows)
    return Part(
      id: "calibration", title: "Calibration",
      body: """
        <div class="beside">
        <figure>
        \(HTMLChart.calibration(calibration))<figcaption>Right answers by confidence. On the line, confidence is accurate; below \
        it, answers are too sure. Bars: number of answers.</figcaption>
        </figure>
        \(table.markup)</div>

        """)
  }
}
