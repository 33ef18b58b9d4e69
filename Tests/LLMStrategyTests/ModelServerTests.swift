import AisleCore
import HTTPTransport
import LLMStrategy
import ModelServer
import Synchronization
import Testing

/// The server of the tests is worth as much as it is strict.
struct `The server of the tests` {
  private let shop = SmallShop.taxonomy()

  /// A request as the strategy makes it.
  private func request(_ api: ModelServer.API) async throws -> Received {
    let server = try ModelServer(api, sections: SmallShop.names)
    _ = try await Asking.sections(["dragon fruit", "rope"], try Asking.strategy(server, shop, remarks: Remarks()), shop)
    return try #require(server.received.first)
  }

  /// Sends a request to a new server, and gives its status.
  private func send(
    _ api: ModelServer.API, _ request: Received, _ body: JSONValue, leaving: String? = nil, adding: (String, String)? = nil
  ) async throws -> Int {
    let server = try ModelServer(api, sections: SmallShop.names)
    var headers = request.headers.filter { !["host", "content-length", "user-agent", "accept", leaving].contains($0.key) }
    if let adding { headers[adding.0] = adding.1 }
    let sent = headers.map { HTTPRequest.Header($0.key, $0.value) }
    return try await HTTPClient().send(HTTPRequest(.post, HTTPURL(server.url + request.path), headers: sent, body: body.bytes))
      .status
  }

  @Test(arguments: ModelServer.API.allCases)
  func `takes what the strategy sends, and nothing with a field or header more or less`(api: ModelServer.API) async throws {
    let request = try await request(api)
    let body = try JSONValue(request.body)
    #expect(try await send(api, request, body) == 200)
    for field in try #require(body.names) {
      #expect(try await send(api, request, without(field, body)) == 400, "without \(field)")
    }
    guard case .object(let members) = body else { return }
    #expect(try await send(api, request, .object(members + [.init("temperature", 0)])) == 400)
    for name in ["content-type", "anthropic-version"] where request.headers[name] != nil {
      #expect(try await send(api, request, body, adding: (name, "text/plain")) == 400, "\(name)")
    }
    #expect(try await send(api, request, body, adding: ("x-more", "1")) == 400)
    let key = request.headers["x-api-key"] == nil ? "authorization" : "x-api-key"
    #expect(try await send(api, request, body, leaving: key) == 401)
    #expect(try await send(api, request, body, adding: (key, "Bearer other")) == 401)
  }

  private func without(_ field: String, _ body: JSONValue) -> JSONValue {
    guard case .object(let members) = body else { return body }
    return .object(members.filter { $0.name != field })
  }
}
