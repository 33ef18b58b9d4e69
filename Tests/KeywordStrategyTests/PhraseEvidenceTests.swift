import AisleCore
@testable import KeywordStrategy
import Testing

/// What stood in an item, its number, and the confidence that the weights give it.
struct `The evidence of a phrase` {
  private static let all = (0..<PhraseEvidence.count).map { PhraseEvidence(number: $0) }

  @Test func `has a number of its own, which says it all`() {
    #expect(Set(Self.all).count == PhraseEvidence.count)
    #expect(Self.all.map(\.number) == Array(0..<PhraseEvidence.count))
    let numbers = PhraseEvidence.numbers
    #expect(numbers.map { PhraseEvidence(numbered: $0) } == Self.all)
    #expect(numbers.allSatisfy { 0...1 ~= $0 })
  }

  @Test func `has the confidence that its factors give`() {
    let table = PhraseEvidence.confidences(PhraseWeights())
    for evidence in Self.all {
      let difference = abs(Double(table[evidence.number]) - evidence.confidence(PhraseWeights()))
      #expect(difference < 1e-5, "\(evidence)")
    }
  }

  /// Weights at the ends of their ranges, and some between.
  private static let weights: [PhraseWeights] = {
    var random = SeededGenerator(seed: 11)
    return (0..<50).map { round in
      var weights = PhraseWeights()
      for setting in PhraseWeights.Setting.allCases {
        switch setting {
        case .chance: _ = weights.set(setting, to: "0.\(Int.random(in: 100...989, using: &random))")
        case .odds(let factor):
          let against = ["0.01", "1", "0.\(Int.random(in: 100...999, using: &random))"]
          let value = factor.isFor ? ["1", "100", "\(Int.random(in: 1...20, using: &random))"] : against
          _ = weights.set(setting, to: value[Int.random(in: 0...2, using: &random)])
        default: break
        }
      }
      return weights
    }
  }()

  @Test(arguments: weights)
  func `never makes an answer surer by what speaks against it, nor less sure by what speaks for it`(weights: PhraseWeights) {
    let table = PhraseEvidence.confidences(weights)
    for (worse, better) in Self.steps where table[worse] > table[better] {
      Issue.record("\(PhraseEvidence(number: worse)) is surer than \(PhraseEvidence(number: better)) by \(weights)")
    }
  }

  /// The pairs of numbers of which the first is as the second but for one thing that speaks against it.
  private static let steps = all.flatMap { better in
    all.filter { isWorse($0, better) }.map { (worse: $0.number, better: better.number) }
  }

  /// Whether two differ in one thing only, and that speaks against the first.
  private static func isWorse(_ worse: PhraseEvidence, _ better: PhraseEvidence) -> Bool {
    guard worse.strength == better.strength else { return false }
    let steps = [
      // Whether three words are surer than two is the fit's to say.
      worse.words == 1 && better.words > 1 ? 1 : worse.words == better.words ? 0 : 9,
      worse.others == better.others
        ? 0
        : better.others == .agreeing && worse.others == .none
          || better.others == .none
            && worse.others != .agreeing
          ? 1 : 9,
      worse.unknown - better.unknown >= 0 ? worse.unknown - better.unknown : 9,
      worse.isAlone == better.isAlone ? 0 : better.isAlone && worse.unknown == better.unknown ? 1 : 9,
      worse.isAfterHead == better.isAfterHead ? 0 : worse.isAfterHead ? 1 : 9,
      worse.isRepaired == better.isRepaired ? 0 : worse.isRepaired ? 1 : 9,
    ]
    return steps.reduce(0, +) == 1
  }

  private static let store = SmallStore.make(
    [
      "Produce": ["~apple", "basil", "rambutan"], "Pantry": ["red rice", "long grain rice mix", "soup"],
      "Other": ["?soft", "!gift card"],
    ], moves: "")

  @Test(
    arguments: [
      ("apple", "flavor alone"), ("2 lbs apples", "flavor alone"), ("xyzzy apple", "flavor unknown:1"),
      ("xyzzy plugh frob blorb apple", "flavor unknown:3"), ("red rice", "good words:2 alone"),
      ("basil gift card", "decisive words:2 rival"), ("apple soup", "good rival"), ("basil soup", "good equalRival"),
      ("basil rambutan", "good agreeing"),
      ("long grain rice mix", "good words:3 alone"), ("apple, soup", "good rival afterHead"), ("rambutn", "good alone repaired"),
      ("soft", "descriptor alone"), ("gift card", "decisive words:2 alone"), ("apple apple xyzzy", "flavor agreeing unknown:1"),
    ])
  func `is what stands in the item`(item: String, expected: String) throws {
    let strategy = KeywordStrategy(Self.store)
    let numbered = strategy.weighing(by: PhraseWeights(), numbersEvidence: true)
    let evidence = PhraseEvidence(numbered: try #require(numbered.decision(item, in: Self.store)).confidence)
    let words =
      ["\(evidence.strength)"] + (evidence.words > 1 ? ["words:\(evidence.words)"] : [])
      + (evidence.others == .none ? [] : ["\(evidence.others)"]) + (evidence.unknown > 0 ? ["unknown:\(evidence.unknown)"] : [])
      + (evidence.isAlone ? ["alone"] : []) + (evidence.isAfterHead ? ["afterHead"] : [])
      + (evidence.isRepaired ? ["repaired"] : [])
    #expect(words.joined(separator: " ") == expected)
    let decision = try #require(strategy.decision(item, in: Self.store))
    #expect(abs(Double(decision.confidence) - evidence.confidence(PhraseWeights())) < 1e-5)
  }

  @Test func `is weighed as the weights say`() throws {
    var weights = PhraseWeights()
    #expect(weights.set(.weight(.flavor), to: "90 40 30 10") == nil)
    #expect(weights.set(.chance(.flavor), to: "0.2") == nil)
    let strategy = KeywordStrategy(Self.store)
    func section(_ strategy: KeywordStrategy) -> String? {
      strategy.decision("apple soup", in: Self.store).map { Self.store[$0.section].name }
    }
    #expect(section(strategy) == "Pantry")
    #expect(section(strategy.weighing(by: weights)) == "Produce")
    #expect(section(strategy) == "Pantry")
    let alone = try #require(strategy.weighing(by: weights).decision("apple", in: Self.store)).confidence
    let odds = 0.25 * weights.factor(.alone)
    #expect(abs(Double(alone) - odds / (1 + odds)) < 1e-5)
  }
}
