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

  @Test func `the model alone is believed as far as the weights say`() async throws {
    var builder = SmallStore.builder()
    builder.setFallback(SmallStore.other)
    Array("voice nobody = 1.36 0.4\n".utf8).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
    let model = ScriptedStrategy("model", ["alone": (2, 0.95), "surest": (2, 0.99)])
    var batch = Batch(["alone", "surest"], taxonomy: builder.build())
    try await Chain([.init(ScriptedStrategy("keyword", [:])), .init(model)], policy: .weigh).decide(&batch)
    #expect(batch.decisions.map { ($0?.confidence ?? 0) * 100 }.map { Int($0) } == [76, 86])
  }

  @Test func `in another language the model answers only what nobody else does, however sure it is`() async throws {
    var builder = SmallStore.builder()
    builder.setFallback(SmallStore.other)
    builder.setLanguages([Language(id: "de"), Language(id: "en")])
    let (keyword, regex, model) = (
      ScriptedStrategy("keyword", ["known": (0, 0.3), "both": (0, 0.5)]), ScriptedStrategy("regex", ["both": (1, 0.9)]),
      ScriptedStrategy("model", ["known": (1, 0.99), "both": (2, 0.99), "unknown": (2, 0.45)])
    )
    var batch = Batch(["known", "both", "unknown"], taxonomy: builder.build())
    try await Chain([.init(keyword), .init(regex), .init(model)], policy: .weigh).decide(&batch)
    #expect(outcome(batch) == [[0, 0], [1, 1], [2, 2]])
    #expect(model.asked == ["unknown"])
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

  @Test func `an answer does not depend on the other items of the batch`() async throws {
    let regex = ScriptedStrategy("regex", ["tea": (1, 0.9)])
    let keyword = ScriptedStrategy("keyword", ["tea": (0, 0.7), "other": (0, 0.5)])
    let model = ScriptedStrategy("model", ["other": (1, 0.7)])
    let links = [Chain.Link(keyword), Chain.Link(model), Chain.Link(regex)]
    let alone = try await decide(["tea"], links)
    let beside = try await decide(["tea", "other"], links)
    #expect(alone.decisions[0] == beside.decisions[0])
    #expect(outcome(alone) == [[1, 2]])
  }

  @Test func `what was decided before the chain is left alone, also where the model speaks first`() async throws {
    var batch = Batch(["milk"], taxonomy: SmallStore.taxonomy)
    batch.decide(0, Decision(section: SectionID(rawValue: 2), confidence: 0.6))
    let links = [
      Chain.Link(ScriptedStrategy("model", ["milk": (0, 1)])), Chain.Link(ScriptedStrategy("keyword", ["milk": (1, 1)])),
    ]
    try await Chain(links, policy: .weigh).decide(&batch)
    #expect(batch.decisions[0]?.section.rawValue == 2 && batch.decisions[0]?.confidence == 0.6)
  }

  @Test func `a second link of a strategy adds no voice, and one behind a slow strategy is asked in turn`() async throws {
    let keyword = ScriptedStrategy("keyword", ["milk": (0, 0.7)])
    let model = ScriptedStrategy("model", ["milk": (0, 0.7)])
    let twice = try await decide(
      ["milk"], [.init(keyword), .init(ScriptedStrategy("keyword", ["milk": (0, 0.7)])), .init(model)])
    let once = try await decide(["milk"], [.init(keyword), .init(model)])
    #expect(twice.decisions[0]?.confidence == 0.7, "the second is asked in turn, and so is all behind it")
    #expect(try #require(once.decisions[0]).confidence > 0.7)
  }

  @Test func `a confidence that is no number counts as none`() async throws {
    struct Broken: Strategy {
      let metadata = StrategyMetadata(id: "keyword", summary: "breaks", rationale: "to break", examples: [])
      func decide(_ batch: inout Batch) async throws {
        var decision = Decision(section: SectionID(rawValue: 0), confidence: 0)
        decision.confidence = .nan
        batch.decide(0, decision)
      }
    }
    let batch = try await decide(["milk"], [.init(Broken()), .init(ScriptedStrategy("model", ["milk": (1, 0.9)]))])
    #expect(batch.decisions[0]?.section.rawValue == 1)
  }

  @Test func `a local chain asks what a chain asks`() async throws {
    let taxonomy = SmallStore.taxonomy
    struct Fixed: LocalStrategy {
      let id: String
      let section: UInt16
      let confidence: Float
      var metadata: StrategyMetadata { StrategyMetadata(id: id, summary: "fixed", rationale: "to be fixed", examples: []) }
      func decide(_ batch: inout Batch) {
        for item in 0..<batch.count {
          batch.decide(item, Decision(section: SectionID(rawValue: section), confidence: confidence))
        }
      }
    }
    let links = [
      LocalChain.Link(Fixed(id: "keyword", section: 0, confidence: 0.9), threshold: 0.95),
      LocalChain.Link(Fixed(id: "model", section: 1, confidence: 0.6)),
      LocalChain.Link(Fixed(id: "mine", section: 2, confidence: 1)),
    ]
    let local = try LocalChain(links, policy: .weigh, taxonomy: taxonomy)
    var (first, second) = (Batch(["milk"], taxonomy: taxonomy), Batch(["milk"], taxonomy: taxonomy))
    local.decide(&first)
    try await local.chain.decide(&second)
    #expect(first.decisions == second.decisions)
    #expect(outcome(first) == [[2, 2]])
  }
}
