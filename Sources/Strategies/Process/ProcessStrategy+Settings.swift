extension ProcessStrategy {
  /// A program and its settings.
  public struct Settings: Sendable {
    /// The name in chains, output, and messages: lowercase letters, digits, and hyphens.
    public var name: String
    /// The program and its arguments; a program without a slash is looked up in `PATH`.
    public var command: [String]
    /// The variables to pass to the program even if they may hold a key. It gets no other variables whose name begins with `AISLE_LLM_`,
    /// or has a word, between underscores, that ends with `KEY`, `TOKEN`, `SECRET`, `PASSWORD`, or `CREDENTIAL`, singular or plural.
    public var environment: [String] = []
    /// How long the program may take to answer a request of at most 64 items, including its start if it is not running.
    public var timeout: Duration
    /// Whether `decide` throws if the program fails, instead of leaving its items to the next strategy.
    public var isRequired: Bool
    /// Whether `decide` also throws for a single unusable answer. Used for testing programs.
    public var isStrict: Bool
    /// Receives each line of the conversation, cut to `longestTrace` characters: `> ` marks sent lines, and `< ` received ones.
    public var trace: (@Sendable (String) -> Void)?

    /// How many characters of a line `trace` receives.
    public static let longestTrace = 300

    /// Describes a program.
    public init(
      name: String, command: [String], timeout: Duration = .seconds(10), isRequired: Bool = false, isStrict: Bool = false
    ) {
      self.name = name
      self.command = command
      self.timeout = timeout
      self.isRequired = isRequired
      self.isStrict = isStrict
    }
  }
}
