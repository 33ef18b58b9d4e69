import AisleCore
import HTTPTransport
import Synchronization

/// Sends requests to one model's API: with their retries, within the caps, past a breaker, each on the record.
final class ModelClient: Sendable {
  /// A request to send.
  struct Call<Answer: Sendable>: Sendable {
    /// What it is for, e.g. `categorize`.
    let purpose: String
    /// How many items it is about.
    let items: Int
    /// Whether an earlier request has asked about them already.
    var isAgain = false
    /// The path after the base address.
    let path: String
    /// The headers with a key and the version.
    let headers: @Sendable (Secret?) -> [HTTPRequest.Header]
    /// The body.
    let body: [UInt8]
    /// What it can take at most.
    let reservation: Reservation
    /// What to do where it is too large for the server; empty where nothing can be done.
    var sizeRemedy = ""
    /// Reads the body of a response with the status 200, and what that says it took.
    let read: @Sendable (JSONValue) throws(ModelFailure) -> (answer: Answer, claim: UsageClaim)
    /// Reads the body of any other response: the type or code, and the message, of what went wrong.
    let fault: @Sendable (JSONValue) -> (type: String, message: String)
    /// Whether a rejection, by its body, is one of the request's form, so that another form may do.
    var isOfForm: @Sendable ([UInt8]) -> Bool = { _ in false }
  }

  /// Why there is no answer.
  enum Refusal: Error {
    /// A cap is reached: which, and why.
    case capped(String)
    /// The request failed, or is not sent after others that failed.
    case failed
    /// The server does not know the request's form.
    case otherForm
    /// A content filter keeps the request from the model.
    case filtered
    /// The request is too large for the server.
    case tooLarge
  }

  /// An attempt that failed.
  private struct FailedAttempt: Error {
    /// How long to wait before the next; `nil` where none is of use.
    let wait: Duration?
  }

  /// With what servers answer requests whose form they do not know: that of llama-cpp-python with 500.
  private static let rejections = [400, 422, 500]

  /// The most requests at a time before one has succeeded, and after one has failed.
  private static let cautious = 8

  private let settings: ModelSettings
  private let ledger: Ledger
  private let budget: Budget
  private let breaker = CircuitBreaker()
  /// The key, also when another one was read in its place.
  let keys: KeyRing
  private let connect: @Sendable () throws(HTTPError) -> HTTPClient
  /// The client, made with the first request: libcurl is not loaded before.
  private let client = Mutex<HTTPClient?>(nil)
  /// Set once a server without a price has shown that it runs models itself.
  private let isFree = Mutex(false)
  /// Set once nothing more can succeed.
  private let isOver = Mutex(false)

  init(_ settings: ModelSettings, _ ledger: Ledger, connect: @escaping @Sendable () throws(HTTPError) -> HTTPClient) {
    self.settings = settings
    self.ledger = ledger
    self.connect = connect
    budget = Budget(settings.caps)
    keys = KeyRing(settings)
  }

  /// How many requests may be under way at once: few before one has succeeded, and after one has failed. Where tokens or money are
  /// bounded, the first shows alone whether the server keeps to what is set aside for it.
  var room: Int {
    if ledger.current.requests == 0, budget.isBounded { return 1 }
    return breaker.isCalm && ledger.current.requests > 0 ? settings.concurrency : min(settings.concurrency, Self.cautious)
  }

  /// Sends a request, again where that may help. What goes wrong is remarked.
  ///
  /// - Throws: `Refusal`; `CancellationError`.
  func send<Answer>(_ call: Call<Answer>) async throws -> Answer {
    var attempt = 0
    while true {
      if let patience = breaker.patience { try await Task.sleep(for: patience) }
      try Task.checkCancellation()
      do {
        return try await attemptOnce(call, attempt)
      } catch Refusal.capped where attempt > 0 {
        // It is the server that has not answered.
        throw Refusal.failed
      } catch let failed as FailedAttempt {
        guard let wait = failed.wait, attempt < RetryPolicy.maximum else { throw Refusal.failed }
        attempt += 1
        try await Task.sleep(for: wait)
      }
    }
  }

