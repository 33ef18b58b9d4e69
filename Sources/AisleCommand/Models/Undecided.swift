import AisleCore
import LLMStrategy

/// What a model left undecided, for people.
enum Undecided {
  /// How many items, and why, in words: `3 items, off-list 2, refused 1`; `nil` where there are none.
  ///
  /// - Parameter doing: What was not done with them, e.g. `undecided`.
  static func line(_ reasons: [ModelAnswer.Abstention: Int], doing: String = "undecided") -> String? {
    let count = reasons.values.reduce(0, +)
    if count == 0 { return nil }
    return "\(counted(count)) \(doing): \(list(reasons)); \(remedies(reasons).joined(separator: "; "))"
  }

  /// The reasons with their counts, most first.
  static func list(_ reasons: [ModelAnswer.Abstention: Int]) -> String {
    reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { "\($0.key.rawValue) \($0.value)" }
      .joined(separator: ", ")
  }

  /// What to do, each thing once.
  static func remedies(_ reasons: [ModelAnswer.Abstention: Int]) -> [String] {
    var remedies: [String] = []
    for reason in ModelAnswer.Abstention.allCases.reversed() where reasons[reason] != nil {
      let remedy = remedy(reason)
      if !remedies.contains(remedy) { remedies.append(remedy) }
    }
    return remedies
  }

  private static func remedy(_ reason: ModelAnswer.Abstention) -> String {
    switch reason {
    case .interrupted: "run it again to go on; kept answers cost nothing"
    case .failed: "run it again when the server answers; kept answers cost nothing"
    case .capped: "run it again with a higher cap; kept answers cost nothing"
    case .uncached: "run it without --llm-cache only to ask"
    case .refused, .truncated, .missing, .repeated: "reword what the model does not answer, or teach it with `aisle correct`"
    case .offList: "teach what the model has no section for with `aisle correct`"
    }
  }
}
