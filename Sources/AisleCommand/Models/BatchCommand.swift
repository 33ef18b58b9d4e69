import AisleCatalog
import AisleCore
import AisleFiles
import AisleItems
import AisleReporting
import ArgumentParser
import LLMStrategy

struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Ask about a large file of items at half price, within 24 hours.",
    discussion: """
      Uses Anthropic's Message Batches. Each item that the local chain leaves undecided is submitted once, unless an earlier run \
      has asked about it. A job file beside the items holds the progress, so that a job survives a crash.

      Examples:
        aisle llm batch submit groceries.txt
        aisle llm batch status groceries.txt
        aisle llm batch collect groceries.txt > sections.tsv
      """, subcommands: [SubmitBatch.self, BatchStatus.self, CollectBatch.self])
}

/// Which items, and which job.
struct BatchOptions: ParsableArguments {
  @Argument(help: "The items, one per line.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The job file (default: the item file's name with .batch added).", valueName: "file"), completion: .file())
  var job: String?

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  var jobPath: String { job ?? file + ".batch" }

  /// What a batch needs, opened.
  struct Opened: Sendable {
    let taxonomy: Taxonomy
    let local: NamedChain
    let settings: ModelSettings
    let runner: BatchRunner
  }

  /// Opens the store and the local part of the chain.
  ///
  /// - Parameter model: The model; `nil` for the one of the options.
  @MainActor
  func open(model named: String? = nil) throws -> Opened {
    var settled = try chain.settle(model: model.given)
    let links = settled.chain.value.links.filter { $0.strategy != "llm" }
    if let first = links.first {
      let text = ([first] + links.dropFirst()).map(\.text).joined(separator: ",")
      settled.chain = Settled(value: try ChainSpecification(text), origin: settled.chain.origin)
    }
    let opened = try settled.open()
    let provider = settled.model.choice?.value.provider ?? .anthropic
    if settled.model.setup.cacheUse == .only {
      throw CommandFailure(description: "--llm-cache only makes no requests, but a batch needs them; use --llm-cache use")
    }
    let settings = try settled.model.setup.settings(provider, model: named ?? settled.model.name)
    let runner = try BatchRunner(settings, taxonomy: opened.taxonomy, interruption: Interruption.wakeUp)
    return Opened(
      taxonomy: opened.taxonomy, local: links.isEmpty ? opened.chain.selecting([]) : opened.chain, settings: settings,
      runner: runner)
  }

  /// The job as it was saved; `nil` where there is none.
  func saved() throws -> BatchJob? {
    guard FileReader.isFile(jobPath) else { return nil }
    do { return try BatchJob(FileReader.read(jobPath, limit: 1 << 30, remedy: "it is not a batch job")) } catch let fault
      as BatchJob.Fault
    {
      throw FileError(path: jobPath, reason: fault.description)
    }
  }

  /// The job as it was saved.
  func existing() throws -> BatchJob {
    guard let job = try saved() else {
      throw FileError(path: jobPath, reason: "no such job; start one with `aisle llm batch submit \(file)`")
    }
    return job
  }
}

struct SubmitBatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Submit the items that the local chain leaves undecided.",
    discussion: """
      Items with kept answers from earlier runs are not sent, except with --llm-cache refresh or off; `collect` writes them too. \
      If a run is interrupted, run it again: it looks for batches that were already submitted and does not pay for them twice. \
      --max-cost, --max-tokens, and --max-requests refuse a job that could exceed them.

      Examples:
        aisle llm batch submit groceries.txt
        aisle llm batch submit groceries.txt --max-cost 2.50 --new-sections

      Exit codes: 0 submitted, or nothing to ask; 2 the job could not be submitted; 64 usage.
      """)

  @OptionGroup var options: BatchOptions

  @MainActor
  func run() async throws {
    let opened = try options.open()
    let items = try await undecided(opened)
    let tell = Descriptor.standardError.tell
    var job = try opened.runner.job(for: items, cache: AisleCommand.modelRecord)
    let path = options.jobPath
    if let saved = try options.saved() {
      guard let resumed = opened.runner.resume(saved, for: job) else {
        throw FileError(
          path: path, reason: "this job has other items or settings; collect it, remove it, or name another with --job")
      }
      job = resumed
    }
    if job.isSubmitted {
      try FileWriter.replace(path, with: job.bytes)
      if job.itemCount > 0 {
        return tell("\(path): already submitted; `aisle llm batch status \(options.file)` shows its progress\n")
      }
      let deciders = job.known.isEmpty ? "the local chain decides" : "the local chain and kept answers decide"
      return tell("nothing to ask: \(deciders) every item; `aisle llm batch collect \(options.file)` writes them\n")
    }
    let most = opened.runner.most(for: job)
    try check(most, opened.settings.caps)
    do {
      job = try await Interruption.ending { [job] in
        var job = job
        try await opened.runner.submit(&job) { try FileWriter.replace(path, with: $0.bytes) }
        return job
      }
    } catch let failure as BatchRunner.Failure {
      throw CommandFailure(description: "\(failure); run the same command again to continue")
    }
    let cost = most.dollars.map { ", at most $\(ModelSummary.dollars($0))" } ?? ""
    let known = job.known.isEmpty ? "" : "; \(counted(job.known.count)) answered in earlier runs"
    let what = "\(counted(job.itemCount)) in \(counted(job.requestCount, "request")) submitted\(cost)\(known)"
    tell("\(what); progress is in \(path)\n")
  }

  /// Refuses a job that could pass a cap.
  private func check(_ most: BatchRunner.Most, _ caps: ModelSettings.Caps) throws {
    if let cap = caps.requests, most.requests > cap {
      throw CommandFailure(description: "the job has \(counted(most.requests, "request")), more than --max-requests \(cap)")
    }
    if let cap = caps.tokens, most.tokens > cap {
      throw CommandFailure(description: "the job could take up to \(most.tokens) tokens, more than --max-tokens \(cap)")
    }
    if let cap = caps.dollars, let dollars = most.dollars, dollars > cap {
      throw CommandFailure(description: "the job could cost up to $\(ModelSummary.dollars(dollars)), more than --max-cost \(cap)")
    }
  }

  /// The items, decided by the local chain.
  private func undecided(_ opened: BatchOptions.Opened) async throws -> [Batch] {
    let bytes = try FileReader.read(options.file, limit: 1 << 30)
    var batches: [Batch] = []
    for lines in bytes.split(separator: 0x0A).chunks(of: 10_000) {
      var batch = Batch(taxonomy: opened.taxonomy)
      for line in lines { batch.append(line.last == 0x0D ? line.dropLast() : line) }
      try await opened.local.chain.ask(&batch)
      batches.append(batch)
    }
    return batches
  }
}

