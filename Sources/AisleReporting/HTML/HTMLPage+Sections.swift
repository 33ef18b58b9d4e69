import AisleEvaluation

extension HTMLPage {
  /// Each section's scores.
  var sections: Part? {
    let scores = evaluation.metrics.sections.filter { $0.support + $0.predicted > 0 }
    let rows = scores.map { score in
      HTMLTable.row(
        section(score.name),
        [
          share(score.precision, nil), share(score.recall, nil),
          "<td class=\"n bars\">\(Figures.score(score.f1))\(HTMLChart.bar(score.f1, hue: hue(score.name)))</td>",
          HTMLTable.number(Figures.count(score.support)), HTMLTable.number(Figures.count(score.predicted)),
        ])
    }
    let empty = evaluation.metrics.sections.count - scores.count
    let note: Markup =
      empty == 0 ? "" : "<p class=\"quiet\">\(Figures.count(empty, "section")) without items and answers left out.</p>\n"
    let table = HTMLTable(
      "section-table", caption: "How well each section’s items were found, in walking order.",
      [
        .text("section"), .number("precision"), .number("recall"), .number("F1"), .number("support"), .number("predicted"),
      ], rows)
    return Part(id: "sections", title: "Sections", body: table.markup + note)
  }

  private func share(_ value: Double?, _ hue: String?) -> Markup {
    "<td class=\"n bars\">\(Figures.percent(value))\(HTMLChart.bar(value, hue: hue))</td>"
  }

  /// The most columns of the matrix: what strategies invent has no bound.
  private static let mostColumns = 60

  /// Which sections were taken for which.
  var confusion: Part? {
    let matrix = evaluation.metrics.confusion
    let scores = evaluation.metrics.sections
    let rows = scores.indices.filter { scores[$0].support > 0 }
    let used = scores.indices.filter { scores[$0].support + scores[$0].predicted > 0 }
    // The known sections come first; of the invented ones those answered most often are kept.
    let known = evaluation.taxonomy.sections.count
    let kept = Set(
      used.sorted { ($0 >= known ? 1 : 0, -scores[$0].predicted, $0) < ($1 >= known ? 1 : 0, -scores[$1].predicted, $1) }
        .prefix(max(Self.mostColumns, known)))
    let columns = used.filter(kept.contains)
    let worst =
      rows.flatMap { truth in
        columns.filter { $0 != truth }.map { Double(matrix[truth, $0]) / Double(scores[truth].support) }
      }.max() ?? 0
    let head = columns.map { place in
      "<th scope=\"col\" data-section=\"\(place)\"><span>\(section(matrix.names[place]))</span></th>" as Markup
    }
    let lines = rows.map { truth in
      let cells = columns.map { answer in
        let share = Double(matrix[truth, answer]) / Double(scores[truth].support)
        // A root, since a tenth of a section gone astray is much already.
        let strength = truth == answer ? share : (share / worst).squareRoot()
        return cell(matrix[truth, answer], heat: Self.heat(strength), truth: truth, answer: answer)
      }
      return """
        <tr><th scope="row" data-section="\(truth)">\(section(matrix.names[truth]))</th>\(cells)\
        <td class="n sum">\(Figures.count(scores[truth].support))</td></tr>

        """ as Markup
    }
    let left = used.count - columns.count
    let lead: Markup = """
      <p class="quiet">Rows: the section that items belong to. Columns: the answer. An empty cell is 0; the stronger the color, the \
      larger the share of its row.<span class="js"> Select a count off the diagonal to see its errors.</span></p>
      <p><a class="skip" href="#errors-title">Skip the matrix</a></p>

      """
    let corner: Markup = "<th scope=\"col\" class=\"corner\">belongs to ↓ <span>answered →</span></th>"
    let note: Markup =
      left == 0 ? "" : "<p class=\"quiet\">\(Figures.count(left, "invented section")) left out of the columns.</p>\n"
    let body =
      lead
      + HTMLTable.frame(
        "matrix", kind: "matrix", caption: "Items by section and answer.",
        head: "<tr>\(corner)\(head)<th scope=\"col\" class=\"sum\"><span>all</span></th></tr>", rows: lines) + note + pairs
    return Part(id: "confusion", title: "Confusion", body: body)
  }

  private func cell(_ count: Int, heat: Int, truth: Int, answer: Int) -> Markup {
    if truth == answer { return "<td class=\"ok h\(heat)\">\(count == 0 ? "" : Figures.count(count))</td>" }
    if count == 0 { return "<td></td>" }
    return "<td class=\"no h\(heat)\" data-pair=\"\(truth)-\(answer)\">\(Figures.count(count))</td>"
  }

  /// One of six shades.
  private static func heat(_ strength: Double) -> Int { strength.isFinite ? min(max(Int((strength * 6).rounded(.up)), 1), 6) : 1 }

  /// The most pairs that are listed; the matrix has them all.
  private static let mostPairs = 15

  private var pairs: Markup {
    let pairs = evaluation.metrics.confusion.confusedPairs
    guard !pairs.isEmpty else { return "" }
    let scores = Dictionary(evaluation.metrics.sections.map { ($0.name, $0.support) }, uniquingKeysWith: { first, _ in first })
    let rows = pairs.prefix(Self.mostPairs).map { pair in
      let share = Proportion(pair.count, of: scores[pair.truth] ?? 0).value
      return """
        <tr><td class="n" data-pair="\(place(pair.truth))-\(place(pair.answer))">\(Figures.count(pair.count))</td>\
        <td>\(section(pair.truth))</td><td>\(section(pair.answer))</td>\
        <td class="n bars">\(Figures.percent(share))\(HTMLChart.bar(share, hue: nil))</td></tr>

        """ as Markup
    }
    let rest = pairs.dropFirst(Self.mostPairs)
    let note: Markup =
      rest.isEmpty
      ? ""
      : "<p class=\"quiet\">\(Figures.items(rest.reduce(0) { $0 + $1.count })) in \(Figures.count(rest.count, "other pair")).</p>\n"
    return "<h3>Most confused</h3>\n"
      + HTMLTable(
        "pair-table", caption: "The pairs of sections with the most errors.",
        [.number("items"), .text("belong to"), .text("answered"), .number("of the section")], Array(rows)
      ).markup + note
  }
}
