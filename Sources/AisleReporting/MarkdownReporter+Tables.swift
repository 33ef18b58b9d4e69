import AisleEvaluation

extension MarkdownReporter {
  static func sections(_ metrics: Metrics, on page: inout MarkdownPage) {
    let used = metrics.sections.filter { $0.support + $0.predicted > 0 }
    page.table(
      "Sections",
      [
        .text("section"), .figure("items"), .figure("answered"), .figure("right"), .figure("precision"), .figure("recall"),
        .figure("F1"),
      ], count: used.count, share: 96 << 10
    ) {
      let score = used[$0]
      return [
        score.name, Figures.count(score.support), Figures.count(score.predicted), Figures.count(score.right),
        Figures.percent(score.precision), Figures.percent(score.recall), Figures.score(score.f1),
      ]
    }
    let pairs = metrics.confusion.confusedPairs
    page.table(
      "Confused sections", [.text("belongs to"), .text("answered"), .figure("items")], count: pairs.count, most: 30,
      share: 48 << 10
    ) { [pairs[$0].truth, pairs[$0].answer, Figures.count(pairs[$0].count)] }
  }

  static func tags(_ evaluation: Evaluation, on page: inout MarkdownPage) {
    page.table(
      "Tags", [.text("tag"), .figure("right"), .figure("items"), .figure("accuracy"), .figure("95% interval")],
      count: evaluation.tags.count, most: 100, share: 32 << 10
    ) {
      let (tag, accuracy) = evaluation.tags[$0]
      return [
        tag, Figures.count(accuracy.count), Figures.count(accuracy.total), Figures.percent(accuracy.value),
        Figures.percent(accuracy.interval),
      ]
    }
  }

  static func strategies(_ evaluation: Evaluation, on page: inout MarkdownPage) {
    page.table(
      "Strategies",
      [
        .text("strategy"), .figure("decided"), .figure("precision"), .figure("time"), .figure("requests"), .figure("tokens"),
        .figure("cost"),
      ], count: evaluation.strategies.count, share: 32 << 10
    ) {
      let score = evaluation.strategies[$0]
      return [
        score.name, Figures.count(score.decided), Figures.percent(score.precision.value), Figures.time(score.seconds),
        score.usage.map { Figures.count($0.requests) } ?? "", score.usage.map { Figures.count($0.tokens) } ?? "",
        score.usage.map { Figures.dollars($0.dollars) } ?? "",
      ]
    }
    page.table(
      "Strategies side by side",
      [
        .text("first"), .text("second"), .figure("only first"), .figure("only second"), .figure("both"), .figure("conflicts"),
        .figure("first right"), .figure("second right"),
      ], count: evaluation.overlaps.count, share: 32 << 10
    ) {
      let overlap = evaluation.overlaps[$0]
      return [overlap.first, overlap.second]
        + [
          overlap.onlyFirst, overlap.onlySecond, overlap.both, overlap.conflicts, overlap.firstRight, overlap.secondRight,
        ].map(Figures.count)
    }
  }

  static func ablation(_ ablation: Ablation, on page: inout MarkdownPage) {
    let variants = ablation.without + ablation.orders
    page.table(
      "Other chains",
      [
        .text("chain"), .figure("accuracy"), .figure("points"), .figure("95% interval"), .figure("p"), .figure("changed"),
      ], count: variants.count, share: 48 << 10
    ) {
      let variant = variants[$0]
      return [
        variant.name, Figures.percent(variant.accuracy.value), Figures.signedPoints(variant.difference.value),
        Figures.signedPoints(variant.difference.interval), Figures.pValue(variant.difference.pValue),
        Figures.count(variant.changed),
      ]
    }
    let same = ablation.orderCount - ablation.orders.count
    if same > 0 { page.add("\(Figures.count(same)) other order\(same == 1 ? " changes" : "s change") no answers.") }
  }

  static func repeats(_ repeats: Repeats, on page: inout MarkdownPage) {
    page.table(
      "Runs", [.text("run"), .figure("accuracy"), .figure("time")], count: repeats.seconds.count, most: 50, share: 16 << 10
    ) { ["\($0 + 1)", Figures.percent(repeats.accuracies[$0].value), Figures.time(repeats.seconds[$0])] }
    page.add(
      "\(Figures.items(repeats.unstable)) did not get the same answer in every run.")
  }

  static func errors(_ evaluation: Evaluation, on page: inout MarkdownPage) {
    let errors = evaluation.errors
    page.table(
      "Worst errors", [.text("item"), .text("expected"), .text("answered"), .text("because"), .text("where")],
      count: errors.count, most: 100, share: 96 << 10
    ) {
      let answer = WrongAnswer(errors[$0], in: evaluation)
      return [answer.item, answer.expected, answer.section, answer.evidence, WrongAnswer.place(answer.location)]
    }
  }
}
