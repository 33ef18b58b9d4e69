import NIOCore

/// Answers the most frequent request on its connection's own thread, before it is read as HTTP: a short list, asked by somebody on this
/// machine, for strategies that decide at once. To read it as any other request, and to hand it to another thread and back, takes longer
/// than to decide it.
///
/// Whatever is not as plain as that goes on to the routes, so that what is wrong with a request is said in one place.
struct ShortWay: Sendable {
  private let gate: Gate
  private let categorize: CategorizeRoute
  private let metrics: ServerMetrics

  /// - Returns: `nil` for a server whose callers need tokens.
  init?(_ settings: ServerSettings, _ gate: Gate, _ categorize: CategorizeRoute, _ metrics: ServerMetrics) {
    guard settings.isLoopback else { return nil }
    (self.gate, self.categorize, self.metrics) = (gate, categorize, metrics)
  }

  /// The answer to a request, as JSON after some room for its head; `nil` for one that the routes must answer.
  func answer(_ request: PlainRequest, _ body: UnsafeBufferPointer<UInt8>, after room: Int) -> ByteBuffer? {
    guard gate.isCalled(request.host), metrics.begin(atMost: gate.concurrency) else { return nil }
    let start = ContinuousClock.now
    defer { metrics.end() }
    guard let answer = categorize.answerAtOnce(body, after: room) else { return nil }
    metrics.count("POST", PlainRequest.path, 200, since: start)
    return answer
  }
}
