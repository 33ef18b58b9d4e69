/// An item to be labeled, with what the chain says about it.
public struct LabelQuestion: Sendable, Hashable {
  /// The item.
  public let item: String
  /// What the chain answers.
  public let answer: LabelCandidate
  /// How sure the chain is, in 0…1.
  public let confidence: Float
  /// Why it answers that, a line each: the evidence with its file and line, the rule, and what another strategy says.
  public let reasons: [String]
  /// Other labels that something speaks for, the runner-up first; at most `mostCandidates`.
  public let candidates: [LabelCandidate]

  /// How many candidates there are at most: as many as there are digits to choose them by.
  public static let mostCandidates = 9
}

/// A label that an item may get.
public struct LabelCandidate: Sendable, Hashable {
  /// The label: a shelf, where one is known, or else a section. `nil` for a section that the store does not have.
  public let label: String?
  /// The section that the label stands for in the store.
  public let section: String
  /// What speaks for it, in a few words.
  public let reason: String

  /// The label as people read it: `plant-milk (Dairy & Eggs)`, or a section alone.
  public var text: String {
    guard let label, label != section else { return section }
    return "\(label) (\(section))"
  }
}
