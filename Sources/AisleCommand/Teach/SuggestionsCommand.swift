import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy

struct SuggestionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggestions", abstract: "List proposed section changes, and accept or dismiss them.",
    discussion: """
      Nothing is learned until a person accepts it. A dismissed suggestion is not proposed again for the same item and sections.

      Examples:
        aisle suggestions
        aisle suggestions review
        aisle suggestions accept 3 4 7
        aisle suggestions accept 5 --section Snacks
        aisle suggestions dismiss --all
      """,
    subcommands: [
      ListSuggestions.self, AcceptSuggestions.self, DismissSuggestions.self, ReviewSuggestions.self, ExportSuggestions.self,
      ImportSuggestions.self,
    ], defaultSubcommand: ListSuggestions.self)
}

/// Which suggestions are shown.
enum StateChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
  case pending, accepted, dismissed, superseded, all

  var state: Suggestion.State? { Suggestion.State(rawValue: rawValue) }
}

struct ListSuggestions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the suggestions, oldest first.",
    discussion: """
      Prints one line per suggestion: its number, the item, its section, the suggested section, the confidence, who or what \
      proposed it, the model, the time, its store, and its state. In a pipe, columns are separated by tabs.

      Examples:
        aisle suggestions list
        aisle suggestions list --state all

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Option(help: "Which ones: pending, accepted, dismissed, superseded, or all.")
  var state = StateChoice.pending

  @Option(help: ArgumentHelp("Only suggestions for this store.", valueName: "id"), completion: NameCompletion.store)
  var store: String?

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let suggestions = try options.openIfThere()?.suggestions(state.state) ?? []
    let rows = suggestions.filter { store == nil || $0.suggestion.store == store }.map { numbered in
      let suggestion = numbered.suggestion
      let confidence = suggestion.confidence.map { Explanation.hundredths(Float($0)) } ?? ""
      return [
        "\(numbered.id)", suggestion.item, suggestion.from, suggestion.to, confidence, suggestion.origin.proposer,
        suggestion.origin.model ?? "", Timestamp.text(suggestion.origin.time), suggestion.store, suggestion.state.rawValue,
      ].map(Style.visible)
    }
    try TextTable.write(rows)
    if rows.isEmpty { Descriptor.standardError.tell("no suggestions\n") }
  }
}

/// The suggestions that a command is about.
struct SuggestionChoice: ParsableArguments {
  @Argument(help: "The suggestions' numbers.")
  var numbers: [Int] = []

  @Flag(help: "Use all pending suggestions.")
  var all = false

  func validate() throws {
    if numbers.isEmpty != all { throw ValidationError("Name suggestion numbers or use --all, but not both.") }
  }

  func ids(in store: CorrectionStore) throws -> [Int] { all ? try store.suggestions().map(\.id) : numbers }
}

struct AcceptSuggestions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept suggestions: each teaches a correction.",
    discussion: """
      Either all of them change or none. `aisle corrections undo` undoes it. A correction says who accepted it. With a --section \
      other than the proposed one, it is the person's own, and `aisle corrections forget --model` leaves it alone.

      Examples:
        aisle suggestions accept 3 4 7
        aisle suggestions accept 5 --section Snacks
        aisle suggestions accept --all

      Exit codes: 0 done; 2 no such suggestion, or it was already decided; 64 usage.
      """)

  @OptionGroup var choice: SuggestionChoice

  @Option(
    help: ArgumentHelp("The section to use instead of the proposed one.", valueName: "name"), completion: NameCompletion.section)
  var section: String?

  @Option(help: ArgumentHelp("Who accepts them (default: your user name).", valueName: "name"))
  var by: String?

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let person = try Person.named(by)
    let store = try options.open(.writing)
    let ids = try choice.ids(in: store)
    let outcome = try SuggestionDecision(store: store, taxonomy: options.taxonomy).accept(
      ids, section: section, by: person)
    try TextTable.write(outcome.corrections.map { [$0.item, $0.section].map(Style.visible) })
    var missing: Set<[String]> = []
    for correction in outcome.corrections where missing.insert([correction.store, correction.section]).inserted {
      if let taxonomy = options.taxonomy(correction.store), taxonomy.section(named: correction.section) == nil {
        Descriptor.standardError.tell(
          Style.visible(
            "aisle: \(correction.store) has no section \(correction.section): the correction is not used until the section exists; "
              + "`aisle stores add-section \(correction.section.shellWord) --store \(correction.store)` adds it"
          )
            + "\n")
      }
    }
  }
}

struct DismissSuggestions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss", abstract: "Dismiss suggestions: they are not proposed again.",
    discussion: """
      Either all of them change or none. `aisle corrections undo` undoes it.

      Examples:
        aisle suggestions dismiss 3 4
        aisle suggestions dismiss --all

      Exit codes: 0 done; 2 no such suggestion, or it was already decided; 64 usage.
      """)

  @OptionGroup var choice: SuggestionChoice

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let store = try options.open(.writing)
    let outcome = try store.decide(try choice.ids(in: store), .dismiss, time: Timestamp.now)
    let count = outcome.suggestions.count
    Descriptor.standardError.tell("dismissed \(counted(count, "suggestion"))\n")
  }
}

struct ExportSuggestions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the suggestions as JSON lines.",
    discussion: """
      Includes the state of each suggestion. `aisle suggestions import` restores them without loss.

      Examples:
        aisle suggestions export > suggestions.jsonl
        aisle suggestions export --state dismissed

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Option(help: "Which ones: pending, accepted, dismissed, superseded, or all.")
  var state = StateChoice.all

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let writer = JSONLineWriter()
    for numbered in try options.openIfThere()?.suggestions(state.state) ?? [] {
      SuggestionLine.write(numbered.suggestion, to: writer)
    }
    try writer.write()
  }
}

struct ImportSuggestions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import suggestions from JSON lines.",
    discussion: """
      Each line is an object with store, item, from, to, by, time, and optionally shelf, confidence, list, model, and state. An \
      existing suggestion stays as it is, unless it is pending: then it takes the state of the line. Either all lines are imported \
      or none.

      Examples:
        aisle suggestions import suggestions.jsonl
        other-tool | aisle suggestions import -

      Exit codes: 0 done; 2 a line is wrong, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The file; `-` is standard input.", completion: .file(extensions: ["jsonl"]))
  var file: String

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let suggestions = try JSONLines.read(file, SuggestionLine.read)
    let outcome = try options.open(.writing).importSuggestions(suggestions)
    Descriptor.standardError.tell("suggestions: \(outcome.summary)\n")
  }
}

extension CorrectionStore.Outcome {
  /// The numbers in words.
  var summary: String { "\(added) new, \(replaced) changed, \(unchanged) unchanged" }
}
