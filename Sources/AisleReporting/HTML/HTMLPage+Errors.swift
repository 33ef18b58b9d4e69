import AisleCore
import AisleEvaluation

extension HTMLPage {
  /// The items with wrong answers, and what misled.
  var errors: Part? {
    let errors = evaluation.errors
    if errors.isEmpty { return Part(id: "errors", title: "Errors", body: "<p>Every item is right.</p>\n") }
    let shown = errors.prefix(rowLimit)
    let left = errors.count - shown.count
    let summary = """
      \(Figures.count(errors.count, "error")), most confident first\
      \(left == 0 ? "" : "; \(Figures.count(left)) left out; --reporter jsonl lists all")
      """
    let filter: Markup = """
      <div class="filter" role="search" hidden>
      <label for="error-search">Search the errors</label>
      <input type="search" id="error-search" autocomplete="off" spellcheck="false" aria-controls="error-table">
      <button type="button" id="error-clear" hidden>Clear filter</button>
      </div>
      <p id="error-status" role="status" aria-live="polite">\(summary).</p>

      """
    let table = HTMLTable(
      "error-table", kind: "list errors", caption: "Items with wrong answers, and the evidence for each answer.",
      [
        .text("item"), .text("expected"), .text("answer"), .number("confidence"), .text("keyword"), .text("rule"),
        .text("runner-up"),
      ], shown.map(row))
    return Part(id: "errors", title: "Errors", body: filter + table.markup)
  }

  private func row(_ item: ScoredItem) -> Markup {
    let explanation = evaluation.explanation(item)
    let isDecided = item.decision != nil
    let by: Markup =
      !isDecided
      ? "<i>no strategy decides</i>"
      : explanation.keyword.isEmpty ? "<i>\(explanation.strategy)</i>" : "<b><bdi>\(Self.bounded(explanation.keyword))</bdi></b>"
    return """
      <tr data-pair="\(Int(item.truth.rawValue))-\(Int(item.answer.rawValue))">\
      <th scope="row">\(Self.item(evaluation.text(item))) \(Self.place(evaluation.corpus.location(evaluation.entry(item))))</th>\
      <td>\(sections(evaluation.accepted(item)))</td><td>\(section(evaluation.name(item.answer)))</td>\
      <td class="n">\(isDecided ? explanation.confidenceText : Figures.undefined)</td>\
      <td>\(by) \(Self.place(explanation.source))</td><td>\(Self.bounded(explanation.rule))</td>\
      <td>\(Self.bounded(explanation.runnerUp))</td></tr>

      """
  }

  /// The place of a section in the matrix.
  func place(_ name: String) -> Int { evaluation.sectionNames.firstIndex(of: name) ?? 0 }
}
