import AisleCore
import HTTPTransport
import ModelServer
import Testing

struct `The HTTP client` {
  private func request(_ server: ModelServer, _ limits: HTTPRequest.Limits = .init()) throws -> HTTPRequest {
    HTTPRequest(
      .post, try HTTPURL(server.url + "/v1/messages"),
      headers: [HTTPRequest.Header("x-api-key", secret: Secret("sentinel-0451")), HTTPRequest.Header("x-odd", "a b")],
      body: Array("{\"a\":1}".utf8), limits: limits)
  }

  @Test func `has the limits that were promised`() {
    let limits = HTTPRequest.Limits()
    #expect(limits.connect == .seconds(5) && limits.total == .seconds(60) && limits.idle == .seconds(20))
    #expect(limits.responseBytes == 1 << 20)
  }

  @Test func `sends method, headers and body as they are, and gives back status, headers and body`() async throws {
    let server = try ModelServer(.anthropic) { _ in
      .fail(418, message: "teapot", headers: [("X-Kind", "first"), ("x-kind", "last")])
    }
    let response = try await HTTPClient().send(request(server))
    #expect(response.status == 418 && response["X-KIND"] == "last" && response["none"] == nil)
    #expect(String(decoding: response.body, as: UTF8.self).contains("teapot"))
    let received = try #require(server.received.first)
    #expect(received.method == "POST" && received.path == "/v1/messages" && received.text == "{\"a\":1}")
    #expect(received.headers["x-api-key"] == "sentinel-0451" && received.headers["x-odd"] == "a b")
    #expect(received.headers["expect"] == nil && received.headers["user-agent"] == "aisle")
  }

  @Test func `uses a connection again`() async throws {
    let server = try ModelServer(.anthropic) { _ in .body("{}") }
    let client = try HTTPClient()
    for _ in 0..<20 { _ = try await client.send(request(server)) }
    // One, unless the machine is so busy that libcurl holds the connection for stale between two requests.
    #expect(server.count == 20 && server.connections < 5, "\(server.connections) connections")
  }

  @Test func `sends nothing twice that a server may have taken before it closed the connection`() async throws {
    // Once the server has answered, the connection is one that is used again: those libcurl would send on anew.
    let server = try ModelServer(.anthropic) { $0.number == 1 ? .raw("") : .body("{}") }
    let client = try HTTPClient()
    _ = try await client.send(request(server))
    // Where libcurl holds that connection for stale by then, it opens another, and puts what happens to that in other words.
    let error = await #expect(throws: HTTPError.self) { try await client.send(request(server)) }
    if case .lost = error {} else { Issue.record("\(String(describing: error))") }
    #expect(server.count == 2)
    #expect(try await client.send(request(server)).status == 200)
  }

  @Test func `sends a large body whole`() async throws {
    let server = try ModelServer(.anthropic) { _ in .body("{}") }
    let body = (0..<3_000_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let large = HTTPRequest(.post, try HTTPURL(server.url + "/v1/messages"), headers: [], body: body)
    #expect(try await HTTPClient().send(large).status == 200)
    #expect(server.received.first?.text == String(decoding: body, as: UTF8.self))
  }

  @Test func `sends many requests at once`() async throws {
    let server = try ModelServer(.anthropic) { _ in .body("{}").after(seconds: 0.1) }
    let client = try HTTPClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<32 { group.addTask { _ = try await client.send(request(server)) } }
      try await group.waitForAll()
    }
    #expect(server.count == 32 && server.peak > 16)
  }

  @Test func `gives up at once when its task is cancelled, before and while it waits`() async throws {
    let server = try ModelServer(.anthropic) { _ in .hang }
    let client = try HTTPClient()
    let task = Task { try await client.send(request(server)) }
    while server.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let early = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await client.send(request(server))
    }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(server.count == 1)
  }

  @Test(arguments: [0, 1, 4_096, 65_536])
  func `takes a response of just the size that is allowed, and none that is larger`(size: Int) async throws {
    let server = try ModelServer(.anthropic) {
      $0.number == 0 ? .body([UInt8](repeating: 7, count: size)) : .body([UInt8](repeating: 7, count: size + 1))
    }
    let client = try HTTPClient()
    let limits = HTTPRequest.Limits(responseBytes: size)
    #expect(try await client.send(request(server, limits)).body.count == size)
    await #expect(throws: HTTPError.tooLarge("127.0.0.1", size)) { try await client.send(request(server, limits)) }
  }

  @Test func `takes no endless headers`() async throws {
    let endless = "HTTP/1.1 200 OK\r\n" + String(repeating: "x-more: \(String(repeating: "y", count: 1_000))\r\n", count: 100)
    let server = try ModelServer(.anthropic) { _ in .raw(endless, thenHangs: true) }
    await #expect(throws: HTTPError.self) { try await HTTPClient().send(request(server)) }
  }

  @Test func `shows no secret, however its request is shown`() throws {
    let server = try ModelServer(.anthropic)
    let request = try request(server)
    var dumped = ""
    dump(request, to: &dumped)
    for text in [
      "\(request)", String(reflecting: request), dumped, "\(Secret("sentinel-0451"))",
      String(reflecting: Secret("sentinel-0451")),
    ] {
      #expect(!text.contains("sentinel-0451"), "\(text)")
    }
    #expect(dumped.contains("x-api-key"))
  }

  @Test func `may go while its thread still runs`() async throws {
    let server = try ModelServer(.anthropic) { _ in .body("{}") }
    for _ in 0..<50 { _ = try await HTTPClient().send(request(server)) }
    #expect(server.count == 50)
  }
}
