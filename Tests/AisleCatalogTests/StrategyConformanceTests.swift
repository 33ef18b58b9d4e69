import AisleCore
import AisleTesting
import Testing

struct `The conformance kit` {
  typealias Spoil = @Sendable (inout Decision, Int, inout Batch) -> Void
  typealias Step = @Sendable (inout Batch) async throws -> Void

  private let taxonomy = SmallStore.taxonomy()

  private func failures(of strategy: FaultyStrategy, limits: StrategyConformance.Limits = .init()) async -> [ConformanceFailure] {
    await StrategyConformance.check(strategy, taxonomy: taxonomy, limits: limits)
  }

  /// The strategy fails in exactly one case, and the message says `words`.
  private func expect(
    _ strategy: FaultyStrategy, fails expected: ConformanceCase, saying words: String,
    limits: StrategyConformance.Limits = .init(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async {
    let failures = await failures(of: strategy, limits: limits)
    let text = failures.map(\.description).joined(separator: "\n")
    #expect(Set(failures.map(\.conformanceCase)) == [expected], "\(text)", sourceLocation: sourceLocation)
    #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation)
  }

  @Test func `a sound strategy passes`() async {
    let failures = await failures(of: FaultyStrategy())
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func `a strategy that invents sections in the proper way passes`() async {
    let strategy = FaultyStrategy(spoil: { decision, index, batch in
      decision.section = batch.sectionID(named: batch.item(index).hasPrefix("2") ? "Bulk" : "Dairy & Eggs")
      decision.evidence.note = batch.note("said so")
    })
    let failures = await failures(of: strategy)
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func `a failure names the strategy, the case and the item`() async {
    let strategy = FaultyStrategy(spoil: { decision, _, _ in decision.confidence = 2 })
    let first = await failures(of: strategy).first
    #expect(first?.description == "milkman: confidence in 0…1: `oat milk`: the confidence is 2.0; it must be in 0…1")
  }

  @Test func `only the cases asked for are run`() async {
    let strategy = FaultyStrategy(spoil: { decision, _, _ in decision.confidence = 2 })
    let others = Set(ConformanceCase.allCases).subtracting([.confidence])
    let failures = await StrategyConformance.check(strategy, taxonomy: taxonomy, cases: others)
    #expect(failures.isEmpty, "\(failures)")
  }

  // MARK: Metadata

  static let badMetadata: [(StrategyMetadata, String)] = [
    (metadata(id: "Milkman"), "the id `Milkman`"),
    (metadata(id: ""), "the id ``"),
    (metadata(summary: "knows\nmilk"), "the summary"),
    (metadata(summary: " "), "the summary"),
    (metadata(rationale: "\n"), "the rationale"),
    (metadata(examples: []), "no examples"),
    (metadata(rules: [Rule("milk", "milk"), Rule("milk", "more milk")]), "two rules have the name `milk`"),
    (metadata(rules: [Rule("milk", "")]), "rule 0 needs"),
    (metadata(rules: (0...255).map { Rule("rule-\($0)", "one of many") }), "there are 256 rules"),
    (metadata(examples: [StrategyExample("oat milk", "Dairy & Eggs", topic: "")]), "the example `oat milk` has no topic"),
  ]

  private static func metadata(
    id: String = "milkman", summary: String = "knows milk", rationale: String = "Somebody must.",
    rules: [Rule] = [Rule("milk", "it says milk")],
    examples: [StrategyExample] = [StrategyExample("oat milk", "Dairy & Eggs", topic: "milk")]
  ) -> StrategyMetadata {
    StrategyMetadata(id: id, summary: summary, rationale: rationale, rules: rules, examples: examples)
  }

  @Test(arguments: badMetadata)
  func `incomplete metadata is caught`(metadata: StrategyMetadata, words: String) async {
    await expect(FaultyStrategy(metadata: metadata), fails: .metadata, saying: words)
  }

  @Test func `an example that does not hold is caught`() async {
    let examples = [
      StrategyExample("oat milk", "Produce", topic: "oats"), StrategyExample("almond milk", nil, topic: "nuts"),
      StrategyExample("soy milk", "Diary", topic: "a slip"),
    ]
    let strategy = FaultyStrategy(metadata: Self.metadata(examples: examples))
    let messages = await failures(of: strategy).map(\.description)
    #expect(
      messages == [
        "milkman: examples hold: `oat milk` (oats): expected Produce, got Dairy & Eggs (0.5)",
        "milkman: examples hold: `almond milk` (nuts): expected an abstention, got Dairy & Eggs (0.5)",
        "milkman: examples hold: `soy milk` (a slip): the taxonomy has no section `Diary`",
      ])
  }

  // MARK: What comes in

  static let chokes: [(ConformanceCase, String, @Sendable (Batch) -> Bool)] = [
    (.emptyBatch, "a batch of no items threw `no such luck`", { $0.count == 0 }),
    (.oneItem, "a batch of one item threw", { $0.count == 1 }),
    (.manyItems, "a batch of 10000 items threw", { $0.count >= 10_000 }),
    (
      .anyBytes, #"a batch of any bytes threw `no such luck`, as the item `\0` alone does; throw only"#,
      { batch in batch.indices.contains { batch.bytes($0).contains(0) } }
    ),
    (.anyBytes, "a batch of any bytes threw", { batch in batch.indices.contains { batch.bytes($0).isEmpty } }),
    (.anyBytes, "a batch of any bytes threw", { batch in batch.indices.contains { batch.bytes($0).count > 1 << 19 } }),
    (
      .anyBytes, "a batch of any bytes threw",
      { batch in batch.indices.contains { String(validating: batch.bytes($0), as: UTF8.self) == nil } }
    ),
  ]

  @Test(arguments: chokes.indices)
  func `a strategy that chokes on what comes in is caught`(row: Int) async {
    let (conformanceCase, words, chokes) = Self.chokes[row]
    let strategy = FaultyStrategy(before: { batch in if chokes(batch) { throw FaultyStrategy.Fault() } })
    await expect(strategy, fails: conformanceCase, saying: words)
  }

  @Test func `an error that every call throws is reported once`() async {
    let failures = await failures(of: FaultyStrategy(before: { _ in throw FaultyStrategy.Fault() }))
    #expect(failures.map(\.conformanceCase) == [.emptyBatch])
  }

  @Test func `a CancellationError of a call that nobody cancelled is caught`() async {
    await expect(
      FaultyStrategy(before: { batch in if batch.count == 1 { throw CancellationError() } }), fails: .oneItem,
      saying: "threw `CancellationError()`")
  }

  @Test func `a call that does not come back is caught, and nothing more is asked`() async {
    let gate = Gate()
    defer { gate.open() }
    let limits = StrategyConformance.Limits(call: .milliseconds(200))
    await expect(
      FaultyStrategy(before: { _ in await gate.wait() }), fails: .emptyBatch, saying: "was not finished", limits: limits)
  }

  // MARK: What comes out

  static let changes: [Step] = [
    { batch in batch.append("one more".utf8) },
    { batch in if batch.count > 0 { batch.removeAll() } },
    { batch in
      var (text, extents) = batch.takeStorage()
      if extents.count > 0, extents[0].length > 0 { text[0] ^= 1 }
      batch.setItems(text: text, extents: extents)
    },
    { batch in
      var (text, extents) = batch.takeStorage()
      if extents.count > 1 { extents.swapAt(0, extents.count - 1) }
      batch.setItems(text: text, extents: extents)
    },
  ]

  @Test(arguments: changes.indices)
  func `a strategy that changes the items is caught`(row: Int) async {
    await expect(FaultyStrategy(after: Self.changes[row]), fails: .items, saying: "came back with other items")
  }

  static let meddlings: [@Sendable (inout Decision?) -> Void] = [
    { $0 = Decision(section: SectionID(rawValue: 0), confidence: 1) },
    { $0 = nil },
    { $0?.confidence = 0.5 },
  ]

  @Test(arguments: meddlings.indices)
  func `a strategy that meddles with decided items is caught`(row: Int) async {
    let strategy = FaultyStrategy(before: { batch in
      batch.withStorage { _, _, decisions in
        for index in decisions.indices where decisions[index] != nil { Self.meddlings[row](&decisions[index]) }
      }
    })
    await expect(strategy, fails: .decided, saying: "was already decided")
  }

  static let spoilings: [(ConformanceCase, String, Spoil)] = [
    (.confidence, "the confidence is 1.5", { decision, _, _ in decision.confidence = 1.5 }),
    (.confidence, "the confidence is -0.1", { decision, _, _ in decision.confidence = -0.1 }),
    (.confidence, "the confidence is nan", { decision, _, _ in decision.confidence = .nan }),
    (
      .sections, "section number 9 does not exist",
      spoilUnlessExample { decision, _, _ in decision.section = SectionID(rawValue: 9) }
    ),
    (
      .sections, "cannot be shown",
      spoilUnlessExample { decision, _, batch in decision.section = batch.sectionID(named: "Pets\u{1B}[2J") }
    ),
    (.sections, "cannot be shown", spoilUnlessExample { decision, _, batch in decision.section = batch.sectionID(named: "") }),
    (
      .sections, "cannot be shown",
      spoilUnlessExample { decision, _, batch in decision.section = batch.sectionID(named: String(repeating: "x", count: 101)) }
    ),
    (
      .spans, "the span 0..<9 ends beyond the item's 8 bytes",
      { decision, index, batch in decision.evidence.span = 0..<batch.bytes(index).count + 1 }
    ),
    (.evidence, "rule number 1 does not exist; the metadata has 1", { decision, _, _ in decision.evidence.rule = 1 }),
    (.evidence, "keyword number 9 does not exist", { decision, _, _ in decision.evidence.keyword = KeywordID(rawValue: 9) }),
    (.evidence, "keyword number 77 does not exist", { decision, _, _ in decision.evidence.runnerUp = KeywordID(rawValue: 77) }),
    (.evidence, "move number 0 does not exist", { decision, _, _ in decision.evidence.move = 0 }),
    (.evidence, "note number 3 does not exist", { decision, _, _ in decision.evidence.note = 3 }),
    (.determinism, "in batches of", { decision, index, _ in decision.confidence = index % 2 == 0 ? 0.5 : 0.6 }),
    (.determinism, "in batches of 1 in order", { decision, _, batch in decision.confidence = batch.count == 1 ? 0.6 : 0.5 }),
    (.determinism, "of 10,000", { decision, _, batch in decision.confidence = batch.count == 10_000 ? 0.6 : 0.5 }),
  ]

  private static func spoilUnlessExample(_ spoil: @escaping Spoil) -> Spoil {
    { decision, index, batch in if batch.item(index) != "oat milk" { spoil(&decision, index, &batch) } }
  }

  @Test(arguments: spoilings.indices)
  func `a decision that cannot be is caught`(row: Int) async {
    let (conformanceCase, words, spoil) = Self.spoilings[row]
    await expect(FaultyStrategy(spoil: spoil), fails: conformanceCase, saying: words)
  }

  // MARK: What calls have in common

  @Test func `a strategy whose answers depend on what it was asked before is caught`() async {
    let calls = Counter()
    let strategy = FaultyStrategy(
      spoil: { decision, _, _ in decision.confidence = Float(calls.value % 100) / 100 }, before: { _ in calls.add(1) })
    await expect(strategy, fails: .determinism, saying: "at first")
  }

  @Test func `a strategy that answers otherwise while another call is under way is caught`() async {
    let active = Counter()
    let disturbed = Counter()
    let strategy = FaultyStrategy(
      spoil: { decision, _, _ in if disturbed.value > 0 { decision.confidence = 0.75 } },
      before: { batch in
        active.add(1)
        for _ in 0..<(batch.count < 100 ? 10 : 1_000) where active.value == 1 { await Task.yield() }
        if active.value > 1 { disturbed.add(1) }
      },
      after: { _ in
        active.add(-1)
      })
    await expect(strategy, fails: .concurrency, saying: "with eight calls at once")
  }

  @Test func `a call that does not heed its cancellation is caught`() async {
    let gate = Gate()
    defer { gate.open() }
    let strategy = FaultyStrategy(before: { _ in if Task.isCancelled { await gate.wait() } })
    await expect(strategy, fails: .cancellation, saying: "went on for more than", limits: .init(cancellation: .milliseconds(100)))
  }

  @Test func `a call that wraps its cancellation in another error is caught`() async {
    let strategy = FaultyStrategy(before: { _ in if Task.isCancelled { throw FaultyStrategy.Fault() } })
    await expect(strategy, fails: .cancellation, saying: "threw `no such luck`; throw CancellationError")
  }

  @Test func `a call that is cancelled on its way and throws another error is caught`() async {
    let strategy = FaultyStrategy(before: { _ in
      try Task.checkCancellation()
      do { try await Task.sleep(for: .seconds(3_600)) } catch { throw FaultyStrategy.Fault() }
    })
    let failures = await StrategyConformance.check(strategy, taxonomy: taxonomy, cases: [.cancellation])
    #expect(failures.map(\.message) == ["a call that was cancelled on its way threw `no such luck`; throw CancellationError"])
  }

  @Test func `a call that throws CancellationError when cancelled passes`() async {
    let strategy = FaultyStrategy(before: { _ in
      try Task.checkCancellation()
      if !Task.isCancelled { await Task.yield() }
      try Task.checkCancellation()
    })
    let failures = await failures(of: strategy)
    #expect(failures.isEmpty, "\(failures)")
  }
}

extension Batch {
  fileprivate var indices: Range<Int> { 0..<count }
}
