import AisleCore
import AisleReporting
import AisleTuning

/// Writes proposed changes to keywords, each with the items that it would move.
struct ProposalText {
  let items: TuningItems
  let taxonomy: Taxonomy
  let style: Style
  /// How many items of a kind are shown.
  let examples: Int

  /// A proposal in a few lines.
  func text(_ proposal: Proposal, number: String) -> String {
    let edits = proposal.edits.map { Style.visible($0.description) }.joined(separator: "  ")
    var text = "\(number)  " + style.bold(edits) + "\n"
    text += "    tune +\(proposal.won.count) −\(proposal.lost.count), holdout +\(proposal.holdoutWon) −\(proposal.holdoutLost)\n"
    text += lines("won", proposal.won, style.good) + lines("lost", proposal.lost, style.bad)
    return text + lines("moved", proposal.moved, style.dim)
  }

  private func lines(_ title: String, _ flips: [Proposal.Flip], _ color: (String) -> String) -> String {
    var text = ""
    for flip in flips.prefix(examples) {
      let sections = "\(Style.visible(taxonomy[flip.before].name)) -> \(Style.visible(taxonomy[flip.after].name))"
      text += "    \(color(title))  \(FlipText.short(items.text(flip.item), 60))  \(style.dim(sections))\n"
    }
    let rest = flips.count - min(flips.count, examples)
    return text + (rest > 0 ? "    \(color(title))  " + style.dim("and \(rest) more") + "\n" : "")
  }
}
