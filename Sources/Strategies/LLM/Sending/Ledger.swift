import Synchronization

/// What a run has spent on a model, and the results.
public struct ModelReport: Sendable, Hashable {
  /// Requests sent, including retries.
  public var requests = 0
  /// How many of them failed.
  public var failures = 0
  /// The number of requests whose usage the server did not report, or not plausibly; they count with the maximum possible usage.
  public var estimated = 0
  /// The tokens they used; an upper bound if some are estimated.
  public var tokens = TokenUsage()
  /// Their cost in US dollars, an upper bound if some are estimated; `nil` if no price is known.
  public var dollars: Double?
  /// Items decided, counting repeated items.
  public var decided = 0
  /// Items that requests asked about; fewer than were decided if some are repeated or cached.
  public var asked = 0
  /// Items decided by answers of earlier runs, counting repeated items.
  public var cached = 0
  /// Items left undecided, by reason.
  public var abstained: [ModelAnswer.Abstention: Int] = [:]
  /// The first failure, if any.
  public var firstFailure: String?
  /// The cap that was reached last, and why, if any.
  public var cap: String?

  /// Items that the model should decide.
  public var items: Int { decided + abstained.values.reduce(0, +) }

  /// Adds what a request took.
  mutating func add(_ charge: Charge) {
    tokens = tokens + charge.tokens
    if let spent = charge.dollars { dollars = (dollars ?? 0) + spent }
    if charge.isEstimate { estimated += 1 }
  }
}

/// Keeps the report, and passes on what goes wrong: each thing once.
final class Ledger: Sendable {
  private static let mostRemarks = 20

  private let report: Mutex<ModelReport>
  private let remarked = Mutex<Set<String>>([])
  private let sink: @Sendable (String) -> Void
  private let log: (any RequestLog)?

  init(hasPrice: Bool, log: (any RequestLog)?, remark: @escaping @Sendable (String) -> Void) {
    report = Mutex(ModelReport(dollars: hasPrice ? 0 : nil))
    self.log = log
    sink = remark
  }

  var current: ModelReport { report.withLock { $0 } }

  /// Counts a request.
  ///
  /// - Parameter isFirst: Whether no earlier one has asked about its items.
  func add(_ record: RequestRecord, isFirst: Bool) {
    report.withLock { report in
      report.requests += 1
      if isFirst { report.asked += record.items }
      report.add(record.charge)
      if let failure = record.failure {
        report.failures += 1
        if report.firstFailure == nil { report.firstFailure = failure }
      }
    }
    log?.add(record)
  }

  func change(_ body: (inout ModelReport) -> Void) { report.withLock { body(&$0) } }

  func remark(_ message: String) {
    let isNew = remarked.withLock { $0.count < Self.mostRemarks && $0.insert(message).inserted }
    if isNew { sink("strategy `llm`: \(message)") }
  }
}
