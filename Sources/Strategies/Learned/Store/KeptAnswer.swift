/// What a language model answered about an item, kept so that it need not be asked again.
public struct KeptAnswer: Sendable, Hashable {
  /// What answers depend on beside the item.
  public struct Source: Sendable, Hashable {
    /// What was asked, e.g. `categorize`.
    public var task: String
    /// The API.
    public var provider: String
    /// The model; empty where the server chooses.
    public var model: String
    /// The version of the prompt.
    public var prompt: Int
    /// What tells whether the sections and their goods are the same: 16 hexadecimal digits.
    public var sections: String
    /// Whether the model might propose sections.
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

  /// An item as it is asked about.
  public struct Question: Sendable, Hashable {
    /// The item in normalized form.
    public var item: String
    /// The section where it stood; empty where that was no part of the question.
    public var present: String

    /// Makes a question.
    public init(_ item: String, present: String = "") {
      self.item = item
      self.present = present
    }
  }

  /// What it depends on beside the item.
  public var source: Source
  /// The item.
  public var question: Question
  /// The section; `nil` where the answer was none that could be used.
  public var section: String?
  /// Whether the store lacked that section.
  public var isNew: Bool
  /// When, in milliseconds since the beginning of 1970 in UTC.
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
