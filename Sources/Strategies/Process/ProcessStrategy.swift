public import AisleCore

/// Decides items with a program in any language, over JSON lines on its standard input and output.
///
/// The first item starts the program in its own process group. It is asked from one thread, so calls from several tasks wait for each
/// other. A failure costs only the program's own answers: its items stay undecided, it is restarted after a pause that doubles each
/// time, and it is switched off after five failures in three minutes. When the strategy is released, or the process that uses it
/// ends in any way, the program's whole process group ends too.
///
/// `docs/external-strategies.md` describes the protocol. A request of 64 items takes about 0.1 ms of CPU time in addition to the
/// program's own work, in a release build.
public final class ProcessStrategy: MeteredStrategy {
  /// The program and how it is treated.
  public let settings: Settings
  /// The store that the program is told of.
  public let boundTaxonomy: Taxonomy?
  private let worker: Worker
  private let remarks: Remarks

  /// Prepares a program without starting it.
  ///
  /// - Parameters:
  ///   - settings: The program.
  ///   - taxonomy: The store to describe to the program.
  ///   - interruption: A descriptor that becomes readable when all waiting must end with `CancellationError`.
  ///   - remark: Receives the program's standard error and its failures, one line at a time, on any thread.
  public init(
    _ settings: Settings, taxonomy: Taxonomy, interruption: Int32? = nil, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.settings = settings
    boundTaxonomy = taxonomy
    remarks = Remarks(name: settings.name, sink: remark)
    worker = Worker(settings, taxonomy: taxonomy, interruption: interruption ?? -1, remarks: remarks)
  }

  deinit { worker.stop() }

  /// Ends the program, which may take up to three seconds; the strategy decides nothing afterward.
  public func close() async {
    worker.stop()
    // In a task that is not cancelled with the caller's: that would not sleep.
    await Task { [worker] in while !worker.hasEnded { try? await Task.sleep(for: .milliseconds(2)) } }.value
  }

  /// The strategy's description; once the program has said hello, in its own words.
  public var metadata: StrategyMetadata {
    let introduction = worker.introduction
    let program = settings.command.first ?? ""
    return StrategyMetadata(
      id: settings.name, summary: introduction?.summary ?? "decisions by the program \(program)",
      rationale: """
        A program of your own can use what keywords cannot: a model, a database, a service. It is asked about the items that earlier \
        strategies left, and items that it cannot answer go to the next strategy.
        """,
      examples: introduction?.examples ?? [])
  }

  /// The requests that the program has answered, and their cost as it reports it.
  public var usage: StrategyUsage { worker.usage }

  /// Starts the program unless it is running, and returns what it said about itself.
  ///
  /// - Throws: `ProcessFailure`; `CancellationError`.
  public func introduce() async throws -> Introduction {
    switch await worker.ask([]) {
    case .answers: break
    case .failed(let failure): throw failure
    case .cancelled: throw CancellationError()
    }
    guard let introduction = worker.introduction else { throw CancellationError() }
    return introduction
  }

  /// Asks the program about the undecided items, at most 64 at a time; items of more than 8 KiB are skipped.
  ///
  /// - Throws: `ProcessFailure` if `Settings.isRequired` or `Settings.isStrict`; `CancellationError`.
  @concurrent
  public func decide(_ batch: inout Batch) async throws {
    let places = batch.undecided.filter { batch.extents[$0].length <= Request.longestItem }
    for start in stride(from: 0, to: places.count, by: Request.mostItems) {
      let part = places[start..<min(start + Request.mostItems, places.count)]
      switch await worker.ask(part.map { Array(batch.bytes($0)) }) {
      case .answers(let answers):
        for (place, answer) in zip(part, answers) { try take(answer, at: place, in: &batch) }
      case .failed(let failure):
        if settings.isRequired || settings.isStrict { throw failure }
        // After one time limit the next strategy has its turn; a program that fails at once may be asked for the rest.
        if failure.reason == .timedOut || failure.reason == .switchedOff { return }
      case .cancelled: throw CancellationError()
      }
    }
  }

  private func take(_ answer: Answer, at place: Int, in batch: inout Batch) throws {
    switch answer {
    case .abstain: return
    case .error(let message): remarks.report("could not decide an item: \(message)")
    case .invalid(let message): try refuse(message)
    case .match(let name, let confidence, let evidence):
      guard let section = batch.taxonomy.section(named: name) else {
        return try refuse(
          "answered with section `\(name)`, which \(batch.taxonomy.store) does not have"
            + DidYouMean.hint(name, among: batch.taxonomy.sections.map(\.name)))
      }
      guard (0...1).contains(confidence) else { return try refuse("answered with confidence \(confidence); it must be in 0…1") }
      var decision = Decision(section: section, confidence: Float(confidence))
      if !evidence.isEmpty { decision.evidence.note = batch.note(evidence) }
      batch.decide(place, decision)
    }
  }

  /// Lets an item go undecided whose answer is of no use.
  private func refuse(_ message: String) throws {
    if settings.isStrict { throw ProcessFailure(settings.name, .badReply, message) }
    remarks.report(message)
  }
}
