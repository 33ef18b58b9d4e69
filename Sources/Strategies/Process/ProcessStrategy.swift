public import AisleCore

/// Decides items with a program of any language, over JSON lines on its standard input and output.
///
/// The program is started by the first item that it is asked for, in a process group of its own, and is asked from one thread; calls
/// from several tasks wait for each other. What it does wrong costs its own answers only: the items that it should have decided stay
/// undecided, it is started again after a pause that doubles, and it is switched off after five failures in three minutes. When the
/// strategy goes, or the process that uses it ends in whatever way, the program's whole process group ends too.
///
/// `docs/external-strategies.md` describes the protocol. A request of 64 items costs about 0.1 ms of processor time besides the program's
/// own work (measured with a release build).
public final class ProcessStrategy: MeteredStrategy {
  /// The program and how it is treated.
  public let settings: Settings
  private let worker: Worker
  private let remarks: Remarks

  /// Prepares a program; nothing is started yet.
  ///
  /// - Parameters:
  ///   - settings: The program.
  ///   - taxonomy: The store that the program is told of.
  ///   - interruption: A descriptor that becomes readable when all waiting shall end, as `CancellationError`.
  ///   - remark: Gets what the program writes to its standard error and what goes wrong, a line at a time, on any thread.
  public init(
    _ settings: Settings, taxonomy: Taxonomy, interruption: Int32? = nil, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.settings = settings
    remarks = Remarks(name: settings.name, sink: remark)
    worker = Worker(settings, taxonomy: taxonomy, interruption: interruption ?? -1, remarks: remarks)
  }

  deinit { worker.stop() }

  /// Ends the program, which may take three seconds of a stubborn one; the strategy decides nothing from then on.
  public func close() async {
    worker.stop()
    while !worker.hasEnded { try? await Task.sleep(for: .milliseconds(2)) }
  }

  /// What the strategy is; once the program has introduced itself, in its own words.
  public var metadata: StrategyMetadata {
    let introduction = worker.introduction
    let program = settings.command.first ?? ""
    return StrategyMetadata(
      id: settings.name, summary: introduction?.summary ?? "items decided by the program \(program)",
      rationale: """
        A program of your own knows what no keyword says: a model, a database, a service. It is asked for the items that earlier \
        strategies left, and what it cannot answer goes to the next one.
        """,
      examples: introduction?.examples ?? [])
  }

  /// The requests that the program has answered, and what it says that they cost.
  public var usage: StrategyUsage { worker.usage }

  /// Starts the program, unless it runs, and gives what it said of itself.
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

  /// Asks the program for the undecided items, at most 64 at a time; items of more than 8 KiB are not asked for.
  ///
  /// - Throws: `ProcessFailure` where `Settings.isRequired` or `Settings.isStrict`; `CancellationError`.
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
