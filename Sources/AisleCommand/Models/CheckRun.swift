import AisleCore
import LearnedStrategy
import LLMStrategy

/// One check of a list: what is checked, and how it is recorded.
struct CheckRun {
  /// The list's name.
  let list: String
  /// The store's id.
  let store: String
  /// When it began.
  let start: Int
  let checked: CheckedList
  let taxonomy: Taxonomy
  let context: AnswerContext
  let fingerprint: String

  /// What came of it.
  struct Outcome {
    /// What the model took; `nil` where nothing was asked.
    var report: ModelReport?
    /// What is suggested and waits for a person.
    var suggestions: [NumberedSuggestion] = []
    /// How many items the model would leave where they stand.
    var agreed = 0
    /// How many items got no answer, by reason.
    var unanswered: [ModelAnswer.Abstention: Int] = [:]
    /// How many suggestions a person has decided before, or overtaken meanwhile.
    var settled = 0
    /// When the check was that found the list the same.
    var unchangedSince: Int?
    /// Whether a later check of the list was done before this one.
    var isOvertaken = false

    /// Whether every item was checked.
    var isWhole: Bool { !unanswered.keys.contains(where: \.isFailure) }
  }

  /// What waits for a person since the last check, if the list is as it was then.
  func unchanged(_ corrections: CorrectionStore?) throws -> Outcome? {
    guard let corrections, let last = try corrections.lastCheck(of: list, store: store),
      last.fingerprint == fingerprint || last.agreed == fingerprint
    else { return nil }
    var outcome = Outcome(unchangedSince: last.time)
    outcome.suggestions = try waiting(corrections)
    outcome.agreed = checked.entries.count
    return outcome
  }

  private func waiting(_ corrections: CorrectionStore) throws -> [NumberedSuggestion] {
    try corrections.suggestions(ofList: list, store: store)
  }

  /// Proposes changes and, where every item was checked, remembers the list as checked.
  ///
  /// - Parameter moves: The sections that items should stand in, by their place.
  func record(_ moves: [Int: String], _ outcome: inout Outcome, _ corrections: CorrectionStore) throws {
    let origin = Origin(proposer: "llm", model: String(AnswerSource.name(context).prefix(60)), time: start)
    var suggestions: [Suggestion] = []
    var seen: Set<[String]> = []
    for (place, section) in moves.sorted(by: { $0.key < $1.key }) {
      let entry = checked.entries[place]
      guard seen.insert(CheckedList.place(entry.item, entry.section)).inserted else { continue }
      suggestions.append(
        Suggestion(store: store, item: entry.item, from: entry.section, to: section, list: list, origin: origin))
    }
    let check = ListCheck(
      store: store, list: list, fingerprint: fingerprint, agreed: checked.fingerprint(context, moving: moves), time: start)
    guard let outcomes = try corrections.record(check, proposing: suggestions, isWhole: outcome.isWhole) else {
      outcome.isOvertaken = true
      outcome.suggestions = try waiting(corrections)
      return
    }
    let numbers = Set(outcomes.compactMap(\.waiting))
    outcome.settled += outcomes.count { $0.waiting == nil }
    outcome.suggestions = try corrections.suggestions().filter { numbers.contains($0.id) }
  }
}

extension CheckRun.Outcome {
  /// Counts verdicts, and gives the sections that items should stand in, by their place.
  mutating func take(_ verdicts: [ListChecker.Verdict], of run: CheckRun) -> [Int: String] {
    var moves: [Int: String] = [:]
    for (place, verdict) in verdicts.enumerated() {
      switch verdict {
      case .agrees: agreed += 1
      case .differs(let section), .invents(let section): moves[place] = section
      case .unanswered(let reason): unanswered[reason, default: 0] += 1
      }
    }
    return moves
  }

  /// What came of it, in one line for people.
  func message(items: Int, accepted: Int) -> String {
    let waiting = suggestions.count - accepted
    var parts: [String] = []
    if let unchangedSince {
      parts.append("\(counted(items)), unchanged since the check at \(Timestamp.text(unchangedSince)); nothing was asked")
    } else {
      let answered = items - unanswered.values.reduce(0, +)
      let tenths = answered == 0 ? 0 : (1000 * agreed + answered / 2) / answered
      let share = answered == 0 ? "" : ", \(agreed) agree (\(tenths / 10).\(tenths % 10) %)"
      parts.append("\(counted(answered)) checked\(share)")
    }
    if isOvertaken { parts.append("a later check of this list finished first, so its results stand") }
    if accepted > 0 { parts.append("\(counted(accepted, "suggestion")) accepted") }
    if waiting > 0 { parts.append("\(counted(waiting, "suggestion")): `aisle suggestions review`") }
    if settled > 0 { parts.append("\(settled) decided by a person") }
    if !unanswered.isEmpty {
      let reasons = unanswered.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
      parts.append("not checked: \(reasons.joined(separator: ", "))" + (isWhole ? "" : "; run the check again"))
    }
    return parts.joined(separator: "; ")
  }
}
