import AisleCore
import Foundation
import LLMStrategy
import ModelServer
import Synchronization
import Testing

struct `Questions` {
  private let shop = SmallShop.taxonomy()

  @Test func `go out 40 at a time, each normalized item once`() async throws {
    let server = try ModelServer(.anthropic)
    let strategy = try Asking.strategy(server, shop) { $0.concurrency = 1 }
    let items = (0..<100).flatMap { ["thing \($0)", "Thing  \($0)!", "thing \($0)"] }
    let sections = try await Asking.sections(items, strategy, shop)
    #expect(server.received.map(\.items.count) == [40, 40, 20])
    #expect(Set(server.received.flatMap { $0.items.map(\.item) }).count == 100)
    for place in stride(from: 0, to: 300, by: 3) { #expect(Set(sections[place..<place + 3]).count == 1) }
    #expect(strategy.report.decided == 300)
  }

  @Test func `go out several requests at a time, on as many connections at most`() async throws {
    let server = try ModelServer(.anthropic) { _ in .answer.after(seconds: 0.02) }
    let strategy = try Asking.strategy(server, shop) {
      $0.concurrency = 6
      $0.batchSize = 5
    }
    _ = try await Asking.sections((0..<500).map { "thing \($0)" }, strategy, shop)
    #expect(server.count == 100)
    #expect((2...6).contains(server.peak))
    #expect(server.connections <= 6)
  }

  @Test func `of calls at the same time are put together, and none is asked twice`() async throws {
    let server = try ModelServer(.anthropic) { _ in .answer.after(seconds: 0.05) }
    let strategy = try Asking.strategy(server, shop) { $0.concurrency = 1 }
    let all = try await withThrowingTaskGroup(of: [String?].self) { group in
      for call in 0..<50 {
        group.addTask { try await Asking.sections(["the same", "thing \(call)", "thing \(call / 2)"], strategy, shop) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.allSatisfy { !$0.contains(nil) })
    #expect(Set(all.map { $0[0] }).count == 1)
    #expect(server.received.flatMap { $0.items.map(\.item) }.count == 51)
    #expect(server.count <= 10, "51 items would have needed 50 requests")
  }

  @Test(arguments: ["", " ", "\u{1B}\u{7}\n", String(repeating: "x", count: 513)])
  func `are only made of what can be an item`(item: String) async throws {
    let server = try ModelServer(.anthropic)
    #expect(try await Asking.sections([item], Asking.strategy(server, shop), shop) == [nil])
    #expect(server.count == 0)
  }

  @Test func `have no control characters, so that they keep to their lines`() async throws {
    let server = try ModelServer(.anthropic)
    _ = try await Asking.sections(
      ["\u{202E}red\u{1B}[31m\u{0} \u{FEFF}wine\r\n2\tmilk\u{2028}3"], Asking.strategy(server, shop), shop)
    #expect(server.received.flatMap { $0.items.map(\.item) } == ["red [31m wine 2 milk 3"])
  }

  @Test func `of emoji alone are told apart`() async throws {
    let server = try ModelServer(.anthropic, answers: ["🥛": "Dairy & Eggs", "🍎": "Produce"])
    #expect(try await Asking.sections(["🥛", "🍎"], Asking.strategy(server, shop), shop) == ["Dairy & Eggs", "Produce"])
  }

  @Test func `of a call that is cancelled are given up, those of others not`() async throws {
    let isHeld = Mutex(true)
    let server = try ModelServer(.anthropic) { request in
      request.items.contains { $0.item == "slow" } && isHeld.withLock { $0 } ? .hang : .answer
    }
    let strategy = try Asking.strategy(server, shop) { $0.batchSize = 1 }
    // The first request of a run goes alone.
    #expect(try await Asking.sections(["first"], strategy, shop) != [nil])
    let slow = Task { try await Asking.sections(["slow"], strategy, shop) }
    while server.count == 1 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try await Asking.sections(["quick"], strategy, shop) != [nil])
    slow.cancel()
    await #expect(throws: CancellationError.self) { try await slow.value }
    isHeld.withLock { $0 = false }
    #expect(try await Asking.sections(["slow"], strategy, shop) != [nil])
  }
}

struct `A signal` {
  @Test func `ends every call, and those after it too`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let server = try ModelServer(.anthropic) { $0.number == 0 ? .answer : .hang }
    let shop = SmallShop.taxonomy()
    let strategy = LanguageModelStrategy(try Asking.settings(server), taxonomy: shop, interruption: ends[0])
    #expect(try await Asking.sections(["quick"], strategy, shop) != [nil])
    let waiting = Task { try await Asking.sections(["slow"], strategy, shop) }
    while server.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(write(ends[1], "x", 1) == 1)
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await #expect(throws: CancellationError.self) { try await Asking.sections(["later"], strategy, shop) }
    #expect(server.count == 2)
    let late = LanguageModelStrategy(try Asking.settings(server), taxonomy: shop, interruption: ends[0])
    await #expect(throws: CancellationError.self) { try await Asking.sections(["first"], late, shop) }
  }
}

struct `A server of llama.cpp` {
  @Test(arguments: [400, 422, 500])
  func `that knows schemas in another form only is asked in that form from then on`(status: Int) async throws {
    let server = try ModelServer(.openai, schemaRejection: status)
    let shop = SmallShop.taxonomy()
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks) {
      $0.batchSize = 1
      $0.concurrency = 1
    }
    let sections = try await Asking.sections(["one", "two", "three"], strategy, shop)
    #expect(!sections.contains(nil))
    #expect(server.count == 4 && server.faults.count == 1)
    #expect(remarks.all == [])
  }
}

