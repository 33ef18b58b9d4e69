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
      Uses Anthropic's Message Batches. Each item that a live run would ask about is submitted once, unless an earlier run has asked \
      about it: those that the local chain leaves undecided or decides below its threshold. A job file beside the items holds the \
      progress, so that a job survives a crash.

      Examples:
        aisle llm batch submit groceries.txt
        aisle llm batch status groceries.txt
        aisle llm batch collect groceries.txt > sections.tsv
        aisle llm batch submit groceries.txt --again
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

  /// The file and the job, as a shell takes them.
  var words: String { file.shellWord + (job.map { " --job \($0.shellWord)" } ?? "") }

  /// What a batch needs, opened.
  struct Opened: Sendable {
    let taxonomy: Taxonomy
    let local: NamedChain
    /// How many links of the chain stand before the model, and from which confidence on the model's answer is final.
    let modelPlace: (index: Int, threshold: Float)
    let settings: ModelSettings
    let runner: BatchRunner

    /// The chain of a live run, with a strategy in the model's place.
    func chain(with model: any Strategy) -> Chain {
      var links = local.chain.links
      links.insert(Chain.Link(model, threshold: modelPlace.threshold), at: min(modelPlace.index, links.count))
      return Chain(links, policy: local.chain.policy)
    }
  }

  /// Opens the store and the chain.
  ///
  /// - Parameter model: The model; `nil` for the one of the options.
  @MainActor
  func open(model named: String? = nil) throws -> Opened {
    var settled = try chain.settle(model: model.given)
    settled.mayMakeFile = true
    let written = settled.chain.value.links
    let place = written.firstIndex(where: \.isModel)
    let local = settled.chain.value.local
    if let local { settled.chain = Settled(value: local, origin: settled.chain.origin) }
    let opened = try settled.open()
    let provider = settled.model.choice?.value.provider ?? .anthropic
    if settled.model.setup.cacheUse == .only {
      throw CommandFailure(description: "--llm-cache only makes no requests, but a batch needs them; use --llm-cache use")
    }
    let settings = try settled.model.setup.settings(provider, model: named ?? settled.model.name)
    let runner = try BatchRunner(settings, taxonomy: opened.taxonomy, interruption: Interruption.wakeUp)
    return Opened(
      taxonomy: opened.taxonomy, local: local == nil ? opened.chain.selecting([]) : opened.chain,
      modelPlace: (place ?? written.count, place.flatMap { written[$0].threshold } ?? 0), settings: settings, runner: runner)
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
      throw FileError(path: jobPath, reason: "no such job; start one with `aisle llm batch submit \(words)`")
    }
    return job
  }
}

struct SubmitBatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Submit the items that a live run would ask about.",
    discussion: """
      Items with kept answers from earlier runs are not sent, except with --llm-cache refresh or off; `collect` writes them too. \
      If a run is interrupted, run it again: it looks for batches that were already submitted and does not pay for them twice. \
      --max-cost, --max-tokens, and --max-requests refuse a job that could exceed them.

      With --again, the items of a job that has ended are submitted once more if they got no answer: their requests expired, failed, \
      or were canceled. The job file keeps the answers of the others, and `collect` writes all of them.

      Examples:
        aisle llm batch submit groceries.txt
        aisle llm batch submit groceries.txt --again
        aisle llm batch submit groceries.txt --max-cost 2.50 --new-sections

      Exit codes: 0 submitted, or nothing to ask; 2 the job could not be submitted; 64 usage.
      """)

  @OptionGroup var options: BatchOptions

  @Flag(help: "Submit again the items of the job that got no answer.")
  var again = false

  @MainActor
  func run() async throws {
    let opened = try again ? options.open(model: options.existing().model) : options.open()
    let tell = Descriptor.standardError.tell
    let path = options.jobPath
    var job: BatchJob
    if again {
      job = try await retry(opened)
      if job.itemCount == 0 { return tell("nothing to ask again: every item of \(path) is answered\n") }
    } else {
      job = try opened.runner.job(for: try await asked(opened), cache: AisleCommand.modelRecord)
    }
    if !again, let saved = try options.saved() {
      guard let resumed = opened.runner.resume(saved, for: job) else {
        throw FileError(
          path: path, reason: "this job has other items or settings; collect it, remove it, or name another with --job")
      }
      job = resumed
    }
    if job.isSubmitted {
      try FileWriter.replace(path, with: job.bytes)
      if job.itemCount > 0 {
        return tell("\(path): already submitted; `aisle llm batch status \(options.words)` shows its progress\n")
      }
      let deciders = job.known.isEmpty ? "the local chain decides" : "the local chain and kept answers decide"
      return tell("nothing to ask: \(deciders) every item; `aisle llm batch collect \(options.words)` writes them\n")
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
      throw CommandFailure(
        description:
          "the job could cost up to $\(ModelSummary.dollars(dollars)), more than --max-cost \(ModelSummary.dollars(cap))")
    }
  }

  /// The part of a job that has ended which got no answer, as a job.
  @MainActor
  private func retry(_ opened: BatchOptions.Opened) async throws -> BatchJob {
    let saved = try options.existing()
    let (batches, outcome) = try await CollectBatch.outcome(of: saved, opened.runner, options.words)
    CollectBatch.keep(outcome, opened.settings, batches)
    return opened.runner.job(retrying: saved, after: outcome)
  }

  /// What a live run would ask the model about.
  private func asked(_ opened: BatchOptions.Opened) async throws -> DeferredStrategy {
    let bytes = try FileReader.read(options.file, limit: 1 << 30)
    let deferred = DeferredStrategy()
    let chain = opened.chain(with: deferred)
    for lines in bytes.split(separator: 0x0A).chunks(of: 10_000) {
      var batch = Batch(taxonomy: opened.taxonomy)
      for line in lines { batch.append(line.last == 0x0D ? line.dropLast() : line) }
      try await chain.ask(&batch)
    }
    return deferred
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
      Descriptor.standardError.tell("not everything is submitted; run `aisle llm batch submit \(options.words)` again\n")
    }
    if !job.isSubmitted || batches.contains(where: { !$0.hasEnded }) { throw ExitCode(1) }
    let failed = batches.reduce(0) { $0 + $1.failed }
    if failed > 0 {
      Descriptor.standardError.tell(
        "\(counted(failed, "request")) failed; `aisle llm batch submit \(options.words) --again` asks again\n")
    }
  }
}

extension Array {
  /// The elements in groups of `size`, the last one shorter.
  fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
