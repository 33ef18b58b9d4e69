import HTTPTypes
import Hummingbird
import Synchronization

/// What every request passes: who may call this server from where, how many at once, and what every answer says of itself.
struct Gate: RouterMiddleware {
  private let names: Set<String>
  /// The names with this server's port, as nearly every request has one.
  private let authorities: Set<String>
  private let acceptsAddresses: Bool
  /// How many requests may be under way at once.
  let concurrency: Int
  private let metrics: ServerMetrics

  init(_ settings: ServerSettings, _ metrics: ServerMetrics) {
    names = Set((["localhost", "127.0.0.1", "[::1]", settings.host] + settings.names).map { $0.lowercased() })
    authorities = Set(names.map { "\($0):\(settings.port)" })
    // A page that is made to call this server under another name has only names to do it by, not addresses.
    acceptsAddresses = !settings.isLoopback
    concurrency = settings.concurrency
    self.metrics = metrics
  }

  @concurrent
  func handle(
    _ request: Request, context: BasicRequestContext, next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var response: Response
    do {
      try check(request.head)
      guard metrics.begin(atMost: concurrency) else {
        throw Problem(.serviceUnavailable, "too many requests at once; try again in a second", [.retryAfter: "1"])
      }
      defer { metrics.end() }
      response = try await next(request, context)
    } catch {
      var problem = Problem(error)
      if problem.status == .notFound, !(error is Problem) {
        problem =
          !Self.methods.contains(request.method)
          ? Problem(.methodNotAllowed, "no path takes \(request.method.rawValue)", [.allow: "GET, HEAD, POST, DELETE"])
          : Problem(.notFound, "there is nothing at \(request.uri.path.prefix(100)); see /openapi.json")
      }
      response = problem.response
    }
    // An answer to HEAD that has a body would be read as the next answer.
    if request.method == .head { response = response.createHeadResponse() }
    let isKnown = context.endpointPath != nil
    metrics.count(
      isKnown ? request.method.rawValue : "", context.endpointPath ?? "", response.status.code, since: start)
    return response
  }

  /// Of a second header `Host`: the first is the request's authority.
  private static let host = HTTPField.Name("Host")

  /// The methods that paths may have.
  private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .delete]

  /// - Throws: `Problem` for a request that a page of somebody else's sent, or has its visitors send.
  func check(_ request: HTTPRequest) throws {
    guard let host = request.authority, Self.host.flatMap({ request.headerFields[$0] }) == nil else {
      throw Problem(.badRequest, "send one header `Host`", [.connection: "close"])
    }
    guard isCalled(host) else {
      throw Problem(.forbidden, "unknown host \(host.prefix(100)); `aisle serve --name` adds it")
    }
    if request.method == .get || request.method == .head { return }
    guard let origin = request.headerFields[.origin] else { return }
    let authority = origin.split(separator: "/", maxSplits: 2).dropFirst().first
    guard let authority, origin.contains("://"), authority.lowercased() == host.lowercased() else {
      throw Problem(.forbidden, "requests from origin \(origin.prefix(100)) are not allowed")
    }
  }

  /// Whether this server is called by a name, with or without a port.
  func isCalled(_ host: String) -> Bool { authorities.contains(host) || Self.name(host).map(isKnown) == true }

  private func isKnown(_ name: String) -> Bool { names.contains(name) || acceptsAddresses && Self.isAddress(name) }

  /// The host without its port; `nil` for a text of another form.
  private static func name(_ authority: String) -> String? {
    let end =
      authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
    let port = authority[(end ?? authority.endIndex)...]
    guard port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return authority[..<(end ?? authority.endIndex)].lowercased()
  }

  private static func isAddress(_ name: String) -> Bool {
    name.hasPrefix("[") || name.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
  }
}
