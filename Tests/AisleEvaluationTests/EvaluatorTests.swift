import AisleCore
@testable import AisleEvaluation
import AisleFiles
import Testing

@Suite("An evaluation says how often a chain is right")
struct EvaluatorTests {
  @Test("An answer is right when it is the section of any label, and counts for that section")
  func alternates() async throws {
    let evaluation = try await ScriptedStore.evaluate(
      """
      alpha one	alpha-shelf	plain
      beta one	alpha-shelf|beta-shelf	plain
      beta two	Alpha	plain
      nothing	Other	messy
      unheard of	Gamma	messy
      """)
    #expect(evaluation.metrics.accuracy == Proportion(3, of: 5))
    #expect(evaluation.metrics.unplaced == Proportion(2, of: 5))
    let scores = Dictionary(uniqueKeysWithValues: evaluation.metrics.sections.map { ($0.name, $0) })
    #expect(scores["Alpha"] == SectionScore(name: "Alpha", support: 2, predicted: 1, right: 1))
    #expect(scores["Beta"] == SectionScore(name: "Beta", support: 1, predicted: 2, right: 1))
    #expect(scores["Gamma"]?.precision == nil)
    #expect(scores["Gamma"]?.recall == 0)
    #expect(scores["Gamma"]?.f1 == 0)
    #expect(scores["Other"] == SectionScore(name: "Other", support: 1, predicted: 2, right: 1))
    // (2/3 + 2/3 + 0 + 2/3) / 4
    #expect(abs((evaluation.metrics.macroF1 ?? 0) - 0.5) < 1e-12)
    #expect(
      evaluation.metrics.confusion.confusedPairs == [
        .init(truth: "Alpha", answer: "Beta", count: 1), .init(truth: "Gamma", answer: "Other", count: 1),
      ])
    #expect(evaluation.tags.map(\.tag) == ["plain", "messy"])
    #expect(evaluation.tags.map(\.accuracy) == [Proportion(2, of: 3), Proportion(1, of: 2)])
    #expect(evaluation.strategies.map(\.decided) == [3])
    #expect(evaluation.strategies.map(\.precision) == [Proportion(2, of: 3)])
    #expect(evaluation.errors.map { evaluation.text($0) } == ["beta two", "unheard of"])
  }

  @Test("Jobs and order change nothing", arguments: [1, 2, 7])
  func jobs(count: Int) async throws {
    var lines = ""
    for number in 0..<20_000 {
      let word = ["alpha", "beta", "gamma", "what"][number % 4]
      lines += "\(word) \(number)\t\(ScriptedStore.sections[number % 3])\tx\n"
    }
    let corpus = ScriptedStore.corpus(lines)
    let alone = try await ScriptedStore.evaluator(corpus).evaluate(ScriptedStore.keyword)
    let together = try await ScriptedStore.evaluator(corpus, jobs: count).evaluate(ScriptedStore.keyword)
    let shuffled = try await ScriptedStore.evaluator(corpus, jobs: count).evaluate(ScriptedStore.keyword, shuffledBy: 5)
    #expect(alone.items.map(\.answer) == together.items.map(\.answer))
    #expect(alone.items.map(\.answer) == shuffled.items.map(\.answer))
    #expect(Repeats([alone, together, shuffled]).unstable == 0)
    #expect(alone.metrics.accuracy.total == 20_000)
  }

  @Test("Splits and tags choose the items, and both splits together are all")
  func selection() async throws {
    let lines = (0..<400).map { number -> String in
      let word = ["ant", "bee", "cat", "dog", "elk"][number % 5]
      return "alpha \(word)\(number)\tAlpha\t\(number % 2 == 0 ? "even" : "odd")\n"
    }
    let corpus = ScriptedStore.corpus(lines.joined())
    let tune = ScriptedStore.evaluator(corpus, split: .tune)
    let holdout = ScriptedStore.evaluator(corpus, split: .holdout)
    #expect(tune.count + holdout.count == 400)
    #expect(Set(tune.entries).isDisjoint(with: holdout.entries))
    #expect(ScriptedStore.evaluator(corpus, tags: ["odd"]).count == 200)
    let evaluation = try await ScriptedStore.evaluator(corpus).evaluate(ScriptedStore.keyword)
    #expect(evaluation.splits.map(\.metrics.accuracy.total) == [tune.count, holdout.count])
  }

  @Test("Items whose labels this store has no section for are left out and counted")
  func inapplicable() throws {
    // Beside a first label that means nothing here, what else would be accepted is no measure; after one that does, it is.
    let corpus = ScriptedStore.corpus(
      "alpha\tAlpha\tx\nbakery thing\tBakery\tx\nbread\tBakery|Other\tx\nbeta\tBeta|Bakery|Alpha\tx\n")
    let (expectations, findings) = Expectations.resolve(corpus, in: ScriptedStore.taxonomy, elsewhere: ["Bakery"])
    #expect(findings.isEmpty)
    #expect(Set(expectations.accepted.map(\.count)) == [0, 1, 2] && expectations.accepted.count == 4)
    let evaluator = Evaluator(taxonomy: ScriptedStore.taxonomy, corpus: corpus, expectations: expectations, jobs: 1)
    #expect(evaluator.count == 2)
  }

  @Test("A label that is a section of another store stands for the section that holds all of its shelves, not for its namesake")
  func labelsOfAnotherStore() {
    let corpus = ScriptedStore.corpus(
      "a\tFresh\tx\nb\tBeta\tx\nc\tGamma\tx\nd\tMixed|gamma-shelf\tx\ne\tEmpty\tx\nf\tOther\tx\n"
        + "g\tFresh|Mixed\tx\nh\talpha-shelf|Mixed\tx\ni\tFresh|Beta\tx\n")
    let (expectations, findings) = Expectations.resolve(
      corpus, in: ScriptedStore.taxonomy,
      labelled: [
        ("Fresh", ["alpha-shelf"]), ("Beta", ["gamma-shelf"]), ("Gamma", ["gamma-shelf", "beta-shelf"]), ("Empty", []),
        ("Mixed", ["alpha-shelf", "beta-shelf"]), ("Other", ["alpha-shelf"]),
      ])
    #expect(findings.isEmpty)
    let sections = corpus.entries.map { expectations.accepted[Int($0.labels)].map { ScriptedStore.taxonomy[$0].name } }
    #expect(sections == [["Alpha"], ["Gamma"], [], [], [], ["Other"], [], ["Alpha"], ["Alpha", "Gamma"]])
  }

  @Test("`Other` stands for the fallback of a store that calls it otherwise")
  func leftOver() {
    var builder = TaxonomyBuilder(store: "tiny", name: "Tiny")
    _ = builder.addSection(Section(name: "Food", color: .red))
    builder.setFallback(builder.addSection(Section(name: "Everything Else", color: .gray)))
    let taxonomy = builder.build()
    let (expectations, findings) = Expectations.resolve(ScriptedStore.corpus("call mom\tOther\tx\n"), in: taxonomy)
    #expect(findings.isEmpty)
    #expect(expectations.accepted == [[taxonomy.fallback]])
  }

  @Test("A label that nobody knows is named at each of its items, with the one that was meant")
  func unknownLabel() {
    let corpus = ScriptedStore.corpus("alpha\tAlhpa\tx\nbeta\tBeta\tx\ngamma\tGamma|Alhpa\tx\n")
    let (_, findings) = Expectations.resolve(corpus, in: ScriptedStore.taxonomy)
    #expect(
      findings.map(\.description) == [
        "corpus/test.tsv:1:7: no shelf or section `Alhpa`; did you mean `Alpha`?",
        "corpus/test.tsv:3:7: no shelf or section `Alhpa`; did you mean `Alpha`?",
      ])
  }

  @Test("What a metered strategy uses is counted, and it is asked no more than once")
  func metered() async throws {
    let corpus = ScriptedStore.corpus("alpha\tAlpha\tx\nbeta\tBeta\tx\n")
    let strategy = MeteredEcho()
    let keyword = ScriptedStore.keyword.chain.links[0]
    let chain = NamedChain(Chain([Chain.Link(strategy, threshold: 0.9), keyword]), names: ["echo", "keyword"])
    let evaluation = try await ScriptedStore.evaluator(corpus).evaluate(chain)
    #expect(evaluation.strategies[0].usage == StrategyUsage(requests: 1, tokens: 20, dollars: 0.5))
    #expect(evaluation.strategies[1].usage == nil)
    #expect(evaluation.overlaps.isEmpty)
  }

  @Test("Strategies are compared pair by pair, each asked alone")
  func overlaps() async throws {
    let corpus = ScriptedStore.corpus("alpha\tAlpha\tx\nbeta\tBeta\tx\nwhat\tGamma\tx\ngammaray\tGamma\tx\nalphabet\tGamma\tx\n")
    let keyword = ScriptedStore.keyword.chain.links[0]
    let constant = Chain.Link(ConstantStrategy(section: SectionID(rawValue: 2)))
    let chain = NamedChain(Chain([keyword, constant]), names: ["keyword", "constant"])
    let overlaps = try await ScriptedStore.evaluator(corpus).evaluate(chain).overlaps
    #expect(
      overlaps == [
        StrategyOverlap(
          first: "keyword", second: "constant", onlyFirst: 0, onlySecond: 3, both: 2, conflicts: 2, firstRight: 2, secondRight: 0)
      ])
  }

  @Test(
    "Strategies are compared without asking the first again, whatever the order of the items", arguments: [nil, 7] as [UInt64?])
  func overlapsAskOnce(seed: UInt64?) async throws {
    let lines = (0..<9000).map { "\($0 % 3 == 0 ? "alpha" : "what") \($0)\tAlpha\tx\n" }.joined()
    let keyword = CountingStrategy(ScriptedStore.keyword.chain.links[0].strategy)
    let inventive = CountingStrategy(InventiveStrategy())
    let chain = NamedChain(
      Chain([Chain.Link(inventive, threshold: 0.9), Chain.Link(keyword)]), names: ["inventive", "keyword"])
    let evaluation = try await ScriptedStore.evaluator(ScriptedStore.corpus(lines), jobs: 2).evaluate(chain, shuffledBy: seed)
    #expect(
      evaluation.overlaps == [
        StrategyOverlap(
          first: "inventive", second: "keyword", onlyFirst: 3000, onlySecond: 1500, both: 1500, conflicts: 1500, firstRight: 0,
          secondRight: 1500)
      ])
    #expect(evaluation.metrics.accuracy.count == 3000)
    #expect(inventive.count == 9000)
    #expect(keyword.count == 2 * 9000)
  }

  @Test("Leaving out a strategy and changing the order are scored against the whole chain")
  func ablation() async throws {
    let corpus = ScriptedStore.corpus("alpha\tAlpha\tx\nbeta\tBeta\tx\nwhat\tGamma\tx\n")
    let chain = NamedChain(
      Chain([ScriptedStore.keyword.chain.links[0], Chain.Link(ConstantStrategy(section: SectionID(rawValue: 2)))]),
      names: ["keyword", "constant"])
    let evaluator = ScriptedStore.evaluator(corpus)
    let ablation = try await Ablation(of: evaluator.evaluate(chain), by: evaluator, seed: 1)
    #expect(ablation.without.map(\.name) == ["without keyword", "without constant"])
    #expect(ablation.without.map(\.accuracy.count) == [1, 2])
    #expect(ablation.without.map(\.difference.lost) == [2, 1])
    #expect(ablation.orders.map(\.name) == ["order constant,keyword"])
    #expect(ablation.orders.map(\.changed) == [2])
    #expect(ablation.orderCount == 1)
  }

  @Test("A strategy that costs something is not asked again for ablation: it answers what it answered before")
  func meteredAblation() async throws {
    let corpus = ScriptedStore.corpus("alpha\tAlpha\tx\nwhat\tOther\tx\nunheard of\tGamma\tx\n")
    let strategy = MeteredEcho { $0 == "unheard of" ? "Gamma" : "Invented" }
    let chain = NamedChain(
      Chain([ScriptedStore.keyword.chain.links[0], Chain.Link(strategy)]), names: ["keyword", "echo"])
    let evaluator = ScriptedStore.evaluator(corpus)
    let evaluation = try await evaluator.evaluate(chain)
    let ablation = try await Ablation(of: evaluation, by: evaluator, seed: 1)
    #expect(strategy.usage.requests == 1)
    #expect(ablation.without.map(\.accuracy.count) == [1, 2])
    #expect(ablation.without.map(\.changed) == [1, 2])
  }

  @Test("Calibration puts answers in ten bins, and 1 in the last")
  func calibration() throws {
    var calibration = Calibration()
    calibration.add(confidence: 1, isRight: true)
    calibration.add(confidence: 0.95, isRight: false)
    calibration.add(confidence: 0.05, isRight: false)
    #expect(calibration.bins.map(\.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2])
    // |0 − 0.05| / 3 + |1 − 1.95| / 3
    let (error, expected) = (try #require(calibration.expectedError), (0.05 + 0.95) / 3)
    #expect(abs(error - expected) < 1e-7)
    #expect(Calibration().expectedError == nil)
    for tenth in 0...9 {
      var one = Calibration()
      one.add(confidence: Float(tenth) / 10, isRight: true)
      #expect(one.bins[tenth].count == 1, "0.\(tenth)")
    }
  }
}

/// Decides everything for one section.
struct ConstantStrategy: Strategy {
  let section: SectionID

  var metadata: StrategyMetadata { StrategyMetadata(id: "constant", summary: "", rationale: "", examples: []) }

  func decide(_ batch: inout Batch) {
    for index in Array(batch.undecided) { batch.decide(index, Decision(section: section, confidence: 0.5)) }
  }
}

/// Decides nothing, or what it is told to, for money.
final class MeteredEcho: MeteredStrategy {
  private let calls = Counter()
  private let section: @Sendable (String) -> String?

  init(_ section: @escaping @Sendable (String) -> String? = { _ in nil }) { self.section = section }

  var metadata: StrategyMetadata { StrategyMetadata(id: "echo", summary: "", rationale: "", examples: []) }
  var usage: StrategyUsage {
    let count = calls.value
    return StrategyUsage(requests: count, tokens: 20 * count, dollars: 0.5 * Double(count))
  }

  func decide(_ batch: inout Batch) {
    calls.add()
    for index in Array(batch.undecided) {
      guard let name = section(batch.item(index)) else { continue }
      batch.decide(index, Decision(section: batch.sectionID(named: name), confidence: 0.5))
    }
  }
}
