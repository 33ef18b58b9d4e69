import AisleCatalog
import AisleCore
import AisleItems
import AisleReporting
import ArgumentParser
import LLMStrategy

struct CollectBatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Write each item with its section, once the batch is answered.",
    discussion: """
      Writes one line per item, with a tab and its section, like `aisle categorize`. The job file stays, so the command can be \
      repeated.

      Examples:
        aisle llm batch collect groceries.txt > sections.tsv

      Exit codes: 0 done; 1 not everything is answered yet; 2 the server could not be asked, or requests failed; 64 usage.
      """)

  @OptionGroup var options: BatchOptions

  @Flag(help: "Add the confidence, strategy, keyword, span, rule, file:line, and runner-up.")
  var explain = false

  @Flag(help: "Write the cost to standard error.")
  var summary = false

  @MainActor
  func run() async throws {
    let job = try options.existing()
    let opened = try options.open(model: job.model)
    let (batches, outcome) = try await Self.outcome(of: job, opened.runner, options.words)
    let cache = MemoryAnswerCache()
    cache.keep(outcome.answers, in: outcome.context)
    Self.keep(outcome, opened.settings, batches)
    var settings = opened.settings
    settings.cacheUse = .only
    // A batch asks about each item alone.
    settings.usesNeighbors = false
    let model = LanguageModelStrategy(settings, taxonomy: opened.taxonomy, cache: cache)
    let chain = opened.chain(with: model)
    let metadata = chain.links.map(\.strategy.metadata)
    var pipeline = Pipeline(
      categorizer: try Categorizer(taxonomy: opened.taxonomy, chain: chain),
      setup: InputSetup(format: .lines, isFormatNamed: true),
      makePresenter: { _ in TSVPresenter(taxonomy: opened.taxonomy, input: .lines, explained: explain ? metadata : nil) },
      jobs: Environment.processorCount, isLineBuffered: false, output: .standardOutput,
      diagnostics: Diagnostics(style: ColorChoice.auto.style(for: .standardError, environment: Environment.all)))
    try await pipeline.run(paths: [options.file])
    if summary { Descriptor.standardError.tell(ModelSummary.line(job.model, outcome.report) + "\n") }
    if let failure = failure(outcome) { throw CommandFailure(description: failure) }
    if pipeline.failures > 0 { throw ExitCode(2) }
  }

  /// What is missing, and the command that asks for it again; `nil` where nothing is.
  private func failure(_ outcome: BatchRunner.Outcome) -> String? {
    if outcome.unanswered == 0 { return nil }
    var text = "\(counted(outcome.unanswered)) undecided"
    if outcome.report.failures > 0 {
      let reasons = outcome.failures.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      let said = outcome.firstFault.map { " (\(Style.visible($0)))" } ?? ""
      text += ": \(outcome.report.failures) of \(outcome.report.requests) requests failed: \(reasons)\(said)"
    }
    return text + "; ask again with `aisle llm batch submit \(options.words) --again`"
  }

  /// What a job brought, once its parts have ended.
  static func outcome(
    of job: BatchJob, _ runner: BatchRunner, _ words: String
  ) async throws -> (batches: [MessageBatch], outcome: BatchRunner.Outcome) {
    let batches = try await Interruption.ending { try await runner.status(of: job) }
    guard job.isSubmitted, batches.allSatisfy(\.hasEnded) else {
      Descriptor.standardError.tell("not everything is answered yet; see `aisle llm batch status \(words)`\n")
      throw ExitCode(1)
    }
    return (batches, try await Interruption.ending { try await runner.collect(job) })
  }

  /// Keeps what a job brought for other runs.
  @MainActor
  static func keep(_ outcome: BatchRunner.Outcome, _ settings: ModelSettings, _ batches: [MessageBatch]) {
    let id = batches.map(\.id).joined(separator: " ")
    do { try AisleCommand.modelRecord.keep(outcome, of: settings, id: id) } catch {
      Descriptor.standardError.tell("aisle: cannot keep the answers: \(Style.visible("\(error)"))\n")
    }
  }
}
