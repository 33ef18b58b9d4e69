import AisleCore
import AisleEvaluation
import AisleReporting
import AisleTuning

/// Writes a report on keywords for programs: a row a keyword, or a row a pair of shelves, as TSV or JSON lines.
struct KeywordReportRows {
  let report: KeywordReport
  let isJSON: Bool

  func keywords(_ scores: [KeywordScore]) -> String {
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

  func fights(_ fights: [ShelfFight]) -> String {
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

/// A value in a row for programs.
enum TuningCell {
  case text(String)
  case number(Int)
  /// A share in 0…1, or nothing.
  case share(Double?)
  case list([String])

  /// Rows as TSV with a header, or as JSON lines with the names as keys.
  static func write(_ names: [String], _ rows: [[TuningCell]], isJSON: Bool) -> String {
    var text = isJSON ? "" : names.joined(separator: "\t") + "\n"
    for row in rows {
      if isJSON {
        text += "{" + zip(names, row).map { "\(quoted($0)):\($1.json)" }.joined(separator: ",") + "}\n"
      } else {
        text += row.map(\.plain).joined(separator: "\t") + "\n"
      }
    }
    return text
  }

  private var plain: String {
    switch self {
    case .text(let text): Self.oneCell(text)
    case .number(let number): String(number)
    case .share(let share): share.map { Figures.fixed($0, 4) } ?? ""
    case .list(let parts): parts.map(Self.oneCell).joined(separator: "|")
    }
  }

  private var json: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number): String(number)
    case .share(let share): share.map { Figures.fixed($0, 4) } ?? "null"
    case .list(let parts): "[" + parts.map(Self.quoted).joined(separator: ",") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    let buffer = ByteBuffer()
    JSONText.append(text.utf8, to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Tabs and line ends would begin another cell.
  private static func oneCell(_ text: String) -> String {
    text.contains { $0 == "\t" || $0.isNewline } ? String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 }) : text
  }
}
