import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import AisleTuning

/// Tells which items flipped when a store's keywords changed, and which keyword did it. Items of the holdout are counted, not shown.
struct FlipText {
  let comparison: Comparison
  let difference: KeywordDifference
  let style: Style
  /// How many flips of a kind are shown.
  let shown: Int

  /// The totals in a few lines.
  var summary: String {
    let change = comparison.difference
    var text =
      style.bold("won \(Figures.count(change.won)), lost \(Figures.count(change.lost))")
      + ", moved \(Figures.count(comparison.moved.count)) of \(Figures.count(change.total)) items: "
    let share = { (count: Int) in Figures.percent(Proportion(count, of: change.total).value) }
    text += "\(share(change.before)) -> \(share(change.after)) right"
    if change.won + change.lost > 0 {
      text += " (\(Figures.signedPoints(change.value)) points, \(Figures.pValue(change.pValue)))"
    }
    text += "\n"
    let (won, lost) = (count(comparison.won), count(comparison.lost))
    let moved = count(comparison.moved)
    if won.holdout + lost.holdout + moved.holdout > 0 {
      text += "  tune: won \(won.tune), lost \(lost.tune)   holdout: won \(won.holdout), lost \(lost.holdout)"
      text += style.dim(" (its items are not shown)") + "\n"
    }
    return text
  }

  /// The flips of the tuning split: lost ones first, since they are what to look at.
  var flips: String {
    list("lost", comparison.lost, style.bad) + list("won", comparison.won, style.good)
      + list("moved", comparison.moved, style.dim)
  }

  /// How many items a change won and lost, in both splits.
  func counts(of change: KeywordDifference.Change) -> (won: Int, lost: Int) {
    (comparison.won.count { difference.cause(of: $0) == change }, comparison.lost.count { difference.cause(of: $0) == change })
  }

  private func count(_ flips: [Comparison.Flip]) -> (tune: Int, holdout: Int) {
    let holdout = flips.count { Self.split($0) == .holdout }
    return (flips.count - holdout, holdout)
  }

  private static func split(_ flip: Comparison.Flip) -> Corpus.Split { Corpus.Split(of: flip.after.item.utf8) }

  private func list(_ title: String, _ flips: [Comparison.Flip], _ color: (String) -> String) -> String {
    let flips = flips.filter { Self.split($0) == .tune }
    if flips.isEmpty { return "" }
    var table = Table()
    for flip in flips.prefix(shown) {
      let cause = difference.cause(of: flip)
      table.add([
        .left(Self.short(flip.after.item, 40)),
        .left("\(Style.visible(flip.before.section)) -> \(Style.visible(flip.after.section))", color),
        .left(cause.map { Style.visible($0.text) } ?? Style.visible(flip.after.reason)),
        .left((cause?.location ?? flip.after.source).map { Style.visible("\($0.path):\($0.line)") } ?? "", style.dim),
      ])
    }
    let rest = flips.count - min(flips.count, shown)
    return color("\(title): \(Figures.count(flips.count))") + "\n" + table.render()
      + (rest > 0 ? style.dim("  and \(Figures.count(rest)) more") + "\n" : "")
  }

  static func short(_ text: String, _ width: Int) -> String {
    let text = Style.visible(text)
    return text.count <= width ? text : text.prefix(width - 1) + "…"
  }
}
