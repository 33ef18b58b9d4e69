import AisleCore
import Testing

/// What `Chain.Policy.weigh` makes of several answers.
@Suite struct ArbiterTests {
  private func decide(_ items: [String], _ links: [Chain.Link]) async throws -> Batch {
    var batch = Batch(items, taxonomy: SmallStore.taxonomy)
    try await Chain(links, policy: .weigh).decide(&batch)
    return batch
  }

  private func outcome(_ batch: Batch) -> [[Int]?] {
    batch.decisions.map { decision in
      decision.map { [Int($0.section.rawValue), $0.strategy.map { Int($0.rawValue) } ?? -1] }
    }
  }

  @Test func `the section wins for which most is said`() async throws {
    let keyword = ScriptedStrategy("keyword", ["unsure": (0, 0.4), "sure": (0, 0.95), "tied": (0, 0.9)])
    let model = ScriptedStrategy(
      "model", ["unsure": (1, 0.95), "sure": (1, 0.6), "tied": (1, 0.9), "alone": (2, 0.95), "guess": (2, 0.8)])
    let batch = try await decide(["unsure", "sure", "tied", "alone", "guess", "xyzzy"], [.init(keyword), .init(model)])
    #expect(outcome(batch) == [[1, 1], [0, 0], [0, 0], [2, 1], nil, nil])
    #expect(batch.decisions[3]?.confidence == 0.95, "one that stands alone keeps its confidence")
  }

  @Test func `several voices together outweigh one that is surer`() async throws {
    let items = ["milk"]
    let (keyword, regex, model) = (
      ScriptedStrategy("keyword", ["milk": (0, 0.8)]), ScriptedStrategy("regex", ["milk": (1, 0.9)]),
      ScriptedStrategy("model", ["milk": (1, 0.75)])
    )
    #expect(try await outcome(decide(items, [.init(keyword), .init(model)])) == [[0, 0]])
    #expect(try await outcome(decide(items, [.init(keyword), .init(regex), .init(model)])) == [[1, 1]])
  }

  @Test func `agreement makes surer, and dissent less sure`() async throws {
    let keyword = ScriptedStrategy("keyword", ["same": (0, 0.8), "other": (0, 0.8)])
    let model = ScriptedStrategy("model", ["same": (0, 0.8), "other": (1, 0.6)])
    let batch = try await decide(["same", "other"], [.init(keyword), .init(model)])
    let (same, other) = (try #require(batch.decisions[0]), try #require(batch.decisions[1]))
    #expect(same.section == other.section)
    #expect(same.confidence > 0.9 && other.confidence < 0.8)
    #expect(same.evidence.secondOpinion?.section == same.section)
    let opinion = try #require(other.evidence.secondOpinion)
    #expect(opinion.strategy.rawValue == 1 && opinion.section.rawValue == 1 && abs(opinion.confidence - 0.6) < 0.001)
  }

  @Test func `a strategy is asked only about the choices that it can change`() async throws {
    let keyword = ScriptedStrategy("keyword", ["certain": (0, 0.99), "less": (0, 0.8)])
    let model = ScriptedStrategy("model", ["certain": (1, 0.99), "less": (1, 0.5)])
    let batch = try await decide(["certain", "less", "unknown"], [.init(keyword), .init(model)])
    #expect(model.asked == ["less", "unknown"])
    #expect(outcome(batch) == [[0, 0], [0, 0], nil])
    #expect(batch.decisions[0]?.confidence == 0.99)
  }

  @Test func `corrections outrank what is weighed, and a later strategy is asked where the choice is unsure`() async throws {
    let learned = ScriptedStrategy("learned", ["taught": (2, 0.5)])
    let keyword = ScriptedStrategy("keyword", ["taught": (0, 0.99), "agreed": (0, 0.8), "disputed": (0, 0.8)])
    let model = ScriptedStrategy("model", ["agreed": (0, 0.8), "disputed": (1, 0.75)])
    let slow = ScriptedStrategy("llm", ["agreed": (1, 1), "disputed": (2, 1), "unknown": (1, 0.9)])
    let batch = try await decide(
      ["taught", "agreed", "disputed", "unknown"],
      [.init(learned), .init(keyword, threshold: 0.85), .init(model), .init(slow)])
    #expect(slow.asked == ["disputed", "unknown"])
    #expect(outcome(batch) == [[2, 0], [0, 1], [2, 3], [1, 3]])
  }

  @Test func `where a later strategy abstains, the unsure choice stands`() async throws {
    let keyword = ScriptedStrategy("keyword", ["disputed": (0, 0.8)])
    let model = ScriptedStrategy("model", ["disputed": (1, 0.75)])
    let batch = try await decide(
      ["disputed"], [.init(keyword, threshold: 0.85), .init(model), .init(ScriptedStrategy("llm"))])
    #expect(outcome(batch) == [[0, 1 - 1]])
  }

  @Test func `one voice alone is asked as without weighing`() async throws {
    let links = [
      Chain.Link(ScriptedStrategy("keyword", ["sure": (0, 0.9), "unsure": (0, 0.5)]), threshold: 0.8),
      Chain.Link(ScriptedStrategy("llm", ["sure": (1, 1), "unsure": (1, 1)])),
    ]
    #expect(try await outcome(decide(["sure", "unsure"], links)) == [[0, 0], [1, 1]])
  }

  @Test func `what is said before a strategy fails is weighed`() async throws {
    struct Failing: Strategy {
      let metadata = StrategyMetadata(id: "llm", summary: "fails", rationale: "to fail", examples: [])
      func decide(_ batch: inout Batch) async throws { throw CancellationError() }
    }
    var batch = Batch(["milk"], taxonomy: SmallStore.taxonomy)
    let links = [
      Chain.Link(ScriptedStrategy("keyword", ["milk": (0, 0.4)]), threshold: 0.85), Chain.Link(Failing()),
      Chain.Link(ScriptedStrategy("model")),
    ]
    await #expect(throws: CancellationError.self) { try await Chain(links, policy: .weigh).decide(&batch) }
    #expect(outcome(batch) == [[0, 0]])
  }
}
