import AisleCore
package import AisleEvaluation
import AisleFiles

/// Text for a terminal: first the scores with their uncertainty, then where the mistakes are, then the worst mistakes.
public struct TextReporter: Reporter {
  private let style: Style
  /// How many errors and flips of a kind are shown.
  private let shown: Int

  /// How many of a kind are shown if nothing else is said.
  package static let standardCount = 15

  /// Makes a reporter.
  package init(style: Style, shown: Int = Self.standardCount) {
    self.style = style
    self.shown = shown
  }

  /// Makes a reporter without color.
  public init() { self.init(style: .plain) }

  /// The report as text.
  public func write(_ report: Report) -> [UInt8] { Array(render(report).utf8) }

  /// The report about a change as text.
  public func write(_ report: ChangeReport) -> [UInt8] { Array((render(report.comparison) + render(report.verdicts)).utf8) }

  package func render(_ report: Report) -> String {
    let evaluation = report.evaluation
    var parts = [headline(report), sections(evaluation)]
    parts.append(confusion(evaluation))
    parts.append(pairs(evaluation.metrics.confusion))
    parts.append(tags(evaluation))
    parts.append(strategies(evaluation))
    parts.append(calibration(evaluation.metrics.calibration))
    if let ablation = report.ablation { parts.append(self.ablation(ablation)) }
    if let repeats = report.repeats { parts.append(self.repeats(repeats)) }
    parts.append(errors(evaluation))
    if let comparison = report.comparison { parts.append(render(comparison)) }
    parts.append(render(report.verdicts))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Parts

  private func headline(_ report: Report) -> String {
    let evaluation = report.evaluation
    let metrics = evaluation.metrics
    let count = metrics.accuracy.total
    var text =
      style.bold(Style.visible(evaluation.taxonomy.title))
      + style.dim(
        " · \(Style.visible(evaluation.chain.text)) · \(Figures.items(count)) in \(Figures.time(evaluation.seconds))"
      )
      + "\n\n"
    var table = Table()
    func row(_ name: String, _ value: String, _ interval: String, _ note: String) {
      table.add([.left(name), .right(value, style.bold), .left(interval, style.dim), .left(note, style.dim)])
    }
    func row(_ name: String, _ share: Proportion, _ note: String) {
      row(name, Figures.percent(share.value), Figures.percent(share.interval), note)
    }
    row("accuracy", metrics.accuracy, "\(Figures.count(metrics.accuracy.count)) right")
    for (split, metrics) in evaluation.splits where evaluation.splits.count > 1 {
      row(
        "  \(split.name)", metrics.accuracy, "\(Figures.items(metrics.accuracy.total))\(Self.difference(split, evaluation))"
      )
    }
    row("macro-F1", Figures.score(metrics.macroF1), "", "")
    row("unplaced", metrics.unplaced, "no strategy decides")
    row("sure", metrics.sure, "confidence 0.90 or more: \(Figures.percent(metrics.sureAccuracy.value)) of these right")
    row("ECE", Figures.score(metrics.calibration.expectedError), "", "expected calibration error")
    text += table.render()
    if evaluation.inapplicable > 0 {
      let (left, labels) = (evaluation.inapplicable, evaluation.inapplicableLabels)
      let more = labels.count > Self.namedLabels ? ", …" : ""
      text += style.dim(
        "  \(Figures.items(left)) left out: no section of this store for their labels: "
          + Style.visible(labels.prefix(Self.namedLabels).joined(separator: ", ")) + more)
      text += "\n"
    }
    return text
  }

  /// How many labels are named of those that the store has no section for.
  private static let namedLabels = 4

  /// How the holdout differs from the tuning split.
  private static func difference(_ split: Corpus.Split, _ evaluation: Evaluation) -> String {
    guard split == .holdout, let gap = evaluation.splitDifference else { return "" }
    return ", \(Figures.signedPoints(gap)) points"
  }

  private func sections(_ evaluation: Evaluation) -> String {
    var table = Table()
    table.add([
      .left("section", style.dim), .right("items", style.dim), .right("answered", style.dim), .right("precision", style.dim),
      .right("recall", style.dim), .right("F1", style.dim),
    ])
    for (place, score) in evaluation.metrics.sections.enumerated() where score.support + score.predicted > 0 {
      let color = evaluation.color(place)
      table.add([
        .left(Style.visible(score.name)) { style.colored($0, color) }, .right(Figures.count(score.support)),
        .right(Figures.count(score.predicted)), .right(Figures.percent(score.precision)), .right(Figures.percent(score.recall)),
        .right(Figures.score(score.f1)), .left(Self.bar(score.f1 ?? 0, width: 20)) { style.colored($0, color) },
      ])
    }
    return table.render()
  }

  private func confusion(_ evaluation: Evaluation) -> String {
    let matrix = evaluation.metrics.confusion
    let used = matrix.names.indices.filter {
      matrix[$0, $0] > 0 || evaluation.metrics.sections[$0].support + evaluation.metrics.sections[$0].predicted > 0
    }
    guard used.count > 1 else { return "" }
    var table = Table()
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").map(String.init)
    func letter(_ place: Int) -> String { place < letters.count ? letters[place] : "#\(place + 1)" }
    table.add([.left("belongs to \\ answered", style.dim)] + used.indices.map { .right(letter($0), style.dim) })
    for (row, truth) in used.enumerated() {
      table.add(
        [.left("\(letter(row)) \(Style.visible(matrix.names[truth]))") { style.colored($0, evaluation.color(truth)) }]
          + used.map { answer in
            let count = matrix[truth, answer]
            if count == 0 { return .right("·", style.dim) }
            return .right("\(count)", answer == truth ? style.good : style.bad)
          })
    }
    return table.render()
  }

  private func pairs(_ matrix: ConfusionMatrix) -> String {
    let pairs = matrix.confusedPairs
    guard !pairs.isEmpty else { return "" }
    var table = Table()
    for pair in pairs.prefix(8) {
      table.add([.right("\(pair.count)", style.bold), .left("\(Style.visible(pair.truth)) → \(Style.visible(pair.answer))")])
    }
    let rest = pairs.dropFirst(8).reduce(0) { $0 + $1.count }
    return style.dim("most confused") + "\n" + table.render()
      + (rest > 0 ? style.dim("  and \(rest) in \(pairs.count - 8) other pairs") + "\n" : "")
  }

  private func tags(_ evaluation: Evaluation) -> String {
    guard !evaluation.tags.isEmpty else { return "" }
    var table = Table()
    for (tag, accuracy) in evaluation.tags {
      table.add([
        .left(Style.visible(tag)), .right(Figures.count(accuracy.total)), .right(Figures.percent(accuracy.value)),
        .left(Figures.percent(accuracy.interval), style.dim), .left(Self.bar(accuracy.value ?? 0, width: 20)),
      ])
    }
    return style.dim("tags") + "\n" + table.render()
  }

  private func strategies(_ evaluation: Evaluation) -> String {
    var table = Table()
    table.add(
      [.left("strategy", style.dim)]
        + ["decided", "precision", "time", "requests", "tokens", "cost"].map { .right($0, style.dim) })
    for score in evaluation.strategies {
      let usage = score.usage
      table.add([
        .left(Style.visible(score.name)), .right(Figures.count(score.decided)), .right(Figures.percent(score.precision.value)),
        .right(Figures.time(score.seconds)), .right(usage.map { Figures.count($0.requests) } ?? Figures.undefined),
        .right(usage.map { Figures.count($0.tokens) } ?? Figures.undefined), .right(Figures.dollars(usage?.dollars)),
      ])
    }
    var text = table.render()
    for score in evaluation.strategies {
      guard let usage = score.usage, usage.tokens > 0, score.decided > 0 else { continue }
      let tokens = Figures.fixed(Double(usage.tokens) / Double(score.decided), 1)
      let dollars = usage.dollars.map { " and $\(Figures.fixed($0 / Double(score.decided), 6))" } ?? ""
      text += "  \(Style.visible(score.name)): \(tokens) tokens\(dollars) an item that it decided\n"
    }
    guard !evaluation.overlaps.isEmpty else { return text }
    for overlap in evaluation.overlaps {
      text +=
        "  \(Style.visible("\(overlap.first) and \(overlap.second)")): both decide \(Figures.count(overlap.both)),"
        + " differ on \(Figures.count(overlap.conflicts))"
        + " (\(Figures.count(overlap.firstRight)) : \(Figures.count(overlap.secondRight)) right);"
        + " alone \(Figures.count(overlap.onlyFirst)) : \(Figures.count(overlap.onlySecond))\n"
    }
    return text
  }

  private func calibration(_ calibration: Calibration) -> String {
    var table = Table()
    table.add([.left("confidence", style.dim)] + ["answers", "mean", "right"].map { .right($0, style.dim) })
    for bin in calibration.bins where bin.count > 0 {
      let gap = (bin.accuracy.value ?? 0) - (bin.confidence ?? 0)
      table.add([
        .left("\(Figures.fixed(bin.range.lowerBound, 1))–\(Figures.fixed(bin.range.upperBound, 1))"),
        .right(Figures.count(bin.count)),
        .right(Figures.percent(bin.confidence)), .right(Figures.percent(bin.accuracy.value)),
        .left(abs(gap) < 0.03 ? "" : gap < 0 ? "too sure" : "not sure enough", style.dim),
      ])
    }
    return calibration.expectedError == nil ? "" : table.render()
  }

  private func ablation(_ ablation: Ablation) -> String {
    var table = Table()
    for variant in ablation.without + ablation.orders {
      table.add([
        .left(Style.visible(variant.name)), .right(Figures.percent(variant.accuracy.value)),
        .right(Figures.signedPoints(variant.difference.value)), .left(Self.certainty(variant.difference), style.dim),
        .left("\(Figures.count(variant.changed)) \(variant.changed == 1 ? "answer differs" : "answers differ")", style.dim),
      ])
    }
    let silent = ablation.orderCount - ablation.orders.count
    if ablation.without.isEmpty { return style.dim("ablation: the chain has only one strategy") + "\n" }
    return style.dim("ablation, compared with the whole chain") + "\n" + table.render()
      + (silent > 0 ? style.dim("  \(silent) other \(silent == 1 ? "order changes" : "orders change") no answers") + "\n" : "")
  }

  private func repeats(_ repeats: Repeats) -> String {
    let times = repeats.seconds.sorted()
    let rights = repeats.accuracies.compactMap(\.value)
    guard let fastest = times.first, let slowest = times.last, let least = rights.min(), let most = rights.max() else {
      return ""
    }
    return
      "\(times.count) runs: \(Figures.time(fastest)) to \(Figures.time(slowest)), median \(Figures.time(times[times.count / 2]));"
      + " accuracy \(Figures.percent(least)) to \(Figures.percent(most));"
      + " \(Figures.items(repeats.unstable)) answered differently\n"
  }

  private func errors(_ evaluation: Evaluation) -> String {
    let errors = evaluation.errors
    guard !errors.isEmpty else { return "" }
    var table = Table()
    for item in errors.prefix(shown) { table.add(cells(item, in: evaluation)) }
    let rest = errors.count - min(errors.count, shown)
    return style.dim("wrong, most confident first") + "\n" + table.render()
      + (rest > 0 ? style.dim("  and \(Figures.count(rest)) more; --reporter jsonl or html lists all") + "\n" : "")
  }

  /// A wrong answer: the item, what was answered and why, and what is right.
  func cells(_ item: ScoredItem, in evaluation: Evaluation) -> [Table.Cell] {
    let explanation = evaluation.explanation(item)
    return [
      .left(Self.short(evaluation.text(item), 40)), .left("\(Style.visible(evaluation.name(item.answer)))", style.bad),
      .left("not \(Style.visible(evaluation.accepted(item).joined(separator: " or ")))"),
      .left(
        "\(explanation.confidenceText) \(Self.short(explanation.reason.isEmpty ? "no strategy decides" : explanation.reason, 40))",
        style.dim),
      .left(Self.place(explanation.source) ?? Self.place(evaluation.corpus.location(evaluation.entry(item))) ?? "", style.dim),
    ]
  }

  /// What the gate says, as text.
  package func render(_ verdicts: [Gate.Verdict]) -> String { verdicts.map { line($0) + "\n" }.joined() }

  /// What the gate says about one condition.
  func line(_ verdict: Gate.Verdict) -> String {
    "\(verdict.isPassed ? style.good("ok  ") : style.error("FAIL")) \(Style.visible("\(verdict.name): \(verdict.detail)"))"
  }

  // MARK: Comparison

  /// What changed, as text.
  package func render(_ comparison: Comparison) -> String {
    let difference = comparison.difference
    var text =
      style.bold("\(Figures.signedPoints(difference.value)) points") + " on \(Figures.items(difference.total))"
      + " (95% interval \(Figures.signedPoints(difference.interval)); \(Figures.pValue(difference.pValue)))"
      + (difference.isNoise ? " ~ noise" : "") + "\n"
    text += style.dim("  before: \(Self.label(comparison.before))\n  after:  \(Self.label(comparison.after))") + "\n"
    if comparison.before.corpus != comparison.after.corpus {
      text +=
        style.dim(
          "  different corpora, compared on shared items; \(Figures.items(comparison.onlyBefore)) only before,"
            + " \(Figures.count(comparison.onlyAfter)) only after, \(Figures.count(comparison.relabelled)) with different labels now"
        )
        + "\n"
    }
    text += flips("lost", comparison.lost, style.bad) + flips("won", comparison.won, style.good)
    text += flips("moved, but still right or still wrong", comparison.moved, { $0 })
    if !comparison.sections.isEmpty {
      var table = Table()
      for change in comparison.sections {
        let difference = change.difference
        table.add([
          .left(Style.visible(change.name)), .right("\(Figures.count(difference.before)) → \(Figures.count(difference.after))"),
          .right("of \(Figures.count(difference.total))"), .right(Figures.signedPoints(difference.value)),
          .left(difference.isNoise ? "~" : Figures.pValue(difference.pValue), style.dim),
        ])
      }
      text += style.dim("by section") + "\n" + table.render()
    }
    return text
  }

  private func flips(_ title: String, _ flips: [Comparison.Flip], _ color: (String) -> String) -> String {
    guard !flips.isEmpty else { return "" }
    var table = Table()
    for flip in flips.prefix(shown) { table.add(cells(flip, color)) }
    let rest = flips.count - min(flips.count, shown)
    return color("\(title): \(Figures.count(flips.count))") + "\n" + table.render()
      + (rest > 0 ? style.dim("  and \(Figures.count(rest)) more") + "\n" : "")
  }

  /// An item whose answer changed.
  func cells(_ flip: Comparison.Flip, after first: Table.Cell? = nil, _ color: (String) -> String = { $0 }) -> [Table.Cell] {
    [first].compactMap { $0 } + [
      .left(Self.short(flip.after.item, 40)), .left(Self.answer(flip.before)), .left("→ \(Self.answer(flip.after))", color),
      .left(Self.place(flip.after.source) ?? "", style.dim),
    ]
  }

  // MARK: Words

  private static func answer(_ answer: Baseline.Answer) -> String {
    Style.visible(answer.section + (answer.reason.isEmpty ? "" : " [\(answer.reason)]"))
  }

  private static func label(_ header: Baseline.Header) -> String {
    Style.visible("\(header.chain) · taxonomy \(header.taxonomy) · corpus \(header.corpus) · aisle \(header.tool)")
  }

  private static func certainty(_ difference: PairedDifference) -> String {
    difference.isNoise ? "~" : Figures.pValue(difference.pValue)
  }

  private static func place(_ location: SourceLocation?) -> String? {
    location.map { "\(Style.visible($0.path)):\($0.line)" }
  }

  private static func short(_ text: String, _ width: Int) -> String {
    let text = Style.visible(text)
    return text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  /// A bar of eighths of a cell.
  private static func bar(_ share: Double, width: Int) -> String {
    let eighths = Int((min(max(share, 0), 1) * Double(width * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
