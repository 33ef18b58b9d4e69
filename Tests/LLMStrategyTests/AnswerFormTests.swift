import LLMStrategy
import ModelServer
import Testing

struct `The form of answers` {
  private let shop = SmallShop.taxonomy()

  /// Every combination of what a server may refuse, and how often it must for its form to be found.
  private static let refusals: [(ModelServer.API, Set<String>)] = [
    (.anthropic, []), (.anthropic, ["output_config"]), (.anthropic, ["output_config", "tools"]), (.openai, []),
    (.openai, ["json_schema"]), (.openai, ["json_schema", "schema"]), (.openai, ["json_schema", "schema", "json_object"]),
  ]

  @Test(arguments: refusals)
  func `is the strictest that the server takes, found once and by one request at a time`(
    api: ModelServer.API, refusing: Set<String>
  ) async throws {
    let server = try ModelServer(api, sections: SmallShop.names, refusing: refusing)
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks) {
      $0.batchSize = 5
      $0.concurrency = 4
    }
    let sections = try await Asking.sections((0..<40).map { "thing \($0)" }, strategy, shop)
    #expect(!sections.contains(nil))
    #expect(server.faults.count == refusing.count, "\(server.faults)")
    #expect(server.count == 8 + refusing.count)
    #expect(strategy.report.asked == 40 && strategy.report.failures == refusing.count)
    #expect(remarks.all == [])
  }

  @Test(arguments: [ModelServer.API.anthropic, .openai])
  func `is not changed for a rejection that has nothing to do with it`(api: ModelServer.API) async throws {
    let server = try ModelServer(api) { _ in .fail(400, type: "invalid_request_error", message: "max_tokens: too large") }
    #expect(try await Asking.sections(["rope"], try Asking.strategy(server, shop), shop) == [nil])
    #expect(server.count == 1)
  }

  @Test func `states the sections once, however many items there are`() async throws {
    let server = try ModelServer(.anthropic)
    let strategy = try Asking.strategy(server, shop) { $0.concurrency = 1 }
    _ = try await Asking.sections((0..<41).map { "thing \($0)" }, strategy, shop)
    let sizes = server.received.map { request in request.text.split(separator: "Dairy & Eggs").count }
    #expect(sizes[0] == sizes[1])
  }
}
