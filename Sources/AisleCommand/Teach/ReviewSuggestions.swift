import ArgumentParser
import LearnedStrategy

struct ReviewSuggestions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "Review the suggestions on the terminal, one key per decision.",
    discussion: """
      a accepts, d dismisses, e accepts with another section, u undoes the last decision of this review, s skips, and q quits. \
      Each decision is saved at once. If you choose another section with e, the correction is yours, not the model's. Works on any \
      terminal, even over ssh and without color.

      Examples:
        aisle suggestions review
        aisle suggestions review --color never

      Exit codes: 0 done; 2 no terminal, or the file cannot be written; 64 usage; 130 interrupted.
      """)

  @Option(help: ArgumentHelp("Only suggestions for this store.", valueName: "id"), completion: NameCompletion.store)
  var store: String?

  @Option(help: ArgumentHelp("Who decides (default: your user name).", valueName: "name"))
  var by: String?

  @OptionGroup var options: CorrectionStoreOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  @MainActor
  func run() async throws {
    let person = try Person.named(by)
    guard let keys = KeyReader() else {
      throw CommandFailure(
        description: "standard input is not a terminal; use `aisle suggestions accept` and `dismiss` instead")
    }
    guard try options.openIfThere() != nil else { return Descriptor.standardError.tell("no suggestions\n") }
    let corrections = try options.open(.writing)
    let style = color.style(for: .standardOutput, environment: Environment.all)
    var review = try SuggestionReview(
      corrections, only: store, by: person, keys: keys, style: style, taxonomy: options.taxonomy)
    // Before the first question, so that a quick answer to it is a key already.
    keys.open()
    defer { keys.close() }
    try review.run()
  }
}
