import AisleCore
import AisleEvaluation
import AisleReporting
import AisleTuning

/// Writes a report on keywords for people: a summary, then rows with the items that went wrong below each.
struct KeywordReportText {
  let report: KeywordReport
  let style: Style
  /// How many rows of a kind are shown.
  let limit: Int

  private var taxonomy: Taxonomy { report.evaluation.taxonomy }

  /// The totals in a few lines.
  func summary(split: String) -> String {
    let evaluation = report.evaluation
    let keywords = report.scores.prefix(taxonomy.keywords.count)
    let used = keywords.filter { $0.items > 0 }
    let deciding = used.filter { $0.right + $0.wrong > 0 }
    var text =
      style.bold(Style.visible(taxonomy.title))
      + style.dim(" · \(evaluation.chain.text) · \(split): \(Figures.count(evaluation.items.count)) items") + ", "
      + "\(Figures.percent(evaluation.metrics.accuracy.value)) right\n\n"
    text +=
      "\(Figures.count(keywords.count)) keywords: \(Figures.count(used.count)) occur in these items, \(Figures.count(deciding.count)) "
      + "decide some, \(Figures.count(deciding.count { $0.wrong > 0 })) of these some wrongly\n"
    let faults = KeywordScore.Fault.allCases.map { fault in
      (fault, keywords.count { $0.faults.contains(fault) })
    }
    text += faults.map { "\(Figures.count($1)) \($0.rawValue)" }.joined(separator: ", ")
    let flags = faults.filter { $0.1 > 0 }.map { "--\($0.0.rawValue)" }
    if !flags.isEmpty { text += style.dim(" (\(flags.joined(separator: ", ")) \(flags.count == 1 ? "lists" : "list") them)") }
    return text + "\n"
  }

  /// Rows with figures, the items that went wrong below each.
  func rows(_ scores: [KeywordScore], examples: Int) -> String {
    if scores.isEmpty { return "" }
    let names = ["wrong", "right", "precision", "items", "alone", "conflicts", "missed"]
    var table = Table()
    table.add(names.map { .right($0, style.dim) } + [.left("keyword", style.dim), .left("", style.dim)])
    for score in scores.prefix(limit) {
      let row = KeywordRow(score, in: report)
      table.add([
        .right(number(score.wrong), score.wrong > 0 ? style.bad : style.dim), .right(number(score.right)),
        .right(score.precision == nil ? "" : Figures.percent(score.precision)), .right(number(score.items)),
        .right(number(score.alone)), .right(number(score.conflicts)), .right(number(score.missed)),
        .left(Style.visible(row.written), style.bold), .left(Style.visible(row.shownPlace), style.dim),
      ])
    }
    let lines = table.render(indent: "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var text = lines[0] + "\n"
    for (place, score) in scores.prefix(limit).enumerated() {
      text += lines[place + 1] + "\n"
      if let rival = score.rival { text += style.dim("        \(Self.verb(score)) \(Style.visible(rival))") + "\n" }
      for example in score.examples.prefix(examples) { text += "        " + line(example) + "\n" }
    }
    return text + rest(scores.count)
  }

  /// The pairs of shelves that fight, the items that went wrong below each.
  func fights(_ fights: [ShelfFight], examples: Int) -> String {
    if fights.isEmpty { return "" }
    var table = Table()
    table.add(
      ["wrong", "items"].map { .right($0, style.dim) }
        + [.left("shelf", style.dim), .right("wins", style.dim), .right("wrong", style.dim)]
        + [.left("against", style.dim), .right("wins", style.dim), .right("wrong", style.dim)])
    for fight in fights.prefix(limit) {
      table.add([
        .right(number(fight.wrong), fight.wrong > 0 ? style.bad : style.dim), .right(number(fight.items)),
        .left(Style.visible(fight.first), style.bold), .right(number(fight.firstWins)), .right(number(fight.firstWrong)),
        .left(Style.visible(fight.second), style.bold), .right(number(fight.secondWins)), .right(number(fight.secondWrong)),
      ])
    }
    let lines = table.render(indent: "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var text = lines[0] + "\n"
    for (place, fight) in fights.prefix(limit).enumerated() {
      text += lines[place + 1] + "\n"
      for example in fight.examples.prefix(examples) { text += "        " + line(example) + "\n" }
    }
    return text + rest(fights.count)
  }

  private func number(_ count: Int) -> String { count == 0 ? "·" : Figures.count(count) }

  private func rest(_ count: Int) -> String {
    count > limit ? style.dim("and \(Figures.count(count - limit)) more; --limit \(count) shows all") + "\n" : ""
  }

  private static func verb(_ score: KeywordScore) -> String {
    switch score.faults.first {
    case .duplicate: "the same as"
    case .contradicting: "on its own it goes to another section because of"
    default: "loses to"
    }
  }

  private func line(_ example: KeywordScore.Example) -> String {
    let evaluation = report.evaluation
    let item = FlipText.short(evaluation.corpus.item(evaluation.corpus.entries[Int(example.entry)]), 60)
    let answer = Style.visible(evaluation.name(example.answer))
    let better = example.better.map { taxonomy.keywords[$0] }
    let lost = better.map { " (\($0.strength.sign)\($0.text) lost)" } ?? ""
    return item + style.dim(Style.visible(" -> \(answer), is \(evaluation.name(example.expected))\(lost)"))
  }
}
