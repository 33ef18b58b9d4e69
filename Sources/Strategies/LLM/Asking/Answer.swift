/// The outcome of a question.
public enum ModelAnswer: Sendable, Hashable {
  /// A section of the store, by its name.
  case section(String)
  /// A section of the store that the model only guesses.
  case guess(String)
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

  /// Whether the answer may be kept from run to run. What the model made up is not: it may do better next time.
  var isLasting: Bool {
    switch self {
    case .section, .guess, .newSection: true
    case .none: false
    }
  }

  /// Whether asking again in this run would bring nothing else.
  var isSettled: Bool {
    switch self {
    case .none(.capped), .none(.failed), .none(.interrupted), .none(.uncached): false
    default: true
    }
  }

  /// Whether a request lost the item, so that a smaller one may do better.
  var isLost: Bool {
    switch self {
    case .none(.refused), .none(.truncated), .none(.missing), .none(.repeated): true
    default: false
    }
  }

  /// Whether an answer from a cache may be used: caches are files, which others may have written.
  var isSound: Bool {
    switch self {
    case .section, .guess: true
    case .newSection(let name): AnswerCheck.isName(name)
    case .none: false
    }
  }
}
