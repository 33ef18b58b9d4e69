/// Writes proposed changes to keywords for programs: a row each, as TSV or JSON lines.
package enum ProposalRows {
  /// The proposals as rows for programs.
  package static func write(_ proposals: [Proposal], of items: TuningItems, isJSON: Bool) -> String {
    let names = ["edits", "gain", "won", "lost", "moved", "holdout_won", "holdout_lost", "won_items", "lost_items"]
    return TuningCell.write(
      names,
      proposals.map { proposal in
        [
          .list(proposal.edits.map(\.description)), .number(proposal.gain), .number(proposal.won.count),
          .number(proposal.lost.count), .number(proposal.moved.count), .number(proposal.holdoutWon),
          .number(proposal.holdoutLost),
          .list(proposal.won.map { items.text($0.item) }), .list(proposal.lost.map { items.text($0.item) }),
        ]
      }, isJSON: isJSON)
  }
}
