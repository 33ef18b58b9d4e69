/// The outcome of a question.
public enum ModelAnswer: Sendable, Hashable {
  /// A section of the store, by its name.
  case section(String)
  /// A section that the store does not have.
  case newSection(String)
  /// No answer.
  case none(Abstention)

  /// Why there is no answer.
  public enum Abstention: String, Sendable, Hashable, CaseIterable {
    /// The store does not have the section.
    case offList = "off-list"
    /// The item is missing from the answer.
    case missing
    /// The item appears in the answer more than once.
    case repeated
    /// The model refused the request.
    case refused
    /// The answer was cut off.
    case truncated
    /// A cap is reached.
    case capped
    /// The request failed.
    case failed
    /// The run was interrupted before there was an answer.
    case interrupted
    /// The answer is not in the cache, and requests are not allowed.
    case uncached = "not in the cache"
  }

  /// Whether the same question would be answered the same, so that the answer may be kept.
  var isLasting: Bool {
    switch self {
    case .section, .newSection, .none(.offList): true
    case .none: false
    }
  }

  /// Whether an answer from a cache may be used: caches are files, which others may have written.
  var isSound: Bool {
    if case .newSection(let name) = self { AnswerCheck.isName(name) } else { true }
  }
}
