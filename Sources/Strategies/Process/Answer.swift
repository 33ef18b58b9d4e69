/// What a program says of one item.
enum Answer: Sendable, Hashable {
  case match(section: String, confidence: Double, evidence: String)
  case abstain
  /// The program could not decide it, and says why.
  case error(String)
  /// It is no answer, and why.
  case invalid(String)
}
