extension ProcessStrategy {
  /// A program and how it is treated.
  public struct Settings: Sendable {
    /// The name in chains, output and messages: lower-case letters, digits and hyphens.
    public var name: String
    /// The program and its arguments; a program without a slash is looked for in `PATH`.
    public var command: [String]
    /// The variables that the program gets although they may hold a key: it gets no others whose name begins with `AISLE_LLM_`, or has a
    /// word, between underscores, that ends with `KEY`, `TOKEN`, `SECRET`, `PASSWORD` or `CREDENTIAL`, also in the plural.
    public var environment: [String] = []
    /// How long the program may take to answer a request of at most 64 items, its start included where it does not run yet.
    public var timeout: Duration
    /// Whether `decide` throws when the program fails, instead of leaving its items to the next strategy.
    public var isRequired: Bool
    /// Whether `decide` also throws for a single answer that is of no use: for tests of a program.
    public var isStrict: Bool
    /// Gets each line of the conversation, cut to `longestTrace` characters: `> ` before what is sent, `< ` before what comes back.
    public var trace: (@Sendable (String) -> Void)?

    /// How many characters of a line `trace` gets.
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
