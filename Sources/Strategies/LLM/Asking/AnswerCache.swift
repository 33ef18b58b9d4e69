import Synchronization

/// The question that a model is asked about items.
public enum ModelTask: String, Sendable, CaseIterable {
  /// Where an item belongs.
  case categorize
  /// Whether an item is in the right section. Answers are kept by the item, a tab, and its current section.
  case check
}

/// The key of kept answers, in addition to the normalized item.
public struct AnswerContext: Sendable, Hashable {
  /// The task.
  public let task: ModelTask
  /// The API.
  public let provider: ModelProvider
  /// The model.
  public let model: String
  /// The version of the prompt.
  public let promptVersion: Int
  /// The fingerprint of the sections and their shelves: 16 hexadecimal digits.
  public let sections: String
  /// Whether the model may propose sections.
  public let allowsNewSections: Bool

  /// Makes a context, for caches outside this library.
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
  /// The prompt version of this library; it cannot use answers to other prompts.
  public static var currentPromptVersion: Int { Prompt.version }

  /// What follows a kept section that the model only guessed.
  public static var guessMark: String { Prompt.guessMark }
}

/// Keeps a model's answers from run to run.
public protocol AnswerCache: Sendable {
  /// The known answers, by normalized item.
  ///
  /// - Throws: If the cache cannot be read; then the model is asked.
  func answers(to items: [String], in context: AnswerContext) throws -> [String: ModelAnswer]

  /// Keeps answers, by normalized item. Receives only sections, including ones that the store does not have.
  ///
  /// - Throws: If they cannot be kept; that is reported, and the run continues.
  func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) throws
}

/// Keeps up to 200,000 answers in memory; then it starts over.
public final class MemoryAnswerCache: AnswerCache {
  private static let most = 200_000

  private let kept = Mutex<[AnswerContext: [String: ModelAnswer]]>([:])

  /// Makes an empty cache.
  public init() {}

  /// The known answers, by normalized item.
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
