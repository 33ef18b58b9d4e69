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
  }

  /// The part of the normal price that a batch costs.
  private static let discount = 0.5
  /// What becomes of requests that cost nothing.
  private static let free = ["errored", "canceled", "expired"]
  /// The most requests of a part, to stay below 256 MB and 100,000.
  static let requestsPerPart = 10_000
  /// The most bytes of a part's results.
  private static let resultLimit = 512 << 20

  private let settings: ModelSettings
  private let prompt: Prompt
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

  /// A job for the undecided items of batches. It asks only about items without a known answer.
  ///
  /// - Parameter cache: The answers of earlier runs, if `ModelSettings.cacheUse` allows them.
  /// - Throws: The cache's error, so that nothing is paid for that may be known.
  public func job(for batches: [Batch], cache: (any AnswerCache)? = nil) throws -> BatchJob {
    var seen: Set<String> = []
    var questions: [Question] = []
    for batch in batches {
      for index in batch.undecided {
        if let question = Question(batch.bytes(index)), seen.insert(question.key).inserted { questions.append(question) }
      }
    }
    var known: [String: ModelAnswer] = [:]
    if let cache, settings.cacheUse == .use {
      known = try cache.answers(to: questions.map(\.key), in: AnswerContext(settings, prompt)).filter { $1.isSound }
    }
    return BatchJob(
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
  private func reservation(for questions: [Question], _ dialect: AnthropicDialect) -> Reservation {
    Reservation(
      textBytes: dialect.body(questions).bytes.count, answerTokens: prompt.answerTokens(questions.count),
      price: settings.price?.times(Self.discount))
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
        ["custom_id": .text(job.name(part: part, request: number)), "params": dialect.body(Array(questions))]
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

  // MARK: Collecting

  /// The API's status of the submitted parts.
  ///
  /// - Throws: `Failure`; `CancellationError`.
  public func status(of job: BatchJob) async throws -> [MessageBatch] {
    var batches: [MessageBatch] = []
    for id in job.ids {
      guard let batch = MessageBatch(try await send(.get, "/\(id)"), hiding: settings.key) else {
        throw Failure(description: "\(settings.url.host): the answer is not a batch")
      }
      batches.append(batch)
    }
    return batches
  }

  /// The answers of a job whose parts have ended.
  ///
  /// - Throws: `Failure`; `CancellationError`.
  public func collect(_ job: BatchJob) async throws -> Outcome {
    try check(job)
    var answers: [String: ModelAnswer] = [:]
    var report = ModelReport(dollars: settings.price == nil ? nil : 0)
    let check = AnswerCheck(prompt, hiding: settings.key)
    let dialect = dialect(for: job)
    for (part, id) in job.parts.indices.compactMap({ part in job.parts[part].id.map { (part, $0) } }) {
      var results: [String: JSONValue] = [:]
      for line in try await fetch(.get, "/\(id)/results").split(separator: 0x0A) {
        guard let result = try? JSONValue(Array(line)), let name = result["custom_id"]?.string else { continue }
        results[name] = result["result"]
      }
      for (number, questions) in job.requests(of: part).map(Array.init).enumerated() {
        report.requests += 1
        report.asked += questions.count
        let reservation = reservation(for: questions, dialect)
        let given = Self.answers(
          results[job.name(part: part, request: number)], questions, dialect, check, reservation, &report)
        for (question, answer) in zip(questions, given) { answers[question.key] = answer }
      }
    }
    return Outcome(
      answers: answers.merging(job.known) { $0.isLasting ? $0 : $1 }, lasting: answers.filter { $0.value.isLasting },
      context: AnswerContext(settings, prompt), report: report)
  }

  private static func answers(
    _ result: JSONValue?, _ questions: [Question], _ dialect: AnthropicDialect, _ check: AnswerCheck, _ reservation: Reservation,
    _ report: inout ModelReport
  ) -> [ModelAnswer] {
    guard result?["type"] == "succeeded", let message = result?["message"] else {
      report.failures += 1
      let isFree = result?["type"]?.string.map { free.contains($0) } ?? false
      report.add(isFree ? .nothing(reservation.price) : reservation.charge())
      return questions.map { _ in .none(.failed) }
    }
    do {
      let reply = try dialect.reply(message, to: questions)
      report.add(reservation.charge(for: reply.claim))
      return check.answers(reply, to: questions)
    } catch {
      report.add(reservation.charge(for: error.claim))
      report.failures += 1
      return questions.map { _ in .none(.failed) }
    }
  }

  // MARK: The API

  private func dialect(for job: BatchJob) -> AnthropicDialect {
    AnthropicDialect(model: job.model, prompt: prompt, isVersioned: settings.url.description.hasSuffix("/v1"))
  }

  private func check(_ job: BatchJob) throws {
    guard job.fingerprint == prompt.fingerprint else {
      throw Failure(description: "the store's sections have changed since the job was made; submit the items again")
    }
  }

  private func send(_ method: HTTPRequest.Method, _ path: String, body: [UInt8] = []) async throws -> JSONValue {
    let answer = try await fetch(method, path, body: body)
    guard let value = try? JSONValue(answer) else {
      throw Failure(description: "\(settings.url.host): the answer is not JSON")
    }
    return value
  }

  /// Sends a request. One that reads is sent again where that may help; one that submits only where the server said that it did not
  /// take it.
  private func fetch(_ method: HTTPRequest.Method, _ path: String, body: [UInt8] = []) async throws -> [UInt8] {
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
