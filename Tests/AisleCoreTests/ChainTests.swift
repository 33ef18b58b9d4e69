import AisleCore
import Testing

@Suite struct ChainTests {
  private func decide(_ items: [String], _ links: [Chain.Link]) async throws -> Batch {
    var batch = Batch(items, taxonomy: SmallStore.taxonomy)
    try await Chain(links).decide(&batch)
    return batch
  }

  /// Section and strategy of each item, by number.
  private func outcome(_ batch: Batch) -> [[Int]?] {
    batch.decisions.map { decision in
      decision.map { [Int($0.section.rawValue), $0.strategy.map { Int($0.rawValue) } ?? -1] }
    }
  }

  @Test func `strategies are asked in order, each for what is left`() async throws {
    let first = ScriptedStrategy("first", ["milk": (1, 0.9)])
    let second = ScriptedStrategy("second", ["milk": (0, 1), "basil": (0, 0.8)])
    let third = ScriptedStrategy("third", ["cumin": (2, 0.7)])
    let batch = try await decide(["milk", "basil", "cumin", "xyzzy"], [.init(first), .init(second), .init(third)])
    #expect(first.asked == ["milk", "basil", "cumin", "xyzzy"])
    #expect(second.asked == ["basil", "cumin", "xyzzy"])
    #expect(third.asked == ["cumin", "xyzzy"])
    #expect(outcome(batch) == [[1, 0], [0, 1], [2, 2], nil])
  }

  @Test func `an item that all abstain on stays undecided`() async throws {
    let batch = try await decide(["xyzzy"], [.init(ScriptedStrategy("a")), .init(ScriptedStrategy("b"), threshold: 0.9)])
    #expect(batch.decisions[0] == nil)
  }

  @Test func `a decision below its strategy's threshold is not final, one at the threshold is`() async throws {
    let first = ScriptedStrategy("first", ["below": (0, 0.79), "at": (0, 0.8), "above": (0, 0.81)])
    let second = ScriptedStrategy("second", ["below": (1, 0.1), "at": (1, 1), "above": (1, 1)])
    let batch = try await decide(["below", "at", "above"], [.init(first, threshold: 0.8), .init(second)])
    #expect(second.asked == ["below"])
    #expect(outcome(batch) == [[1, 1], [0, 0], [0, 0]])
  }

  @Test func `where no decision is final, the most confident stands, the earlier one on a tie`() async throws {
    let first = ScriptedStrategy("first", ["rising": (0, 0.3), "falling": (0, 0.6), "tied": (0, 0.5), "alone": (0, 0)])
    let second = ScriptedStrategy("second", ["rising": (1, 0.6), "falling": (1, 0.3), "tied": (1, 0.5)])
    let third = ScriptedStrategy("third", ["rising": (2, 0.5), "falling": (2, 0.5), "tied": (2, 0.5)])
    let items = ["rising", "falling", "tied", "alone"]
    let batch = try await decide(
      items, [.init(first, threshold: 0.9), .init(second, threshold: 0.9), .init(third, threshold: 0.9)])
    #expect(third.asked == items)
    #expect(outcome(batch) == [[1, 1], [0, 0], [0, 0], [0, 0]])
    #expect(batch.decisions.map { $0?.confidence } == [0.6, 0.6, 0.5, 0])
  }

  @Test func `a weak decision stands when the later strategies abstain`() async throws {
    let batch = try await decide(
      ["milk"], [.init(ScriptedStrategy("weak", ["milk": (1, 0.2)]), threshold: 0.9), .init(ScriptedStrategy("silent"))])
    #expect(outcome(batch) == [[1, 0]])
  }

  @Test func `what was decided before the chain is left alone`() async throws {
    var batch = Batch(["milk", "basil"], taxonomy: SmallStore.taxonomy)
    batch.decide(0, Decision(section: SmallStore.other, confidence: 0.1))
    let strategy = ScriptedStrategy("only", ["milk": (1, 1), "basil": (0, 1)])
    try await Chain([.init(strategy, threshold: 0.5)]).decide(&batch)
    #expect(strategy.asked == ["basil"])
    #expect(batch.decisions.map { $0?.section } == [SmallStore.other, SmallStore.produce])
  }

  @Test func `an empty chain decides nothing, and an empty batch is no trouble`() async throws {
    #expect(outcome(try await decide(["milk"], [])) == [nil])
    #expect(try await decide([], [.init(ScriptedStrategy("a"), threshold: 1)]).count == 0)
  }

  @Test func `what a strategy throws comes through, and those after it are not asked`() async throws {
    let after = ScriptedStrategy("after")
    await #expect(throws: ScriptedStrategy.Failure.self) {
      _ = try await decide(["milk"], [.init(ScriptedStrategy("broken", failure: .init())), .init(after)])
    }
    #expect(after.asked == [])
  }

  @Test func `a chain that is used twice answers twice the same`() async throws {
    let links = [
      Chain.Link(ScriptedStrategy("a", ["milk": (1, 0.4)]), threshold: 0.5),
      Chain.Link(ScriptedStrategy("b", ["milk": (0, 0.3)])),
    ]
    let first = try await decide(["milk"], links)
    let second = try await decide(["milk"], links)
    #expect(first.decisions == second.decisions)
  }

  // MARK: Categorizer

  private func categorizer(_ strategies: ScriptedStrategy...) throws -> Categorizer {
    try Categorizer(taxonomy: SmallStore.taxonomy, chain: Chain(strategies.map { Chain.Link($0) }))
  }

  @Test func `items are answered in order, with section, confidence and strategy`() async throws {
    let categorizer = try categorizer(ScriptedStrategy("one", ["milk": (1, 0.9)]), ScriptedStrategy("two", ["basil": (0, 0.5)]))
    let items = try await categorizer.categorize(["basil", "milk", "basil"])
    #expect(items.map(\.item) == ["basil", "milk", "basil"])
    #expect(items.map(\.section.name) == ["Produce", "Dairy & Eggs", "Produce"])
    #expect(items.map(\.confidence) == [0.5, 0.9, 0.5])
    #expect(items.map(\.strategy) == ["two", "one", "two"])
  }

  @Test func `what nothing decides goes to the fallback section, with no confidence and no strategy`() async throws {
    let item = try await categorizer(ScriptedStrategy("one")).categorize("xyzzy")
    #expect(item.section == Section(name: "Other", color: .gray))
    #expect(item.confidence == 0 && item.strategy == nil && item.keyword == nil && item.match == nil && item.rule == nil)
  }

  @Test func `an invented section comes with its name and the color of its name`() async throws {
    let item = try await categorizer(ScriptedStrategy("one", inventing: ["cat food": "Pet Supplies"])).categorize("cat food")
    #expect(item.section == Section(name: "Pet Supplies", color: .rose))
    #expect(item.strategy == "one")
  }

  @Test func `no items give no answers`() async throws {
    #expect(try await categorizer(ScriptedStrategy("one")).categorize([String]()) == [])
  }
}
