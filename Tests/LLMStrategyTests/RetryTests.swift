import HTTPTransport
import LLMStrategy
import ModelServer
import Testing

struct `A failed request` {
  private let shop = SmallShop.taxonomy()

  /// Asks a server that misbehaves for the first `count` requests, and gives how many it got and whether the item was decided.
  private func outcome(
    _ behaviour: Behaviour, count: Int = 1, change: @escaping (inout ModelSettings) -> Void = { _ in }
  ) async throws -> (requests: Int, isDecided: Bool, remarks: [String]) {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"]) { $0.number < count ? behaviour : .answer }
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks, change: change)
    let sections = try await Asking.sections(["dragon fruit"], strategy, shop)
    #expect(strategy.usage.requests == server.count)
    return (server.count, sections == ["Produce"], remarks.all)
  }

  private static let soon = [("retry-after-ms", "1")]

  @Test(arguments: [408, 409, 429, 500, 502, 503, 504, 529])
  func `is sent again where that may help`(status: Int) async throws {
    let outcome = try await outcome(.fail(status, headers: Self.soon))
    #expect(outcome.requests == 2 && outcome.isDecided)
    #expect(outcome.remarks.count == 1 && outcome.remarks[0].contains("answered \(status)"))
  }

  @Test(arguments: [400, 401, 402, 403, 404, 405, 410, 413, 422])
  func `is not sent again where that cannot help`(status: Int) async throws {
    let outcome = try await outcome(.fail(status, type: "invalid_request_error", headers: Self.soon))
    #expect(outcome.requests == 1 && !outcome.isDecided)
  }

  @Test(arguments: [(529, "false", 1), (400, "true", 2), (429, "maybe", 2)])
  func `is sent again or not as x-should-retry says`(status: Int, header: String, requests: Int) async throws {
    let outcome = try await outcome(.fail(status, headers: Self.soon + [("x-should-retry", header)]))
    #expect(outcome.requests == requests)
  }

  @Test func `is sent again twice at most`() async throws {
    let outcome = try await outcome(.fail(500, headers: Self.soon), count: 100)
    #expect(outcome.requests == 3 && !outcome.isDecided)
  }

  @Test(arguments: [
    (Behaviour.raw(""), "closes at once"),
    (.raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"cont"), "closes amid the body"),
    (.raw("what?\r\n\r\n"), "speaks no HTTP"), (.raw("HTTP/1.1 200 OK\r\ncontent-"), "closes amid the headers"),
    (.body(""), "sends nothing"),
  ])
  func `of a broken connection is sent again`(behaviour: Behaviour, what: String) async throws {
    let outcome = try await outcome(behaviour)
    #expect(outcome.requests == 2 && outcome.isDecided, "\(what): \(outcome)")
  }

  @Test(arguments: [
    (Behaviour.hang, "nothing"), (.raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"cont", thenHangs: true), "half a body"),
  ])
  func `that takes too long is given up and sent again`(behaviour: Behaviour, what: String) async throws {
    let outcome = try await outcome(behaviour) { $0.limits.total = .milliseconds(200) }
    #expect(outcome.requests == 2 && outcome.isDecided, "\(what)")
    #expect(outcome.remarks == ["strategy `llm`: 127.0.0.1: took too long to answer"])
  }

  @Test func `has all of its time for the first byte, as answers are not streamed`() throws {
    let limits = ModelSettings(provider: .openai, url: try HTTPURL("http://127.0.0.1:1")).limits
    #expect(limits.idle == limits.total)
  }

  @Test func `without a byte for too long is given up`() async throws {
    let outcome = try await outcome(.hang) { $0.limits.idle = .seconds(1) }
    #expect(outcome.requests == 2 && outcome.isDecided)
  }

  @Test(arguments: [
    ("rate_limit_error", "You have reached your specified API usage limits. You will regain access on 2026-01-01"),
    ("rate_limit_error", "This request would exceed your organization's monthly spend limit"),
    ("insufficient_quota", "You exceeded your current quota"), ("billing_error", "no money"),
  ])
  func `for want of money is never sent again, nor is anything else`(type: String, message: String) async throws {
    let server = try ModelServer(.anthropic) { _ in .fail(429, type: type, message: message, headers: Self.soon) }
    let strategy = try Asking.strategy(server, shop) {
      $0.batchSize = 1
      $0.concurrency = 1
    }
    _ = try await Asking.sections((0..<20).map { "thing \($0)" }, strategy, shop)
    #expect(server.count == 1)
    #expect(strategy.report.abstained == [.failed: 20])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `that is redirected is not sent elsewhere, and its key neither`(status: Int) async throws {
    let elsewhere = try ModelServer(.anthropic)
    let outcome = try await outcome(.fail(status, headers: [("location", elsewhere.url + "/v1/messages")]), count: 100)
    #expect(outcome.requests == 1 && elsewhere.count == 0)
    #expect(outcome.remarks.first?.contains("redirects are not followed") == true)
  }

  @Test func `to a server that is not there says so`() async throws {
    var settings = try Asking.settings(ModelServer(.anthropic))
    settings.batchSize = 1
    // Nobody listens there; a port that was free a moment ago may be another test's by now.
    settings.url = try HTTPURL("http://127.0.0.1:1")
    let remarks = Remarks()
    let strategy = LanguageModelStrategy(settings, taxonomy: shop, remark: { remarks.add($0) })
    #expect(try await Asking.sections(["x"], strategy, shop) == [nil])
    #expect(remarks.all == ["strategy `llm`: 127.0.0.1: no answer; check the address, and that the server is running"])
  }

  @Test func `that speaks no TLS where it should is not sent in the clear`() async throws {
    let server = try ModelServer(.anthropic)
    var settings = try Asking.settings(server)
    settings.url = try HTTPURL(server.url.replacing("http:", with: "https:"))
    let remarks = Remarks()
    let strategy = LanguageModelStrategy(settings, taxonomy: shop, remark: { remarks.add($0) })
    #expect(try await Asking.sections(["x"], strategy, shop) == [nil])
    #expect(server.count == 0)
    #expect(remarks.all.count == 1 && remarks.all[0].contains("no secure connection"), "\(remarks.all)")
    // A handshake that broke off looks the same.
    #expect(strategy.usage.requests == 3)
  }
}
