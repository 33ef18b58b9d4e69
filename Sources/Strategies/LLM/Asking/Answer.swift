/// What became of a question.
public enum ModelAnswer: Sendable, Hashable {
  /// A section of the store, by its name.
  case section(String)
  /// A section that the store does not have.
  case newSection(String)
  /// No answer.
  case none(Abstention)

  /// Why there is no answer.
  public enum Abstention: String, Sendable, Hashable, CaseIterable {
    /// The section is none of the store's.
    case offList = "off-list"
    /// The answer leaves the item out.
    case missing
    /// The answer has the item more than once.
    case repeated
    /// The model refused the request.
    case refused
    /// The answer was cut off.
    case truncated
    /// A cap is reached.
    case capped
    /// The request failed.
    case failed
    /// It is not in the cache, and nothing else may be asked.
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
