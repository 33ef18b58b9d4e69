import AisleCore
import AisleEvaluation

/// Writes a report on keywords for programs: a row a keyword, or a row a pair of shelves, as TSV or JSON lines.
package struct KeywordReportRows {
  package let report: KeywordReport
  package let isJSON: Bool

  /// Writes rows of a report.
  package init(report: KeywordReport, isJSON: Bool) {
    self.report = report
    self.isJSON = isJSON
  }

  package func keywords(_ scores: [KeywordScore]) -> String {
    let names = [
      "kind", "keyword", "strength", "shelf", "section", "file", "line", "items", "alone", "overlaps", "conflicts", "right",
      "wrong",
      "precision", "missed", "faults", "rival", "examples",
    ]
    return rows(names, scores) { score in
      let row = KeywordRow(score, in: report)
      return [
        .text(row.kind), .text(row.written), .text(row.strength), .text(row.place), .text(row.section), .text(row.location.path),
        .number(row.location.line), .number(score.items), .number(score.alone), .number(score.overlaps), .number(score.conflicts),
        .number(score.right), .number(score.wrong), .share(score.precision), .number(score.missed),
        .list(score.faults.map(\.rawValue)), .text(score.rival ?? ""), .list(score.examples.map(item)),
      ]
    }
  }

  package func fights(_ fights: [ShelfFight]) -> String {
    let names = [
      "shelf", "against", "items", "wrong", "shelf_wins", "shelf_wrong", "against_wins", "against_wrong", "examples",
    ]
    return rows(names, fights) { fight in
      [
        .text(fight.first), .text(fight.second), .number(fight.items), .number(fight.wrong), .number(fight.firstWins),
        .number(fight.firstWrong), .number(fight.secondWins), .number(fight.secondWrong), .list(fight.examples.map(item)),
      ]
    }
  }

  private func item(_ example: KeywordScore.Example) -> String {
    report.evaluation.corpus.item(report.evaluation.corpus.entries[Int(example.entry)])
  }

  private func rows<Row>(_ names: [String], _ rows: [Row], _ cells: (Row) -> [TuningCell]) -> String {
    TuningCell.write(names, rows.map(cells), isJSON: isJSON)
  }
}
