import AisleEvaluation

/// What the gate says, as part of a page.
struct HTMLGate {
  let verdicts: [Gate.Verdict]

  /// The verdicts in a box; nothing without a gate.
  var markup: Markup {
    if verdicts.isEmpty { return "" }
    let isPassed = verdicts.allSatisfy(\.isPassed)
    let lines = verdicts.map { verdict in
      """
      <li class="\(verdict.isPassed ? "pass" : "fail")"><b>\(verdict.isPassed ? "✓ passed" : "✗ failed")</b> \
      <code>\(verdict.name)</code> \(verdict.detail)</li>

      """ as Markup
    }
    return """
      <div class="gate \(isPassed ? "pass" : "fail")">
      <h3>The gate \(isPassed ? "passes" : "fails")</h3>
      <ul>
      \(lines)</ul>
      </div>

      """
  }
}
