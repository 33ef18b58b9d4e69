import AisleCore
import LLMStrategy
import ModelServer
import Synchronization
import Testing

/// What a server does to requests, at random by a seed.
private final class Faults: Sendable {
  private struct State {
    var random: SeededGenerator
    /// How many requests in a row have failed: five would open the breaker, and end the run early.
    var failures = 0
    /// The numbers of the requests that were refused for now, which take nothing.
    var refused: Set<Int> = []
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

  private static let soon = [("retry-after-ms", "1")]

  /// The numbers of the requests that were refused for now, which take nothing.
  var refused: Set<Int> { state.withLock { $0.refused } }

  /// One of eight faults for half of all requests, sound answers for the rest.
  ///
  /// - Parameter number: The request's.
  func next(_ number: Int) -> Behaviour {
    state.withLock { state in
      let seed = state.random.next()
      var fault = Int.random(in: 0..<16, using: &state.random)
      if state.failures == 2, fault < 2 || fault == 6 { fault = 15 }
      state.failures = fault < 2 || fault == 6 ? state.failures + 1 : 0
      if fault == 6 { state.refused.insert(number) }
      switch fault {
      case 0: return .raw("")
      case 1: return .raw("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"content\":[")
      case 2: return .truncate
      case 3: return .refuse
      case 4: return .edit { $0.reverse() }
      case 5: return .edit { items in items += items.filter { $0.id.utf8.count % 2 == 1 }.prefix(2) }
      case 6: return .fail(seed % 2 == 0 ? 429 : 529, headers: Self.soon)
      case 7: return .edit { items in items.removeAll { Int($0.id).map { UInt64($0) % 5 == seed % 5 } ?? true } }
      case 8: return .answer.after(seconds: 0.02)
      default: return .answer
      }
    }
  }
}

struct `Two hundred requests with faults at random` {
  private let shop = SmallShop.taxonomy()

  /// A price at which tokens show in the sum.
  private static let price = ModelPrice(input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25)

  /// What a run ended with.
  private struct Outcome {
    var sections: [String?]
    var report: ModelReport
    var remarks: [String]
  }

  /// Asks about items in calls of 25, all at once, so that requests overlap.
  private func run(
    _ items: [String], _ server: ModelServer, _ caps: ModelSettings.Caps
  ) async throws -> Outcome {
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks) { settings in
      settings.batchSize = 10
      settings.concurrency = 8
      settings.caps = caps
      settings.price = Self.price
    }
    let calls = stride(from: 0, to: items.count, by: 25).map { Array(items[$0..<min($0 + 25, items.count)]) }
    let sections = try await withThrowingTaskGroup(of: (Int, [String?]).self) { group in
      for (place, call) in calls.enumerated() {
        group.addTask { [shop] in (place, try await Asking.sections(call, strategy, shop)) }
      }
      return try await group.reduce(into: [Int: [String?]]()) { $0[$1.0] = $1.1 }
    }
    return Outcome(
      sections: calls.indices.flatMap { sections[$0] ?? [] }, report: strategy.report, remarks: remarks.all)
  }

  @Test(
    arguments: [
      (1, ModelSettings.Caps()), (2, .init(requests: 60)), (3, .init(tokens: 30_000)), (4, .init(dollars: 0.05)),
    ] as [(UInt64, ModelSettings.Caps)])
  func `answer no item twice, lose none silently, and pass no cap`(seed: UInt64, caps: ModelSettings.Caps) async throws {
    let faults = Faults(seed: seed)
    let server = try ModelServer(.anthropic) { faults.next($0.number) }
    let items = (0..<2_000).map { "thing \($0)" }
    let outcome = try await run(items, server, caps)
    let report = outcome.report
    // Each item has one outcome: the section that the server gives it, or an abstention that is counted.
    #expect(outcome.sections.count == items.count, "seed \(seed)")
    for (item, section) in zip(items, outcome.sections) {
      if let section { #expect(section == server.section(of: item, among: SmallShop.names), "seed \(seed): \(item)") }
    }
    #expect(report.decided == outcome.sections.count { $0 != nil }, "seed \(seed)")
    #expect(report.decided + report.abstained.values.reduce(0, +) == items.count, "seed \(seed): \(report)")
    #expect(report.abstained.isEmpty || !outcome.remarks.isEmpty, "seed \(seed): \(report.abstained)")
    #expect(report.requests == server.count, "seed \(seed)")
    if caps == .init() { #expect(server.count >= 200, "seed \(seed): \(server.count)") }
    // What the server took is what it says; what broke off counts too.
    let refused = faults.refused
    let most = server.received.filter { !refused.contains($0.number) }.reduce(0) { $0 + $1.body.count / 4 + 12 * $1.items.count }
    if let cap = caps.requests { #expect(server.count <= cap, "seed \(seed)") }
    if let cap = caps.tokens { #expect(report.tokens.total <= cap && most <= cap, "seed \(seed): \(report.tokens)") }
    if let cap = caps.dollars { #expect(report.dollars ?? 1 <= cap, "seed \(seed): \(report)") }
  }
}
