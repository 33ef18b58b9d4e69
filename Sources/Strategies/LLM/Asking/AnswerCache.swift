import Synchronization

/// What a model is asked about items.
public enum ModelTask: String, Sendable, CaseIterable {
  /// Where an item belongs.
  case categorize
  /// Whether an item stands where it belongs. Answers are kept by the item, a tab, and the section where it stands.
  case check
}

/// What answers are kept by, beside the normalized item.
public struct AnswerContext: Sendable, Hashable {
  /// What is asked.
  public let task: ModelTask
  /// The API.
  public let provider: ModelProvider
  /// The model.
  public let model: String
  /// The version of the prompt.
  public let promptVersion: Int
  /// What tells whether the sections and their goods are the same: 16 hexadecimal digits.
  public let sections: String
  /// Whether the model may propose sections.
  public let allowsNewSections: Bool

  /// Makes a context, for those who keep answers elsewhere.
  public init(
    task: ModelTask, provider: ModelProvider, model: String, promptVersion: Int, sections: String, allowsNewSections: Bool
  ) {
    self.task = task
    self.provider = provider
    self.model = model
    self.promptVersion = promptVersion
    self.sections = sections
    self.allowsNewSections = allowsNewSections
  }

  init(_ settings: ModelSettings, _ prompt: Prompt) {
    task = prompt.task
    provider = settings.provider
    model = settings.model
    promptVersion = Prompt.version
    sections = prompt.fingerprint
    allowsNewSections = settings.allowsNewSections
  }
}

extension AnswerContext {
  /// The version of the prompt of this version of the library: answers to others are of no use to it.
  public static var currentPromptVersion: Int { Prompt.version }
}

/// Keeps a model's answers from run to run.
public protocol AnswerCache: Sendable {
  /// The answers that are known, by normalized item.
  ///
  /// - Throws: when the cache cannot be read; the model is then asked.
  func answers(to items: [String], in context: AnswerContext) throws -> [String: ModelAnswer]

  /// Keeps answers, by normalized item. Only sections and off-list answers come here.
  ///
  /// - Throws: when they cannot be kept; that is remarked, and the run goes on.
  func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) throws
}

/// Keeps answers for as long as it is there, up to 200,000 of them; then it begins anew.
public final class MemoryAnswerCache: AnswerCache {
  private static let most = 200_000

  private let kept = Mutex<[AnswerContext: [String: ModelAnswer]]>([:])

  /// Makes an empty cache.
  public init() {}

  /// The answers that are known, by normalized item.
  public func answers(to items: [String], in context: AnswerContext) -> [String: ModelAnswer] {
    kept.withLock { kept in
      guard let known = kept[context] else { return [:] }
      return Dictionary(items.compactMap { item in known[item].map { (item, $0) } }) { first, _ in first }
    }
  }

  /// Keeps answers, by normalized item.
  public func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) {
    kept.withLock { kept in
      if kept.values.reduce(0, { $0 + $1.count }) > Self.most { kept.removeAll() }
      kept[context, default: [:]].merge(answers) { $1 }
    }
  }
}
