import HTTPTypes
import NIOCore

/// Answers the most frequent request on its connection's own thread: a short list, asked by somebody on this machine, for strategies that
/// decide at once. To hand it to another thread and back takes longer than to decide it.
///
/// Whatever is not as plain as that goes on to the routes, so that what is wrong with a request is said in one place.
struct ShortWay: Sendable {
  private let gate: Gate
  private let categorize: CategorizeRoute
  private let metrics: ServerMetrics

  /// What is asked this way, and how long its body may be, in bytes: some thousand items, which take a millisecond.
  static let path = "/v1/categorize"
  static let limit = 64 << 10

  /// - Returns: `nil` for a server whose callers need tokens.
  init?(_ settings: ServerSettings, _ gate: Gate, _ categorize: CategorizeRoute, _ metrics: ServerMetrics) {
    guard settings.isLoopback else { return nil }
    (self.gate, self.categorize, self.metrics) = (gate, categorize, metrics)
  }

  /// Whether a request may be answered this way.
  func takes(_ request: HTTPRequest) -> Bool {
    guard request.method == .post, request.path == Self.path else { return false }
    let fields = request.headerFields
    guard fields[.contentType] == "application/json", let length = fields[.contentLength].flatMap({ Int($0) }),
      length <= Self.limit, fields[.authorization] == nil, fields[.contentEncoding] == nil, fields[.expect] == nil,
      fields[.connection].map({ $0.lowercased() == "keep-alive" }) != false
    else { return false }
    return (try? gate.check(request)) != nil
  }

  /// The answer to a body, as JSON; `nil` for one that the routes must answer.
  func answer(_ body: ByteBuffer) -> ByteBuffer? {
    let start = ContinuousClock.now
    guard metrics.begin(atMost: gate.concurrency) else { return nil }
    defer { metrics.end() }
    guard let answer = categorize.answerAtOnce(body) else { return nil }
    metrics.count("POST", Self.path, 200, since: start)
    return answer
  }
}
