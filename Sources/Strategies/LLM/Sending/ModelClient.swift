import AisleCore
import HTTPTransport
import Synchronization

/// Asks one model: requests with their retries, within the caps, past a breaker.
final class ModelClient: Sendable {
  /// Why a request is not sent.
  private enum Refusal: Error {
    case capped
    case failed
  }

  private let settings: ModelSettings
  private let prompt: Prompt
  private let dialect: any Dialect
  private let check: AnswerCheck
  private let ledger: Ledger
  private let budget: Budget
  private let breaker = CircuitBreaker()
  private let connect: @Sendable () throws(HTTPError) -> HTTPClient
  /// The client, made with the first request: libcurl is not loaded before.
  private let client = Mutex<HTTPClient?>(nil)
  /// Set once nothing more can succeed.
  private let isOver = Mutex(false)

  init(
    _ settings: ModelSettings, _ prompt: Prompt, fallback: String, _ ledger: Ledger,
    connect: @escaping @Sendable () throws(HTTPError) -> HTTPClient
  ) {
    self.settings = settings
    self.prompt = prompt
    self.ledger = ledger
    self.connect = connect
    dialect = settings.dialect(prompt, fallback: fallback)
    check = AnswerCheck(prompt)
    budget = Budget(settings.caps)
  }

  /// Whether all has gone well so far, so that many requests may be sent at once.
  var isTrusted: Bool { breaker.isCalm && ledger.current.requests > 0 }

  /// Asks about the items of one request and gives their answers in order. What goes wrong is an abstention, and is remarked.
  func ask(_ questions: [Question]) async -> [ModelAnswer] {
    func none(_ reason: ModelAnswer.Abstention) -> [ModelAnswer] { questions.map { _ in .none(reason) } }
    let body = dialect.body(questions).bytes
    let estimate = Budget.estimate(
      bytes: body.count, answerTokens: prompt.answerTokens(questions.count), price: settings.price)
    var attempt = 0
    while true {
      do {
        if let patience = breaker.patience { try await Task.sleep(for: patience) }
        try Task.checkCancellation()
        let reply = try await send(body, questions, estimate, attempt)
        return check.answers(reply, to: questions)
      } catch let refusal as Refusal {
        return none(refusal == .capped ? .capped : .failed)
      } catch let failed as FailedAttempt {
        guard let wait = failed.wait, attempt < RetryPolicy.maximum else { return none(.failed) }
        attempt += 1
        do { try await Task.sleep(for: wait) } catch { return none(.failed) }
      } catch {
        return none(.failed)
      }
    }
  }

  /// An attempt that failed.
  private struct FailedAttempt: Error {
    /// How long to wait before the next; `nil` where none is of use.
    let wait: Duration?
  }

  private func send(
    _ body: [UInt8], _ questions: [Question], _ estimate: Budget.Estimate, _ attempt: Int
  ) async throws -> Reply {
    if isOver.withLock({ $0 }) || !breaker.admits() { throw Refusal.failed }
    if let cap = budget.reserve(estimate) {
      breaker.abandoned()
      ledger.remark("\(cap) is reached; the items that are left are not asked about")
      throw Refusal.capped
    }
    let start = ContinuousClock.now
    var response: HTTPResponse?
    do {
      let client = try httpClient()
      let url = try settings.url.appending(dialect.path)
      let received = try await client.send(
        HTTPRequest(.post, url, headers: dialect.headers(settings.key), body: body, limits: settings.limits))
      response = received
      let reply = try read(received, questions)
      breaker.succeeded()
      record(questions.count, attempt, start, received, reply.tokens, nil, estimate)
      return reply
    } catch let failure as ModelFailure {
      throw failed(failure, response, questions.count, attempt, start, estimate)
    } catch let error as HTTPError {
      throw failed(ModelFailure(.transport(error), ""), nil, questions.count, attempt, start, estimate)
    } catch {
      breaker.abandoned()
      record(questions.count, attempt, start, nil, TokenUsage(), "cancelled", estimate)
      throw error
    }
  }

  private func read(_ response: HTTPResponse, _ questions: [Question]) throws(ModelFailure) -> Reply {
    let body = try? JSONValue(response.body)
    guard response.status == 200 else {
      let fault = body.map { dialect.fault($0) } ?? (type: "", message: "")
      throw ModelFailure(response, type: fault.type, message: fault.message, key: settings.key)
    }
    guard let body else { throw ModelFailure(.badReply, "\(settings.url.host): the answer is no JSON") }
    return try dialect.reply(body, to: questions)
  }

  private func failed(
    _ failure: ModelFailure, _ response: HTTPResponse?, _ items: Int, _ attempt: Int, _ start: ContinuousClock.Instant,
    _ estimate: Budget.Estimate
  ) -> FailedAttempt {
    let isPatient = failure.kind == .status(429)
    let asked = isPatient ? response.flatMap { RetryPolicy.askedWait($0) } : nil
    let isOpen = breaker.failed(start: start, patience: asked)
    let shown = failure.description.hasPrefix(settings.url.host) ? failure.description : "\(settings.url.host) \(failure)"
    record(items, attempt, start, response, failure.tokens, shown, estimate)
    if failure.isFinal {
      isOver.withLock { $0 = true }
      ledger.remark("\(shown); it is not asked again")
    } else if isOpen {
      ledger.remark("\(shown), \(CircuitBreaker.tolerance) times in a row; it is not asked for 30 s")
    } else {
      ledger.remark(shown)
    }
    guard !failure.isFinal, failure.isRetryable(response) else { return FailedAttempt(wait: nil) }
    return FailedAttempt(wait: RetryPolicy.wait(attempt: attempt, response))
  }

  private func record(
    _ items: Int, _ attempt: Int, _ start: ContinuousClock.Instant, _ response: HTTPResponse?, _ tokens: TokenUsage,
    _ failure: String?, _ estimate: Budget.Estimate
  ) {
    let dollars = settings.price.map { $0.dollars(for: tokens) }
    budget.settle(estimate, tokens: tokens.total, dollars: dollars ?? 0)
    ledger.add(
      RequestRecord(
        provider: settings.provider, model: settings.model, items: items, purpose: "categorize", attempt: attempt, tokens: tokens,
        dollars: dollars, duration: ContinuousClock.now - start,
        requestID: (response?["request-id"] ?? response?["x-request-id"]).map {
          String($0.filter { $0.isASCII && !$0.isWhitespace }.prefix(80))
        },
        status: response?.status, failure: failure))
  }

  private func httpClient() throws(HTTPError) -> HTTPClient {
    let made = client.withLock { client in
      Result<HTTPClient, HTTPError> { () throws(HTTPError) in
        if let client { return client }
        let new = try connect()
        client = new
        return new
      }
    }
    return try made.get()
  }
}
