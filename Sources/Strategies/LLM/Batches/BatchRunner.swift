public import AisleCore
import HTTPTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Asks about many items through Anthropic's Message Batches, at half the price, with answers within 24 hours.
public struct BatchRunner: Sendable {
  /// Why it cannot continue.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one line.
    public let description: String
    /// Whether the server said that it did not take the request.
    var isRejected = false

    init(description: String, isRejected: Bool = false) {
      self.description = description
      self.isRejected = isRejected
    }
  }

  /// The outcome of a job.
  public struct Outcome: Sendable {
    /// The answers, including those that were already known, by normalized item.
    public let answers: [String: ModelAnswer]
    /// The new answers that a cache can keep.
    public let lasting: [String: ModelAnswer]
    /// The key under which the answers are kept.
    public let context: AnswerContext
    /// The cost and the results.
    public let report: ModelReport
    /// How many requests brought nothing, by what became of them: `errored`, `expired`, `canceled`, or `unusable` for an answer that
    /// cannot be read.
    public let failures: [String: Int]
    /// What the server said of the first request that failed; `nil` if it said nothing.
    public let firstFault: String?
    /// How many items got no answer.
    public let unanswered: Int
  }

  /// The part of the normal price that a batch costs.
  private static let discount = 0.5
  /// The most requests of a part, to stay below 256 MB and 100,000.
  static let requestsPerPart = 10_000
  /// The most bytes of a part's results.
  private static let resultLimit = 512 << 20

  let settings: ModelSettings
  let prompt: Prompt
  private let store: String
  private let client: HTTPClient

  /// Makes a runner.
  ///
  /// - Parameter interruption: A descriptor that becomes readable when all waiting must end.
  /// - Throws: `Failure` if libcurl is not available or the provider has no batches.
  public init(_ settings: ModelSettings, taxonomy: Taxonomy, interruption: Int32? = nil) throws {
    guard settings.provider == .anthropic else {
      throw Failure(description: "only Anthropic's batches are supported; use --llm anthropic")
    }
    self.settings = settings
    var prompt = Prompt(taxonomy, allowsNewSections: settings.allowsNewSections)
    prompt.effort = settings.effort
    self.prompt = prompt
    store = taxonomy.store
    do { client = try HTTPClient(interruption: interruption) } catch { throw Failure(description: error.description) }
  }

  // MARK: Submitting

  /// A job for what a live run would ask. It asks only about items without a known answer.
  ///
  /// - Parameter cache: The answers of earlier runs, if `ModelSettings.cacheUse` allows them.
  /// - Throws: The cache's error, so that nothing is paid for that may be known.
  public func job(for deferred: DeferredStrategy, cache: (any AnswerCache)? = nil) throws -> BatchJob {
    let questions = deferred.questions
    var known: [String: ModelAnswer] = [:]
    if let cache, settings.cacheUse == .use {
      known = try cache.answers(to: questions.map(\.key), in: AnswerContext(settings, prompt)).filter { $1.isSound }
    }
    return job(for: questions, known: known)
  }

  /// A job for the items of a collected job that got no answer; it knows the answers that the others got.
  public func job(retrying job: BatchJob, after outcome: Outcome) -> BatchJob {
    let known = outcome.answers.filter { $1.isLasting }
    return self.job(for: job.questions, known: known)
  }

  private func job(for questions: [Question], known: [String: ModelAnswer]) -> BatchJob {
    BatchJob(
      questions.filter { known[$0.key] == nil }, known: known, settings, store: store, fingerprint: prompt.fingerprint,
      requestsPerPart: Self.requestsPerPart)
  }

  /// The most that a job can use.
  public struct Most: Sendable, Hashable {
    /// Requests.
    public let requests: Int
    /// Tokens, sent and received.
    public let tokens: Int
    /// US dollars; `nil` if no price is known.
    public let dollars: Double?
  }

  /// The most that a job can use, to compare with the caps.
  public func most(for job: BatchJob) -> Most {
    let reservations = job.parts.indices.flatMap { job.requests(of: $0).map { reservation(for: Array($0), dialect(for: job)) } }
    return Most(
      requests: reservations.count, tokens: reservations.reduce(0) { $0 + $1.tokens },
      dollars: settings.price == nil ? nil : reservations.reduce(0) { $0 + $1.dollars })
  }

  /// What a request of a batch can take at most, at a batch's price.
  func reservation(for questions: [Question], _ dialect: AnthropicDialect) -> Reservation {
    TokenGauge().bounding(
      Reservation(
        textBytes: dialect.body(prompt.inquiry(questions)).bytes.count, frame: dialect.frame(prompt, questions.count),
        answerTokens: prompt.answerTokens(questions.count), price: settings.price?.times(Self.discount)))
  }

  /// The saved job, updated with newly known answers, to continue instead of a new job for the same items; the new job if nothing of the
  /// saved job was sent; `nil` if the saved job asks about other items or in another way.
  public func resume(_ saved: BatchJob, for new: BatchJob) -> BatchJob? {
    if saved.parts.allSatisfy({ $0.sent == nil && $0.id == nil }) { return new }
    let asked = Set(saved.questions.map(\.key))
    let wanted = Set(new.questions.map(\.key))
    guard wanted.allSatisfy({ asked.contains($0) || saved.known[$0] != nil }),
      asked.allSatisfy({ wanted.contains($0) || new.known[$0] != nil }), saved.model == new.model,
      saved.fingerprint == new.fingerprint
    else { return nil }
    var job = saved
    job.known.merge(new.known) { known, _ in known }
    return job
  }

  /// Submits the parts that are not yet submitted.
  ///
  /// Each part is saved before it is sent, and its name afterward. If a run ended between the two, the batch that it may have submitted
  /// is looked up, so that nothing is paid for twice.
  ///
  /// - Parameter save: Keeps the job.
  /// - Throws: `Failure`; `CancellationError`; whatever `save` throws.
  public func submit(_ job: inout BatchJob, save: (BatchJob) throws -> Void) async throws {
    try check(job)
    for part in job.parts.indices where job.parts[part].id == nil {
      if let sent = job.parts[part].sent, let found = try await orphan(of: job, part, sent) {
        job.parts[part].id = found.id
        try save(job)
        continue
      }
      job.parts[part].sent = time(nil)
      try save(job)
      let dialect = dialect(for: job)
      let requests = job.requests(of: part).enumerated().map { number, questions -> JSONValue in
        ["custom_id": .text(job.name(part: part, request: number)), "params": dialect.body(prompt.inquiry(Array(questions)))]
      }
      let body: JSONValue
      do {
        body = try await send(.post, "", body: JSONValue.object([.init("requests", .array(requests))]).bytes)
      } catch let failure as Failure where failure.isRejected {
        job.parts[part].sent = nil
        try save(job)
        throw failure
      }
      guard let batch = MessageBatch(body, hiding: settings.key) else {
        throw Failure(description: "\(settings.url.host): the answer is not a batch")
      }
      job.parts[part].id = batch.id
      try save(job)
    }
  }

  /// The batch that a run submitted before it ended without knowing its name: the one that began since, with as many requests, that no
  /// other part is.
  private func orphan(of job: BatchJob, _ part: Int, _ sent: Int) async throws -> MessageBatch? {
    let list = try await send(.get, "?limit=100")
    let found = (list["data"]?.elements ?? []).filter { body in
      guard let batch = MessageBatch(body, hiding: settings.key), !job.ids.contains(batch.id),
        batch.requests == job.parts[part].requests,
        let created = body["created_at"]?.string.flatMap({ Self.seconds($0) })
      else { return false }
      return created >= sent - 60
    }
    if found.count > 1 {
      throw Failure(
        description:
          "\(found.count) batches may be from the interrupted run; cancel those that you do not need in the API's "
          + "console, then submit again")
    }
    return found.first.flatMap { MessageBatch($0, hiding: settings.key) }
  }

  // MARK: The API

  func dialect(for job: BatchJob) -> AnthropicDialect {
    AnthropicDialect(model: job.model, isVersioned: settings.url.description.hasSuffix("/v1"))
  }

  func check(_ job: BatchJob) throws {
    guard job.fingerprint == prompt.fingerprint else {
      throw Failure(description: "the store's sections have changed since the job was made; submit the items again")
    }
  }

  func send(_ method: HTTPRequest.Method, _ path: String, body: [UInt8] = []) async throws -> JSONValue {
    let answer = try await fetch(method, path, body: body)
    guard let value = try? JSONValue(answer) else {
      throw Failure(description: "\(settings.url.host): the answer is not JSON")
    }
    return value
  }

  /// Sends a request. One that reads is sent again where that may help; one that submits only where the server said that it did not
  /// take it.
  func fetch(_ method: HTTPRequest.Method, _ path: String, body: [UInt8] = []) async throws -> [UInt8] {
    let base = settings.url.description.hasSuffix("/v1") ? "/messages/batches" : "/v1/messages/batches"
    var limits = settings.limits
    limits.total = .seconds(1_800)
    limits.idle = .seconds(60)
    limits.responseBytes = Self.resultLimit
    var attempt = 0
    while true {
      var response: HTTPResponse?
      let failure: ModelFailure
      do {
        let received = try await client.send(
          HTTPRequest(
            method, try settings.url.appending(base + path), headers: AnthropicDialect.headers(settings.key), body: body,
            limits: limits))
        if received.status == 200 { return received.body }
        let fault = (try? JSONValue(received.body)).map { AnthropicDialect.fault($0) } ?? (type: "", message: "")
        response = received
        failure = ModelFailure(
          received, type: fault.type, message: fault.message, key: settings.key, sizeRemedy: "split the item file")
      } catch let error as HTTPError {
        failure = ModelFailure(error)
      }
      let mayRetry = failure.isRetryable(response) && (method == .get || failure.isUntaken)
      guard mayRetry, attempt < RetryPolicy.maximum else {
        throw Failure(description: failure.text(from: settings.url.host), isRejected: failure.isUntaken)
      }
      try await Task.sleep(for: RetryPolicy.wait(attempt: attempt, response))
      attempt += 1
    }
  }

  /// The seconds since 1970 of a time such as `2026-01-31T12:00:00Z`, with any fraction left out.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split { "-T:.Z+".contains($0) }.prefix(6).map { Int($0) ?? -1 }
    guard parts.count == 6, parts.allSatisfy({ $0 >= 0 }), (1...12).contains(parts[1]) else { return nil }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return HTTPDate.seconds(
      "Day, \(two(parts[2])) \(months[parts[1] - 1]) \(parts[0]) \(two(parts[3])):\(two(parts[4])):\(two(parts[5])) GMT")
  }
}
