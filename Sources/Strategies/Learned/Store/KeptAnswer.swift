/// A language model's answer about an item, kept so that the model does not have to be asked again.
public struct KeptAnswer: Sendable, Hashable {
  /// What answers depend on besides the item.
  public struct Source: Sendable, Hashable {
    /// The task, e.g. `categorize`.
    public var task: String
    /// The API.
    public var provider: String
    /// The model; empty if the server chooses.
    public var model: String
    /// The version of the prompt.
    public var prompt: Int
    /// The fingerprint of the sections and their shelves: 16 hexadecimal digits.
    public var sections: String
    /// Whether the model could propose sections.
    public var allowsNewSections: Bool

    /// Makes a source.
    public init(
      task: String, provider: String, model: String, prompt: Int, sections: String, allowsNewSections: Bool
    ) {
      self.task = task
      self.provider = provider
      self.model = model
      self.prompt = prompt
      self.sections = sections
      self.allowsNewSections = allowsNewSections
    }
  }

  /// A question about an item.
  public struct Question: Sendable, Hashable {
    /// The item in normalized form.
    public var item: String
    /// Its section in the question, or `(beside …)` with a hash of the neighbors that went along; empty if the question had neither.
    public var present: String

    /// Makes a question.
    public init(_ item: String, present: String = "") {
      self.item = item
      self.present = present
    }
  }

  /// What it depends on besides the item.
  public var source: Source
  /// The item.
  public var question: Question
  /// The section; `nil` if the answer was unusable.
  public var section: String?
  /// Whether the store lacked the section.
  public var isNew: Bool
  /// The time, in milliseconds since the beginning of 1970 in UTC.
  public var time: Int

  /// Makes an answer.
  public init(source: Source, question: Question, section: String?, isNew: Bool = false, time: Int) {
    self.source = source
    self.question = question
    self.section = section
    self.isNew = isNew
    self.time = time
  }
}