struct `The cache of answers` {
  private let shop = SmallShop.taxonomy()
  private let items = (0..<10).map { "thing \($0)" }

  private func run(
    _ use: ModelSettings.CacheUse, _ cache: some AnswerCache, _ server: ModelServer, model: String = "test-model",
    newSections: Bool = false
  ) async throws -> [String?] {
    let strategy = try Asking.strategy(server, shop, cache: cache) {
      $0.cacheUse = use
      $0.model = model
      $0.allowsNewSections = newSections
    }
    return try await Asking.sections(items, strategy, shop)
  }

  @Test func `makes the same list free the second time, and refresh asks again`() async throws {
    let server = try ModelServer(.anthropic, answers: ["thing 3": "Nowhere"])
    let cache = MemoryAnswerCache()
    let first = try await run(.use, cache, server)
    #expect(server.count == 1)
    #expect(first[3] == nil)
    #expect(try await run(.use, cache, server) == first)
    #expect(server.received.map(\.items.count) == [10, 1], "an off-list answer is not kept")
    #expect(try await run(.refresh, cache, server) == first)
    #expect(server.count == 3)
  }

  @Test func `alone answers where only it may be asked`() async throws {
    let server = try ModelServer(.anthropic)
    let cache = MemoryAnswerCache()
    #expect(try await run(.only, cache, server) == items.map { _ in nil })
    let first = try await run(.use, cache, server)
    #expect(try await run(.only, cache, server) == first)
    #expect(server.count == 1)
  }

  @Test func `is neither read nor written where it is off`() async throws {
    let server = try ModelServer(.anthropic)
    let cache = MemoryAnswerCache()
    _ = try await run(.off, cache, server)
    _ = try await run(.use, cache, server)
    _ = try await run(.off, cache, server)
    #expect(server.count == 3)
  }

  @Test func `tells models and prompts apart, and keeps no failures`() async throws {
    let server = try ModelServer(.anthropic, sections: SmallShop.names) { $0.number == 0 ? .fail(400) : .answer }
    let cache = MemoryAnswerCache()
    #expect(try await run(.use, cache, server) == items.map { _ in nil })
    _ = try await run(.use, cache, server)
    _ = try await run(.use, cache, server, model: "other")
    _ = try await run(.use, cache, server, newSections: true)
    #expect(server.count == 4)
  }

  @Test func `may fail, and the run goes on`() async throws {
    struct Broken: AnswerCache {
      struct Fault: Error, CustomStringConvertible { let description = "the disk is gone" }
      func answers(to items: [String], in context: AnswerContext) throws -> [String: ModelAnswer] { throw Fault() }
      func keep(_ answers: [String: ModelAnswer], in context: AnswerContext) throws { throw Fault() }
    }
    let server = try ModelServer(.anthropic)
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, cache: Broken(), remarks: remarks)
    #expect(!(try await Asking.sections(items, strategy, shop)).contains(nil))
    #expect(remarks.all == ["strategy `llm`: the disk is gone"])
  }
}
