import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import AisleTuning

/// Tells what a fit found, and what it does to the figures: on the items that it was fitted on, and on those it has not seen.
struct FitText {
  let fit: any StoreFit
  /// The chain's answers before and after.
  let before: Evaluation, after: Evaluation
  let seed: UInt64
  let style: Style

  var text: String {
    [headline, choice, settings, figures, files].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Parts

  private var headline: String {
    let on = fit.files.isEmpty ? "all files" : fit.files.map(Style.visible).joined(separator: ", ")
    return style.bold(Style.visible(before.taxonomy.title))
      + style.dim(
        " · \(Style.visible(before.chain.text)) · fitted on \(Figures.count(fit.fittedCount)) \(fit.items)\n"
          + "files: \(on)\n")
  }

  private var choice: String {
    guard let fit = fit as? WeightFit else { return "" }
    if fit.changes.isEmpty {
      return "choice: no weight changed; no other order of the weights is clearly better (p < 0.05) on tune\n"
    }
    var table = Table()
    for change in fit.changes {
      table.add([
        .left(change.setting.name), .left("won \(change.won), lost \(change.lost)"),
        .left(Figures.pValue(change.pValue), style.dim),
      ])
    }
    return "choice: \(fit.changes.count) changed on tune\n" + table.render()
  }

  private var settings: String {
    var table = Table()
    table.add(["setting", "before", "after"].map { name in Self.heading(name, style) })
    for setting in fit.settings {
      let (old, new) = (fit.before.text(of: setting), fit.after.text(of: setting))
      table.add([.left(setting.name), .right(old), .right(new, old == new ? style.dim : style.bold)])
    }
    return table.render()
  }

  private var figures: String {
    var table = Table()
    func figures(_ split: Corpus.Split) -> (before: FitFigures, after: FitFigures) {
      (FitFigures(before) { before.entry($0).split == split }, FitFigures(after) { after.entry($0).split == split })
    }
    let (tune, holdout) = (figures(.tune), figures(.holdout))
    table.add(
      ["", "tune", "after", "holdout", "after", "change on holdout"].map { name in Self.heading(name, style) })
    func row(_ name: String, _ change: String, _ value: (FitFigures) -> String) {
      table.add(
        [.left(name)] + [tune.before, tune.after, holdout.before].map { .right(value($0)) }
          + [.right(value(holdout.after), style.bold), .left(change, style.dim)])
    }
    let (won, lost) = flips(holdout)
    let accuracy = PairedDifference(
      total: holdout.before.accuracy.total, before: holdout.before.accuracy.count, won: won, lost: lost, seed: seed)
    row(
      "accuracy",
      accuracy.value.map { "\(Figures.signedPoints($0)) points (\(Figures.signedPoints(accuracy.interval)))" }
        ?? Figures.undefined
    ) { Figures.percent($0.accuracy.value) }
    row("sure", "95%: \(Figures.percent(holdout.after.sure.interval))") { Figures.percent($0.sure.value) }
    row("right of sure", "95%: \(Figures.percent(holdout.after.sureAccuracy.interval))") {
      Figures.percent($0.sureAccuracy.value)
    }
    let intervals = holdout.before.intervals(to: holdout.after, seed: seed)
    row("ECE", Self.change(holdout.before.calibrationError, holdout.after.calibrationError, intervals.calibrationError)) {
      Figures.score($0.calibrationError)
    }
    row("log loss", Self.change(holdout.before.logLoss, holdout.after.logLoss, intervals.logLoss)) { Figures.score($0.logLoss) }
    guard let seen = (fit as? WeightFit)?.crossValidated else { return table.render() }
    return table.render()
      + style.dim(
        "  keywords alone, on the fifth of tune that each fit has not seen: sure \(Figures.percent(seen.sure.value)), "
          + "\(Figures.percent(seen.sureAccuracy.value)) of these right, ECE \(Figures.score(seen.calibrationError)), "
          + "log loss \(Figures.score(seen.logLoss))\n")
  }

  private var files: String {
    var table = Table()
    table.add(
      ["holdout by file", "items", "accuracy", "sure", "after", "right", "after", "ECE", "after"].map { name in
        Self.heading(name, style)
      })
    for (place, path) in before.corpus.files.enumerated() {
      let old = FitFigures(before) { isMeant(before.entry($0), place) }
      let new = FitFigures(after) { isMeant(after.entry($0), place) }
      if old.accuracy.total == 0 { continue }
      table.add([
        .left(Style.visible(Corpus.name(path))), .right(Figures.count(old.accuracy.total)),
        .right(Figures.percent(new.accuracy.value)), .right(Figures.percent(old.sure.value)),
        .right(Figures.percent(new.sure.value)),
        .right(Figures.percent(old.sureAccuracy.value)), .right(Figures.percent(new.sureAccuracy.value)),
        .right(Figures.score(old.calibrationError)), .right(Figures.score(new.calibrationError), style.bold),
      ])
    }
    return table.render()
  }

  private func isMeant(_ entry: Corpus.Entry, _ file: Int) -> Bool { entry.split == .holdout && Int(entry.file) == file }

  // MARK: Figures

  private func flips(_ figures: (before: FitFigures, after: FitFigures)) -> (won: Int, lost: Int) {
    let pairs = zip(figures.before.answers, figures.after.answers)
    return (pairs.count { !$0.isRight && $1.isRight }, pairs.count { $0.isRight && !$1.isRight })
  }

  /// A heading: of the first column to the left, of the figures to the right.
  private static func heading(_ name: String, _ style: Style) -> Table.Cell {
    ["setting", "", "holdout by file", "change on holdout"].contains(name) ? .left(name, style.dim) : .right(name, style.dim)
  }

  private static func change(_ before: Double?, _ after: Double?, _ interval: ClosedRange<Double>?) -> String {
    guard let before, let after, let interval else { return Figures.undefined }
    return "\(signed(after - before)) (\(signed(interval.lowerBound)) to \(signed(interval.upperBound)))"
  }

  private static func signed(_ value: Double) -> String {
    let text = Figures.fixed(value, 3)
    return text == "0.000" ? "±0.000" : value > 0 ? "+" + text : text
  }
}
