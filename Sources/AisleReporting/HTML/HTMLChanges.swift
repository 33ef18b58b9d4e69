import AisleEvaluation

/// What changed from one evaluation to another, as part of a page.
struct HTMLChanges {
  let comparison: Comparison
  let hues: SectionHues
  let rowLimit: Int

  /// The whole part.
  var markup: Markup {
    summary + sectionChanges
      + flips("lost", "Lost: were right, are wrong", comparison.lost) + flips("won", "Won: were wrong, are right", comparison.won)
      + flips("moved", "Moved: different section, but still right or still wrong", comparison.moved)
  }

  private var summary: Markup {
    let difference = comparison.difference
    let rows: [Markup] = [
      "<dt>accuracy</dt><dd>\(share(difference.before, difference)) → \(share(difference.after, difference))</dd>\n",
      """
      <dt>difference</dt><dd class="since\(HTMLPage.trend(difference))"><strong>\(Figures.signedPoints(difference.value))</strong> \
      points, 95 % interval \(Figures.signedPoints(difference.interval)); \(HTMLPage.certainty(difference))</dd>

      """,
      """
      <dt>items</dt><dd>\(Figures.count(difference.lost)) lost, \(Figures.count(difference.won)) won, \
      \(Figures.count(comparison.moved.count)) moved, of \(Figures.count(difference.total)) that both have</dd>

      """,
      "<dt>before</dt><dd>\(header(comparison.before))</dd>\n<dt>after</dt><dd>\(header(comparison.after))</dd>\n",
    ]
    let isSameCorpus = comparison.before.corpus == comparison.after.corpus
    let note: Markup =
      isSameCorpus
      ? ""
      : """
      <p class="quiet">The corpora differ and are compared on shared items; \(Figures.items(comparison.onlyBefore)) only before, \
      \(Figures.count(comparison.onlyAfter)) only after, \(Figures.count(comparison.relabelled)) with different labels now.</p>

      """
    return "<dl>\n\(rows)</dl>\n\(note)"
  }

  private func share(_ count: Int, _ difference: PairedDifference) -> String {
    Figures.percent(Proportion(count, of: difference.total).value)
  }

  private func header(_ header: Baseline.Header) -> Markup {
    """
    <code>\(header.chain)</code> · taxonomy <code>\(header.taxonomy)</code> · corpus <code>\(header.corpus)</code> · \
    aisle \(header.tool)
    """
  }

  private var sectionChanges: Markup {
    if comparison.sections.isEmpty { return "" }
    let rows = comparison.sections.map { change in
      let difference = change.difference
      return HTMLTable.row(
        hues.section(change.name),
        [
          HTMLTable.number(Figures.count(difference.total)), HTMLTable.number(share(difference.before, difference)),
          HTMLTable.number(share(difference.after, difference)),
          "<td class=\"n since\(HTMLPage.trend(difference))\">\(Figures.signedPoints(difference.value))</td>",
          HTMLTable.number(Figures.signedPoints(difference.interval)), HTMLTable.number(Figures.count(difference.lost)),
          HTMLTable.number(Figures.count(difference.won)), "<td class=\"n\">\(HTMLPage.certainty(difference))</td>",
        ])
    }
    return "<h3>By section</h3>\n"
      + HTMLTable(
        "change-table", caption: "Sections whose items changed, greatest loss first.",
        [
          .text("section"), .number("items"), .number("before"), .number("after"), .number("points"), .number("95% interval"),
          .number("lost"), .number("won"), .number("p"),
        ], rows
      ).markup
  }

  private func flips(_ id: Markup, _ title: Markup, _ flips: [Comparison.Flip]) -> Markup {
    if flips.isEmpty { return "" }
    let rows = flips.prefix(rowLimit).map { flip in
      """
      <tr><th scope="row">\(HTMLPage.item(flip.after.item)) \(HTMLPage.place(flip.after.location))</th>\
      <td>\(hues.sections(flip.after.expected))</td><td>\(answer(flip.before))</td><td>\(answer(flip.after))</td></tr>

      """ as Markup
    }
    let left = flips.count - rows.count
    let note: Markup = left == 0 ? "" : "<p class=\"quiet\">\(Figures.items(left)) more left out.</p>\n"
    return "<h3>\(title) (\(Figures.count(flips.count)))</h3>\n"
      + HTMLTable(
        "\(id)-table", kind: "list flips", caption: "Each item with both answers and their evidence.",
        [.text("item"), .text("expected"), .text("before"), .text("after")], rows
      ).markup + note
  }

  private func answer(_ answer: Baseline.Answer) -> Markup {
    let reason: Markup =
      answer.reason.isEmpty
      ? "<i>\(answer.strategy == "none" ? "no strategy decides" : answer.strategy)</i>"
      : "<bdi>\(HTMLPage.bounded(answer.reason))</bdi>"
    return """
      \(hues.section(answer.section)) <span class="why">\(Figures.fixed(answer.confidence, 2)) \(reason) \
      \(HTMLPage.place(answer.source))</span>
      """
  }
}
