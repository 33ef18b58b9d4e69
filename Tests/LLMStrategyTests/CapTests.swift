import AisleCore
import LLMStrategy
import ModelServer
import Testing

struct `A cap` {
  private let shop = SmallShop.taxonomy()
  private static let price = ModelPrice(input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1)

  /// Asks about items under caps, in requests of up to 40.
  private func ask(
    _ count: Int, _ server: ModelServer, _ caps: ModelSettings.Caps, latency: Double = 0, prefix: String = "odd thing"
  ) async throws -> (decided: Int, report: ModelReport, remarks: [String]) {
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks) {
      $0.caps = caps
      $0.price = Self.price
    }
    let sections = try await Asking.sections((0..<count).map { "\(prefix) \($0)" }, strategy, shop)
    return (sections.count { $0 != nil }, strategy.report, remarks.all)
  }

  @Test func `is no obstacle where the items cost less`() async throws {
    let free = try await ask(89, try ModelServer(.anthropic), .init())
    let spent = try #require(free.report.dollars)
    let capped = try await ask(89, try ModelServer(.anthropic), .init(dollars: spent * 3))
    #expect(capped.decided == 89, "\(capped)")
    #expect(capped.remarks.isEmpty, "\(capped.remarks)")
  }

  @Test func `is used up by smaller requests where a full one has no room`() async throws {
    let server = try ModelServer(.anthropic)
    let run = try await ask(400, server, .init(tokens: 12_000))
    let sizes = server.received.map(\.items.count)
    #expect(sizes.first.map { $0 > 10 } == true && sizes.contains { $0 < 20 }, "\(sizes)")
    #expect(run.report.tokens.total <= 12_000 && run.report.tokens.total > 10_000, "\(run.report.tokens)")
    #expect(run.decided < 400 && !run.remarks.isEmpty, "\(run)")
    #expect(run.remarks.allSatisfy { $0.contains("the remaining items are not asked about") })
  }

  @Test func `lets in what may take up to twice what such requests take`() async throws {
    // The first request is measured, so the second needs room for what it takes and for its items' bytes.
    let server = try ModelServer(.anthropic)
    let one = try await ask(40, server, .init()).report
    let first = try #require(server.received.first)
    let cap = one.tokens.total + first.body.count / 4 + 40 * 16 + first.answerLimit
    let two = try await ask(80, server, .init(tokens: cap), prefix: "odd thong")
    #expect(two.decided == 80, "\(two) of \(cap)")
  }

  @Test func `holds where a server counts the same text one way first and another way later`() async throws {
    let server = try ModelServer(.anthropic) { request in
      .answer.claiming(
        #"{"input_tokens":\#(request.number < 3 ? request.body.count / 8 : request.body.count),"output_tokens":480}"#)
    }
    let run = try await ask(800, server, .init(tokens: 40_000))
    #expect(run.report.tokens.total <= 40_000, "\(run.report)")
  }
}
