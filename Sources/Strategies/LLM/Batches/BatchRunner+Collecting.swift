import AisleCore
import HTTPTransport

extension BatchRunner {
  /// What becomes of requests that cost nothing.
  private static let free = ["errored", "canceled", "expired"]

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

  /// What the results of requests add up to.
  private struct Tally {
    var report: ModelReport
    var failures: [String: Int] = [:]
    var firstFault: String?
  }

  /// The answers of a job whose parts have ended.
  ///
  /// - Throws: `Failure`; `CancellationError`.
  public func collect(_ job: BatchJob) async throws -> Outcome {
    try check(job)
    var answers: [String: ModelAnswer] = [:]
    var tally = Tally(report: ModelReport(dollars: settings.price == nil ? nil : 0))
    let check = AnswerCheck(prompt, hiding: settings.key)
    let dialect = dialect(for: job)
    for (part, id) in job.parts.indices.compactMap({ part in job.parts[part].id.map { (part, $0) } }) {
      var results: [String: JSONValue] = [:]
      for line in try await fetch(.get, "/\(id)/results").split(separator: 0x0A) {
        guard let result = try? JSONValue(Array(line)), let name = result["custom_id"]?.string else { continue }
        results[name] = result["result"]
      }
      for (number, questions) in job.requests(of: part).map(Array.init).enumerated() {
        tally.report.requests += 1
        tally.report.asked += questions.count
        let reply = reply(
          results[job.name(part: part, request: number)], dialect, reservation(for: questions, dialect), &tally)
        let given = reply.map { check.answers($0, to: questions) } ?? questions.map { _ in .none(.failed) }
        for (question, answer) in zip(questions, given) { answers[question.key] = answer }
      }
    }
    let all = answers.merging(job.known) { $0.isLasting ? $0 : $1 }
    return Outcome(
      answers: all, lasting: answers.filter { $0.value.isLasting }, context: AnswerContext(settings, prompt),
      report: tally.report,
      failures: tally.failures, firstFault: tally.firstFault, unanswered: all.values.count { !$0.isLasting })
  }

  /// What a request brought; `nil` where that is nothing.
  private func reply(
    _ result: JSONValue?, _ dialect: AnthropicDialect, _ reservation: Reservation, _ tally: inout Tally
  ) -> Reply? {
    func fail(_ what: String, _ charge: Charge) {
      tally.report.add(charge)
      tally.report.failures += 1
      tally.failures[what, default: 0] += 1
    }
    guard result?["type"] == "succeeded", let message = result?["message"] else {
      let type = result?["type"]?.string ?? ""
      let isKnown = Self.free.contains(type)
      fail(isKnown ? type : "unusable", isKnown ? .nothing(reservation.price) : reservation.charge())
      if tally.firstFault == nil, let error = result?["error"] {
        let (type, message) = AnthropicDialect.fault(error)
        // It may repeat the key that it was sent, or hold what could harm a terminal.
        let said = [type, message].map { settings.key?.hidden(in: $0) ?? $0 }
        tally.firstFault = ModelFailure(.badReply, said.filter { !$0.isEmpty }.joined(separator: ": ")).message
      }
      return nil
    }
    do {
      let reply = try Reply(dialect.ending(message, tool: Prompt.toolName))
      tally.report.add(reservation.charge(for: reply.claim))
      return reply
    } catch {
      fail("unusable", reservation.charge(for: error.claim))
      return nil
    }
  }
}
