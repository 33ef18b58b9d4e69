import AisleCatalog
import AisleCore
import AisleFiles
import AisleItems
import AisleReporting
import ArgumentParser
import LearnedStrategy
import LLMStrategy

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Let a language model check a list and suggest other sections.",
    discussion: """
      The local chain decides the items, and the model reviews each one with its section; an item that nothing decides is shown without \
      one. A field or column `category` gives an item's section in place of the chain, and the field `id` comes back unchanged with each \
      suggestion; --id and --category name other fields or columns. Where the model disagrees, its section is saved as a suggestion, which \
      teaches nothing until a person accepts it. Prints one line per suggestion: its number, the item, its section, the suggested section, \
      the model, the time, and the item's id if the list has ids. In a pipe, columns are separated by tabs. Without --llm, Anthropic is \
      asked; the key is read as in `aisle categorize`.

      Checking an unchanged list again makes no requests; --llm-cache refresh checks it anyway. A new check replaces the pending \
      suggestions of earlier checks of the list. A list with items that got no answer does not count as checked: the next check asks about \
      them. Ctrl-C keeps what was suggested so far. A change that a person makes during the check outranks the model's answer.

      Examples:
        aisle check groceries.txt
        aisle check groceries.txt --accept-all
        aisle check --input-format jsonl --field name --format jsonl < items.jsonl
        aisle check --category aisle --id sku groceries.csv
        aisle check list.txt --llm openai --llm-url http://localhost:11434
        aisle suggestions review

      Exit codes: 0 done, with or without suggestions; 2 the list cannot be read, records were bad, or the model did not give \
      all items a section; 64 usage; 130 interrupted.
      """)

  @Argument(help: "The list; `-` is standard input.", completion: .file())
  var file = "-"

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  @Flag(help: "Accept each suggestion whose section the store has.")
  var acceptAll = false

  @Option(
    help: ArgumentHelp(
      "The list's name, by which the next check recognizes it.",
      discussion: "Default: the file's path. Items from standard input are always a separate list.", valueName: "name"))
  var list: String?

  @Option(help: "Output format: table or jsonl.")
  var format = CheckFormat.table

  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp("The field or column with the list's own id of each item (default: id, if there).", valueName: "name"))
  var id: String?

  @Option(
    help: ArgumentHelp(
      "The field or column with each item's section (default: category, if there).", valueName: "name"))
  var category: String?

  @Flag(help: "Write the cost to standard error.")
  var summary = false

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if list?.isEmpty == true { throw ValidationError("--list needs a name.") }
    if let list, !CorrectionStore.isText(list) {
      throw ValidationError("--list may have at most \(CorrectionStore.maximumTextBytes) bytes.")
    }
    let setup = try input.setup(for: [file])
    if setup.format == .lines, let option = id != nil ? "--id" : category != nil ? "--category" : nil {
      throw ValidationError("\(option) needs jsonl, json, csv, or tsv input; add --input-format jsonl.")
    }
  }

  private var fields: CheckFields { CheckFields(id: id, category: category) }

  /// The list could not be read, and that has been said.
  struct Unreadable: Error {}

  @MainActor
  func run() async throws {
    do { try await check() } catch is Unreadable { throw ExitCode(2) }
  }

  @MainActor
  private func check() async throws {
    // What happens from now on is news to the model.
    let start = Timestamp.now
    let diagnostics = Diagnostics(style: color.style(for: .standardError, environment: Environment.all))
    let opened = try open()
    guard let database = opened.database else {
      throw CommandFailure(description: "suggestions are saved in the corrections file; name one with --db or AISLE_DB")
    }
    let setup = try input.setup(for: [file])
    let checked = try await CheckedList.read(file, setup, fields, opened.local, diagnostics)
    let store = opened.local.taxonomy.store
    if checked.unfit > 0 {
      diagnostics.error("\(counted(checked.unfit)) left out: an item needs a letter or digit and at most 512 bytes")
    }
    let context = ListChecker.context(try opened.model.offline, opened.local.taxonomy)
    let fingerprint = checked.fingerprint(context)
    let name = list ?? (file == "-" ? "standard input \(fingerprint)" : FileReader.resolved(file) ?? file)
    // Before anything is paid for.
    if !CorrectionStore.isText(name) {
      throw CommandFailure(
        description: "the path has more than \(CorrectionStore.maximumTextBytes) bytes; give the list a shorter name with --list")
    }
    let run = CheckRun(
      list: name, store: store, start: start, checked: checked, taxonomy: opened.local.taxonomy, context: context,
      fingerprint: fingerprint)
    var outcome = try opened.model.offline.cacheUse == .refresh ? nil : try run.unchanged(try reading(database))
    if outcome == nil {
      // A list that has become empty costs nothing, and what was suggested for it waits no longer.
      let settings = try checked.items.isEmpty ? opened.model.offline : opened.model.settings()
      let corrections = try CorrectionStore(database, access: .writing)
      outcome = try await ask(run, settings, corrections) {
        let now = try open().local
        return file == "-"
          ? try await checked.decidedAnew(by: now)
          : try await CheckedList.read(file, setup, fields, now, Diagnostics(style: diagnostics.style, isSilent: true))
      }
    }
    guard let outcome else { return }
    let accepted = acceptAll ? try accept(outcome, run, database) : []
    try run.write(outcome.suggestions.map { suggestion in accepted.first { $0.id == suggestion.id } ?? suggestion }, format)
    var said = Style.visible(outcome.message(items: checked.items.count, accepted: accepted.count)) + "\n"
    if let report = outcome.report, summary { said += ModelSummary.render(context.name, report, did: "checked") }
    // Also after Ctrl-C, when nothing else is said.
    said.withUTF8 { Descriptor.standardError.finish(UnsafeRawBufferPointer($0)) }
    try Interruption.check()
    if checked.faults > 0 || !outcome.isWhole { throw ExitCode(2) }
  }

  /// What a check needs, opened.
  private struct Opened {
    let local: OpenedChain
    let database: String?
    let model: CheckModel
  }

  /// Opens the store and the local part of the chain, as they are now.
  @MainActor
  private func open() throws -> Opened {
    var settled = try chain.settle(model: model.given)
    let model = try CheckModel(settled)
    guard let local = settled.chain.value.local else {
      throw CommandFailure(description: "chain: it has only `llm`, which checks what other strategies decide; add keyword")
    }
    settled.chain = Settled(value: local, origin: settled.chain.origin)
    settled.mayMakeFile = true
    return Opened(local: try settled.open(), database: settled.corrections.value, model: model)
  }

  private func reading(_ path: String) throws -> CorrectionStore? {
    do { return try CorrectionStore(path, access: .reading) } catch let error where error.kind == .missing { return nil }
  }

  /// Asks the model, and records what it suggests.
  ///
  /// - Parameter reread: Gives the list as it is by now.
  @MainActor
  private func ask(
    _ run: CheckRun, _ settings: ModelSettings, _ corrections: CorrectionStore, reread: () async throws -> CheckedList
  ) async throws -> CheckRun.Outcome {
    let diagnostics = Diagnostics(style: color.style(for: .standardError, environment: Environment.all))
    let checker = ListChecker(
      settings, taxonomy: run.taxonomy, cache: AisleCommand.modelRecord, log: AisleCommand.modelRecord,
      interruption: Interruption.wakeUp, remark: { diagnostics.error($0.replacing("strategy `llm`: ", with: "")) })
    let progress = Progress(isOutputLast: true)
    AisleCommand.modelRecord.onRequest { progress.count($0) }
    defer { progress.clear() }
    let entries = run.checked.entries
    let verdicts: [ListChecker.Verdict]
    do {
      verdicts = try await Interruption.ending { try await checker.check(entries) }
    } catch is Interruption {
      verdicts = checker.verdictsSoFar(on: entries)
    }
    var outcome = CheckRun.Outcome(report: checker.report)
    let moves = outcome.take(verdicts, of: run)
    let standing = moves.isEmpty || Interruption.isRequested ? run.checked.places : try await reread().places
    // What a person has changed meanwhile is no longer what was asked about.
    let valid = moves.filter { standing.contains(CheckedList.place(entries[$0.key])) }
    outcome.settled = moves.count - valid.count
    try run.record(valid, &outcome, corrections)
    return outcome
  }

  /// Accepts what is suggested and can be learned.
  @MainActor
  private func accept(_ outcome: CheckRun.Outcome, _ run: CheckRun, _ database: String) throws -> [NumberedSuggestion] {
    let known = outcome.suggestions.filter { run.taxonomy.section(named: $0.suggestion.to) != nil }
    let unknown = Set(outcome.suggestions.map(\.suggestion.to)).filter { run.taxonomy.section(named: $0) == nil }.sorted()
    if !unknown.isEmpty {
      Descriptor.standardError.tell(
        Style.visible(
          "aisle: \(run.store) has no section \(unknown.joined(separator: ", ")): not accepted; add it with `aisle stores "
            + "add-section \(unknown[0].shellWord) --store \(run.store)`, or accept with --section") + "\n")
    }
    if known.isEmpty { return [] }
    return try CorrectionStore(database, access: .writing).decide(known.map(\.id), .accept, by: Person.user, time: Timestamp.now)
      .suggestions
  }
}