struct BatchStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the progress of a batch.",
    discussion: """
      Prints one line per batch: its id, its status, and how many requests are answered, failed, and pending.

      Examples:
        aisle llm batch status groceries.txt

      Exit codes: 0 everything is answered; 1 not yet; 2 the server could not be asked; 64 usage.
      """)

  @OptionGroup var options: BatchOptions

  @MainActor
  func run() async throws {
    let job = try options.existing()
    let runner = try options.open(model: job.model).runner
    let batches = try await Interruption.ending { try await runner.status(of: job) }
    try TextTable.write(
      batches.map { [$0.id, $0.status, "\($0.succeeded) answered", "\($0.failed) failed", "\($0.processing) pending"] })
    if !job.isSubmitted {
      Descriptor.standardError.tell("not everything is submitted; run `aisle llm batch submit \(options.file)` again\n")
    }
    if !job.isSubmitted || batches.contains(where: { !$0.hasEnded }) { throw ExitCode(1) }
  }
}

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
    let runner = opened.runner
    let batches = try await Interruption.ending { try await runner.status(of: job) }
    guard job.isSubmitted, batches.allSatisfy(\.hasEnded) else {
      Descriptor.standardError.tell("not everything is answered yet; see `aisle llm batch status \(options.file)`\n")
      throw ExitCode(1)
    }
    let outcome = try await Interruption.ending { try await runner.collect(job) }
    let cache = MemoryAnswerCache()
    cache.keep(outcome.answers, in: outcome.context)
    let id = batches.map(\.id).joined(separator: " ")
    do { try AisleCommand.modelRecord.keep(outcome, of: opened.settings, id: id) } catch {
      Descriptor.standardError.tell("aisle: cannot keep the answers: \(Style.visible("\(error)"))\n")
    }
    var settings = opened.settings
    settings.cacheUse = .only
    // A batch asks about each item alone.
    settings.usesNeighbors = false
    let model = LanguageModelStrategy(settings, taxonomy: opened.taxonomy, cache: cache)
    let chain = Chain(opened.local.chain.links + [Chain.Link(model)], policy: opened.local.chain.policy)
    let metadata = chain.links.map(\.strategy.metadata)
    var pipeline = Pipeline(
      categorizer: try Categorizer(taxonomy: opened.taxonomy, chain: chain),
      setup: InputSetup(format: .lines, isFormatNamed: true),
      makePresenter: { _ in TSVPresenter(taxonomy: opened.taxonomy, input: .lines, explained: explain ? metadata : nil) },
      jobs: Environment.processorCount, isLineBuffered: false, output: .standardOutput,
      diagnostics: Diagnostics(style: ColorChoice.auto.style(for: .standardError, environment: Environment.all)))
    try await pipeline.run(paths: [options.file])
    if summary { Descriptor.standardError.tell(ModelSummary.line(job.model, outcome.report) + "\n") }
    if outcome.report.failures > 0 {
      throw CommandFailure(
        description: "\(outcome.report.failures) of \(outcome.report.requests) requests failed; their items stay undecided")
    }
    if pipeline.failures > 0 { throw ExitCode(2) }
  }
}

extension Array {
  /// The elements in groups of `size`, the last one shorter.
  fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
