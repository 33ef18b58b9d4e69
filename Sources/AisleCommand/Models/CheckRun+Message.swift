import AisleCatalog
import AisleCore
import AisleEvaluation
import LearnedStrategy
import LLMStrategy

extension CheckRun.Outcome {
  /// What came of it, in one line for people.
  func message(items: Int, accepted: Int) -> String {
    let waiting = suggestions.count - accepted
    var parts: [String] = []
    if let unchangedSince {
      parts.append("\(counted(items)), unchanged since the check at \(Timestamp.text(unchangedSince)); nothing was asked")
    } else {
      let answered = items - unanswered.values.reduce(0, +)
      let share = answered == 0 ? "" : ", \(agreed) agree (\(Figures.percent(Double(agreed) / Double(answered))))"
      parts.append("\(counted(answered)) checked\(share)")
    }
    if doubted > 0 { parts.append("\(doubted) unsure, not suggested") }
    if unfit > 0 { parts.append("\(unfit) cannot be learned, not suggested") }
    if isOvertaken { parts.append("a later check of this list finished first, so its results stand") }
    if accepted > 0 { parts.append("\(counted(accepted, "suggestion")) accepted") }
    if waiting > 0 { parts.append("\(counted(waiting, "suggestion")): `aisle suggestions review`") }
    if settled > 0 { parts.append("\(settled) decided by a person") }
    if !unanswered.isEmpty {
      parts.append("not checked: \(Undecided.list(unanswered))")
      parts += Undecided.remedies(unanswered)
    }
    return parts.joined(separator: "; ")
  }
}