  private func attemptOnce<Answer>(_ call: Call<Answer>, _ attempt: Int) async throws -> Answer {
    if isOver.withLock({ $0 }) { throw Refusal.failed }
    try await requirePrice()
    let reservation: Reservation
    do {
      reservation = try await budget.reserve(call.reservation)
    } catch let reached as Budget.Reached {
      ledger.change { $0.cap = reached.description }
      throw Refusal.capped(reached.description)
    }
    if isOver.withLock({ $0 }) || !breaker.admits() {
      budget.giveBack(reservation)
      throw Refusal.failed
    }
    let start = ContinuousClock.now
    let key = keys.current
    var response: HTTPResponse?
    /// Settles the accounts and puts the attempt on the record.
    func record(_ charge: Charge, _ failure: String?) {
      budget.settle(reservation, charge)
      ledger.add(
        RequestRecord(
          provider: settings.provider, model: settings.model, items: call.items, purpose: call.purpose, attempt: attempt,
          charge: charge, duration: ContinuousClock.now - start, requestID: response?.requestID(hiding: key),
          status: response?.status, failure: failure), isFirst: attempt == 0 && !call.isAgain)
      if charge.isExcessive, budget.isBounded { giveUp(charge, reservation) }
    }
    do {
      let received = try await httpClient().send(
        HTTPRequest(
          .post, try settings.url.appending(call.path), headers: call.headers(key), body: call.body, limits: settings.limits))
      response = received
      let (answer, claim) = try read(received, call, key)
      breaker.succeeded()
      record(reservation.charge(for: claim), nil)
      return answer
    } catch is CancellationError {
      breaker.abandoned()
      record(reservation.charge(), "cancelled")
      throw CancellationError()
    } catch {
      let failure = error as? ModelFailure ?? ModelFailure(error as? HTTPError ?? .lost(settings.url.host, "\(error)"))
      let charge = failure.isUntaken ? .nothing(settings.price) : reservation.charge(for: failure.claim)
      if let response, Self.rejections.contains(response.status), call.isOfForm(response.body) {
        breaker.succeeded()
        record(charge, "does not know the request's form")
        throw Refusal.otherForm
      }
      if failure.isFiltered {
        breaker.succeeded()
        record(charge, "a content filter refuses the request")
        throw Refusal.filtered
      }
      record(charge, failure.text(from: settings.url.host))
      if failure.kind == .status(401), keys.renews(key) {
        breaker.succeeded()
        throw FailedAttempt(wait: .zero)
      }
      if failure.isTooLarge {
        breaker.succeeded()
        ledger.remark(failure.text(from: settings.url.host))
        throw Refusal.tooLarge
      }
      throw failed(failure, response, attempt, start)
    }
  }

  /// Ends the asking: a server that takes more than a request allows would pass any cap.
  private func giveUp(_ charge: Charge, _ reservation: Reservation) {
    isOver.withLock { $0 = true }
    ledger.remark(
      "\(settings.url.host) claims \(charge.tokens.total) tokens for a request that can use at most \(reservation.byBytes.tokens), so "
        + "no cap can be enforced; it is not asked again")
  }

  private func read<Answer>(
    _ response: HTTPResponse, _ call: Call<Answer>, _ key: Secret?
  ) throws -> (answer: Answer, claim: UsageClaim) {
    let body = try? JSONValue(response.body)
    guard response.status == 200 else {
      let fault = body.map { call.fault($0) } ?? (type: "", message: "")
      throw ModelFailure(
        response, type: fault.type, message: keys.hidden(in: fault.message), key: key, sizeRemedy: call.sizeRemedy)
    }
    if response.body.isEmpty { throw HTTPError.lost(settings.url.host, "an empty answer") }
    guard let body else {
      throw ModelFailure(
        .badReply, "\(settings.url.host): the answer is not JSON", claim: UsageClaim(answerBytes: response.body.count))
    }
    return try call.read(body)
  }

  private func failed(
    _ failure: ModelFailure, _ response: HTTPResponse?, _ attempt: Int, _ start: ContinuousClock.Instant
  ) -> FailedAttempt {
    let asked = failure.kind == .status(429) ? response.flatMap { RetryPolicy.askedWait($0) } : nil
    let isOpen = breaker.failed(start: start, patience: asked, isBroken: failure.isBrokenConnection)
    let text = failure.text(from: settings.url.host)
    if failure.isFinal {
      isOver.withLock { $0 = true }
      ledger.remark("\(text); it is not asked again")
    } else if isOpen {
      ledger.remark("\(text), \(CircuitBreaker.tolerance) times in a row; it is not asked again for 30 s")
    } else {
      ledger.remark(text)
    }
    guard !failure.isFinal, failure.isRetryable(response) else { return FailedAttempt(wait: nil) }
    return FailedAttempt(wait: RetryPolicy.wait(attempt: attempt, response))
  }

  /// Sees to it that a cap on money can be kept, where the model has no price.
  ///
  /// The address alone says nothing: behind a loopback address may be a proxy to an API that is paid for. So the server must show that it
  /// runs models itself.
  ///
  /// - Throws: `Refusal.failed`; `CancellationError`.
  private func requirePrice() async throws {
    guard settings.price == nil, settings.caps.dollars != nil, !isFree.withLock({ $0 }) else { return }
    let reason: String
    do {
      switch try await ModelProbe.ask(settings, try httpClient()) {
      case .ready(_, program: .some):
        isFree.withLock { $0 = true }
        ledger.change { $0.dollars = $0.dollars ?? 0 }
        return
      case .ready, .rejected: reason = settings.priceRemedy
      case .unreachable(let failure): reason = failure
      }
    } catch let error as HTTPError {
      reason = error.description
    }
    isOver.withLock { $0 = true }
    ledger.change { $0.firstFailure = $0.firstFailure ?? reason }
    ledger.remark(reason)
    throw Refusal.failed
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

extension HTTPResponse {
  /// The server's name for the request, fit to be shown; `nil` where it gave none, or one with the key that it was sent.
  func requestID(hiding key: Secret?) -> String? {
    guard let name = self["request-id"] ?? self["x-request-id"] else { return nil }
    if let key, key.hidden(in: name) != name { return nil }
    return String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0)) }.prefix(80))
  }
}
