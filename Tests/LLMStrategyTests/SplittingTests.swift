import LLMStrategy
import ModelServer
import Testing

struct `A request that loses items` {
  private let shop = SmallShop.taxonomy()
  private let items = (1...40).map { "thing \($0)" }

  /// Runs the 40 items against a server, which gives them all to Produce, and gives the items left undecided.
  private func undecided(
    _ api: ModelServer.API = .anthropic, change: (inout ModelSettings) -> Void = { _ in },
    behave: @escaping @Sendable (Received) -> Behaviour
  ) async throws -> (items: [String], server: ModelServer, strategy: LanguageModelStrategy, remarks: [String]) {
    let server = try ModelServer(api, sections: ["Produce"], behave: behave)
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks, change: change)
    let sections = try await Asking.sections(items, strategy, shop)
    return (zip(items, sections).filter { $1 == nil }.map(\.0), server, strategy, remarks.all)
  }

  @Test(arguments: [
    (Behaviour.refuse, "refused a request", ModelAnswer.Abstention.refused),
    (.truncate, "cut an answer short", .truncated),
    (.fail(400, type: "content_filter", message: "the prompt was filtered"), "refused a request", .refused),
  ])
  func `over one item is halved until that item is alone`(
    behaviour: Behaviour, remark: String, reason: ModelAnswer.Abstention
  ) async throws {
    let outcome = try await undecided { request in request.items.contains { $0.item == "thing 17" } ? behaviour : .answer }
    #expect(outcome.items == ["thing 17"])
    #expect(outcome.strategy.report.abstained == [reason: 1])
    #expect(outcome.remarks.count == 1 && outcome.remarks[0].contains(remark), "\(outcome.remarks)")
    #expect(outcome.server.count == 11, "five halvings, two requests each")
    #expect(outcome.strategy.report.asked == 40, "no item counts twice")
  }

  @Test func `is asked in smaller ones where the answer has no room`() async throws {
    let outcome = try await undecided { $0.items.count > 10 ? .truncate : .answer }
    #expect(outcome.items == [])
    #expect(outcome.server.received.map(\.items.count) == [40, 20, 10, 10, 20, 10, 10])
  }

  @Test func `is asked about the missing ones alone, and no answered one again`() async throws {
    let outcome = try await undecided { request in
      .edit { items in items.removeAll { request.number == 0 && $0.id.hasSuffix("7") } }
    }
    #expect(outcome.items == [])
    #expect(outcome.server.received.map { $0.items.map(\.item) }.last == ["thing 7", "thing 17", "thing 27", "thing 37"])
    #expect(outcome.server.count == 2)
  }

  @Test func `for whatever it is asked is not halved without end, and later ones not at all`() async throws {
    let outcome = try await undecided(change: { $0.batchSize = 20 }) { _ in .refuse }
    #expect(outcome.items == items)
    #expect(outcome.server.count == 13, "12 in a row, then each request once")
    #expect(outcome.strategy.report.abstained == [.refused: 40])
  }

  @Test func `is asked again within the caps`() async throws {
    let outcome = try await undecided(change: { $0.caps.requests = 4 }) { request in
      request.items.contains { $0.item == "thing 1" } ? .refuse : .answer
    }
    #expect(outcome.server.count == 4)
    #expect(outcome.strategy.report.items == 40 && outcome.strategy.report.abstained[.capped] != nil)
  }

  @Test func `is not made again in the same run for an item that nothing helps`() async throws {
    let outcome = try await undecided { request in request.items.contains { $0.item == "thing 17" } ? .refuse : .answer }
    let before = outcome.server.count
    #expect(try await Asking.sections(["thing 17"], outcome.strategy, shop) == [nil])
    #expect(outcome.server.count == before)
  }
}
