import AisleEvaluation

extension HTMLPage {
  /// The accuracy of the items with each tag.
  var tags: Part? {
    if evaluation.tags.isEmpty { return nil }
    let rows = evaluation.tags.map { tag, accuracy in
      HTMLTable.row(
        "\(tag)",
        [
          HTMLTable.number(Figures.count(accuracy.total)), HTMLTable.number(Figures.count(accuracy.count)),
          "<td class=\"n strong\">\(Figures.percent(accuracy.value))</td>", HTMLTable.number(Figures.percent(accuracy.interval)),
          "<td class=\"chart\">\(HTMLChart.interval(accuracy, mark: evaluation.metrics.accuracy.value))</td>",
        ])
    }
    let table = HTMLTable(
      "tag-table", caption: "Accuracy by tag, most items first; the thin line is the accuracy of all items.",
      [
        .text("tag"), .number("items"), .number("right"), .number("accuracy"), .number("95% interval"),
        .text("<span class=\"vh\">interval</span>"),
      ], rows)
    return Part(id: "tags", title: "Tags", body: table.markup)
  }

  /// What each strategy did, and how they compare.
  var strategies: Part? {
    let rows = evaluation.strategies.map { score in
      let usage = score.usage
      return HTMLTable.row(
        "<code>\(score.name)</code>",
        [
          HTMLTable.number(Figures.count(score.decided)),
          "<td class=\"n bars\">\(Figures.percent(score.precision.value))\(HTMLChart.bar(score.precision.value, hue: nil))</td>",
          HTMLTable.number(Figures.percent(score.precision.interval)), HTMLTable.number(Figures.time(score.seconds)),
          HTMLTable.number(usage.map { Figures.count($0.requests) } ?? Figures.undefined),
          HTMLTable.number(usage.map { Figures.count($0.tokens) } ?? Figures.undefined),
          HTMLTable.number(Figures.dollars(usage?.dollars)),
        ])
    }
    let table = HTMLTable(
      "strategy-table",
      caption: "What each strategy decided, in the order of the chain. Precision is how often it was right.",
      [
        .text("strategy"), .number("decided"), .number("precision"), .number("95% interval"), .number("time"),
        .number("requests"), .number("tokens"), .number("cost"),
      ], rows)
    return Part(id: "strategies", title: "Strategies", body: table.markup + overlaps)
  }

  private var overlaps: Markup {
    if evaluation.overlaps.isEmpty { return "" }
    let rows = evaluation.overlaps.map { overlap in
      HTMLTable.row(
        "<code>\(overlap.first)</code> and <code>\(overlap.second)</code>",
        [
          overlap.onlyFirst, overlap.onlySecond, overlap.both, overlap.conflicts, overlap.firstRight, overlap.secondRight,
        ].map { HTMLTable.number(Figures.count($0)) })
    }
    return "<h3>Overlaps</h3>\n"
      + HTMLTable(
        "overlap-table", caption: "What two strategies decide, each run alone, and which one is right where they differ.",
        [
          .text("strategies"), .number("only first"), .number("only second"), .number("both"), .number("differ"),
          .number("first right"), .number("second right"),
        ], rows
      ).markup
  }

  /// What the chain is worth without each strategy, and in other orders.
  var ablation: Part? {
    guard let ablation = report.ablation else { return nil }
    if ablation.without.isEmpty {
      return Part(id: "ablation", title: "Ablation", body: "<p>The chain has only one strategy.</p>\n")
    }
    let rows = (ablation.without + ablation.orders).map { variant in
      let difference = variant.difference
      return HTMLTable.row(
        "<code>\(variant.name)</code>",
        [
          HTMLTable.number(Figures.percent(variant.accuracy.value)),
          "<td class=\"n since\(Self.trend(difference))\">\(Figures.signedPoints(difference.value))</td>",
          HTMLTable.number(Figures.signedPoints(difference.interval)), HTMLTable.number(Figures.count(difference.lost)),
          HTMLTable.number(Figures.count(difference.won)), HTMLTable.number(Figures.count(variant.changed)),
          "<td class=\"n\">\(Self.certainty(difference))</td>",
        ])
    }
    let silent = ablation.orderCount - ablation.orders.count
    let note: Markup =
      silent == 0
      ? "" : "<p class=\"quiet\">\(Figures.count(silent, "other order")) change\(silent == 1 ? "s" : "") no answers.</p>\n"
    let table = HTMLTable(
      "ablation-table", caption: "Changed chains compared with the whole chain.",
      [
        .text("chain"), .number("accuracy"), .number("points"), .number("95% interval"), .number("lost"), .number("won"),
        .number("changed"), .number("p"),
      ], rows)
    return Part(id: "ablation", title: "Ablation", body: table.markup + note)
  }

  /// What asking several times found.
  var repeats: Part? {
    guard let repeats = report.repeats else { return nil }
    let rows = zip(repeats.seconds, repeats.accuracies).enumerated().map { place, run in
      HTMLTable.row(
        "\(place + 1)",
        [
          HTMLTable.number(Figures.percent(run.1.value)), HTMLTable.number(Figures.percent(run.1.interval)),
          HTMLTable.number(Figures.time(run.0)),
        ])
    }
    let table = HTMLTable(
      "repeat-table", caption: "The same chain, run several times in different orders.",
      [.text("run"), .number("accuracy"), .number("95% interval"), .number("time")], rows)
    return Part(
      id: "repeats", title: "Repeats",
      body: "<p>\(Figures.items(repeats.unstable)) did not get the same answer every time.</p>\n" + table.markup)
  }
}
