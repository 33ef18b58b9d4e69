package import AisleCore
package import AisleItems
package import LearnedStrategy
package import LLMStrategy

/// One check of a list: what is checked, and how it is recorded.
package struct CheckRun {
  /// The list's name.
  package let list: String
  /// The store's id.
  package let store: String
  /// When it began.
  package let start: Int
  package let checked: CheckedList
  package let taxonomy: Taxonomy
  package let context: AnswerContext
  package let fingerprint: String

  /// Makes a check that has not begun.
  package init(
    list: String, store: String, start: Int, checked: CheckedList, taxonomy: Taxonomy, context: AnswerContext, fingerprint: String
  ) {
    self.list = list
    self.store = store
    self.start = start
    self.checked = checked
    self.taxonomy = taxonomy
    self.context = context
    self.fingerprint = fingerprint
  }

  /// What came of it.
  package struct Outcome {
    /// What the model took; `nil` where nothing was asked.
    package var report: ModelReport?
    /// What is suggested and waits for a person.
    package var suggestions: [NumberedSuggestion] = []
    /// How many items the model would leave where they stand.
    package var agreed = 0
    /// How many items the model would perhaps move, but only guesses where to.
    package var doubted = 0
    /// How many items got no answer, by reason.
    package var unanswered: [ModelAnswer.Abstention: Int] = [:]
    /// How many suggestions a person has decided before, or overtaken meanwhile.
    package var settled = 0
    /// How many suggestions cannot be kept, e.g. about an item without a word.
    package var unfit = 0
    /// When the check was that found the list the same.
    package var unchangedSince: Int?
    /// Whether a later check of the list was done before this one.
    package var isOvertaken = false

    /// Makes an outcome without suggestions.
    package init(report: ModelReport? = nil, unchangedSince: Int? = nil) {
      self.report = report
      self.unchangedSince = unchangedSince
    }

    /// Whether every item was checked.
    package var isWhole: Bool { unanswered.isEmpty }
  }

  /// What waits for a person since the last check, if the list is as it was then.
  package func unchanged(_ corrections: CorrectionStore?) throws -> Outcome? {
    guard let corrections, let last = try corrections.lastCheck(of: list, store: store),
      last.fingerprint == fingerprint || last.agreed == fingerprint
    else { return nil }
    var outcome = Outcome(unchangedSince: last.time)
    outcome.suggestions = try waiting(corrections)
    outcome.agreed = checked.items.count
    return outcome
  }

  /// The ids of the items that a suggestion is about, in order; none where they have none.
  package func ids(of suggestion: Suggestion) -> [RecordFields.Value] {
    let key = Normalizer.normalize(suggestion.item)
    return checked.items.filter {
      $0.entry.section == suggestion.from && Normalizer.normalize($0.entry.item) == key
    }.compactMap(\.id)
  }

  private func waiting(_ corrections: CorrectionStore) throws(CorrectionStoreError) -> [NumberedSuggestion] {
    try corrections.suggestions(ofList: list, store: store)
  }

  /// Proposes changes and, where every item was checked, remembers the list as checked.
  ///
  /// - Parameter moves: The sections that items should stand in, by their place.
  package func record(_ moves: [Int: String], _ outcome: inout Outcome, _ corrections: CorrectionStore)
    throws(CorrectionStoreError)
  {
    let origin = Origin(proposer: "llm", model: String(context.name.prefix(60)), time: start)
    var suggestions: [Suggestion] = []
    var seen: Set<[String]> = []
    for (place, section) in moves.sorted(by: { $0.key < $1.key }) {
      let entry = checked.items[place].entry
      guard seen.insert(CheckedList.place(entry)).inserted else { continue }
      let suggestion = Suggestion(
        store: store, item: entry.item, from: entry.section, to: section, list: list, origin: origin)
      // The others, which were paid for, are kept.
      if corrections.canKeep(suggestion) { suggestions.append(suggestion) } else { outcome.unfit += 1 }
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
  package mutating func take(_ verdicts: [ListChecker.Verdict], of run: CheckRun) -> [Int: String] {
    var moves: [Int: String] = [:]
    for (place, verdict) in verdicts.enumerated() {
      switch verdict {
      case .agrees: agreed += 1
      case .differs(let section), .invents(let section): moves[place] = section
      case .doubts: doubted += 1
      case .unanswered(let reason): unanswered[reason, default: 0] += 1
      }
    }
    return moves
  }
}
