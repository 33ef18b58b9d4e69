import AisleCore
import AisleEvaluation
import Testing

@Suite("A comparison says what changed on the items that both sides have")
struct ComparisonTests {
  private static let answer = ScriptedStore.answer

  @Test("Items flip each way, and what both sides lack is counted")
  func flips() throws {
    let before = ScriptedStore.baseline([
      Self.answer("a", ["Alpha"], "Alpha"), Self.answer("b", ["Beta"], "Alpha"), Self.answer("c", ["Gamma"], "Alpha"),
      Self.answer("d", ["Gamma"], "Gamma"), Self.answer("gone", ["Alpha"], "Alpha"),
    ])
    let after = ScriptedStore.baseline(
      [
        Self.answer("a", ["Alpha"], "Beta"), Self.answer("b", ["Beta"], "Beta"), Self.answer("c", ["Gamma"], "Beta"),
        Self.answer("d", ["Gamma"], "Gamma"), Self.answer("new", ["Alpha"], "Alpha"), Self.answer("newer", ["Alpha"], "Alpha"),
      ], corpus: "0000000000000009")
    let comparison = try Comparison(from: before, to: after, seed: 1)
    #expect(comparison.lost.map(\.after.item) == ["a"])
    #expect(comparison.won.map(\.after.item) == ["b"])
    #expect(comparison.moved.map(\.after.item) == ["c"])
    #expect(comparison.onlyBefore == 1)
    #expect(comparison.onlyAfter == 2)
    #expect(comparison.difference.total == 4)
    #expect(comparison.difference.before == 2)
    #expect(comparison.difference.after == 2)
    #expect(comparison.difference.value == 0)
    #expect(comparison.sections.map(\.name) == ["Alpha", "Beta"])
  }

  @Test("Items with different labels now are scored by the new ones on both sides")
  func relabelled() throws {
    let comparison = try Comparison(
      from: ScriptedStore.baseline([Self.answer("a", ["Alpha"], "Alpha")]),
      to: ScriptedStore.baseline([Self.answer("a", ["Beta"], "Beta")]), seed: 1)
    #expect(comparison.relabelled == 1)
    #expect(comparison.won.count == 1)
    #expect(comparison.lost.isEmpty)
  }

  @Test("An item that stands several times is paired in order")
  func repeated() throws {
    let twice = [Self.answer("a", ["Alpha"], "Alpha"), Self.answer("a", ["Alpha"], "Alpha")]
    let comparison = try Comparison(
      from: ScriptedStore.baseline(twice), to: ScriptedStore.baseline(twice + [Self.answer("a", ["Alpha"], "Beta")]), seed: 1)
    #expect(comparison.difference.total == 2)
    #expect(comparison.onlyAfter == 1)
  }

  @Test("Composed and decomposed letters are different items")
  func unicode() {
    #expect(throws: Incomparable.self) {
      try Comparison(
        from: ScriptedStore.baseline([Self.answer("cr\u{E8}me", ["Alpha"], "Alpha")]),
        to: ScriptedStore.baseline([Self.answer("cre\u{300}me", ["Alpha"], "Alpha")]), seed: 1)
    }
  }

  @Test("Other stores and nothing shared cannot be compared")
  func incomparable() {
    let one = ScriptedStore.baseline([Self.answer("a", ["Alpha"], "Alpha")])
    #expect(throws: Incomparable.self) {
      try Comparison(from: one, to: ScriptedStore.baseline([Self.answer("a", ["Alpha"], "Alpha")], store: "tesco"), seed: 1)
    }
    #expect(throws: Incomparable.self) {
      try Comparison(from: one, to: ScriptedStore.baseline([Self.answer("b", ["Alpha"], "Alpha")]), seed: 1)
    }
  }
}

@Suite("The gate fails on a regression and not on noise")
struct GateTests {
  private func comparison(won: Int, lost: Int, total: Int = 4000) throws -> Comparison {
    let before = (0..<total).map { ScriptedStore.answer("i\($0)", ["Alpha"], $0 < won ? "Beta" : "Alpha") }
    let after = (0..<total).map { ScriptedStore.answer("i\($0)", ["Alpha"], $0 >= total - lost ? "Beta" : "Alpha") }
    return try Comparison(from: ScriptedStore.baseline(before), to: ScriptedStore.baseline(after), seed: 1)
  }

  private func isPassed(_ gate: Gate, won: Int, lost: Int) throws -> Bool {
    gate.judge(try comparison(won: won, lost: lost)).allSatisfy(\.isPassed)
  }

  @Test(
    "Only a loss that is significant and beyond the tolerance fails",
    arguments: [(0, 0, true), (20, 20, true), (0, 5, true), (0, 6, false), (10, 18, true), (10, 40, false), (60, 0, true)])
  func regression(won: Int, lost: Int, isPassed: Bool) throws {
    #expect(try self.isPassed(Gate(), won: won, lost: lost) == isPassed)
  }

  @Test(
    "Among few items every net loss fails, and the verdict says so",
    arguments: [(0, 4, 62, false), (0, 1, 62, false), (1, 1, 62, true), (3, 2, 62, true), (2, 3, 299, false), (2, 3, 300, true)])
  func fewItems(won: Int, lost: Int, total: Int, isPassed: Bool) throws {
    let verdict = Gate().judge(try comparison(won: won, lost: lost, total: total))[0]
    #expect(verdict.isPassed == isPassed, "\(verdict)")
    #expect(verdict.detail.contains("of fewer than 300 items every net loss counts; --tolerance allows one") == !isPassed)
    #expect(
      verdict.detail.hasSuffix("; --strict would fail") == (isPassed && lost > 0 && total < 300), "\(verdict.detail)")
    var tolerant = Gate()
    tolerant.tolerance = 0.1
    #expect(tolerant.judge(try comparison(won: won, lost: lost, total: total)).allSatisfy(\.isPassed))
  }

  @Test("People are told before what few items can show")
  func warning() {
    #expect(
      Gate().warning(for: 62)
        == "only 62 items: a loss of fewer than 6 (9.7 points) cannot be told from noise, so the gate fails on every net loss; "
        + "--tolerance allows a loss, --strict allows none")
    #expect(Gate().warning(for: 3)?.hasPrefix("only 3 items: a loss of fewer than 6 cannot") == true)
    #expect(Gate().warning(for: 300) == nil && Gate().warning(for: 0) == nil)
  }

  @Test("The interval and the test never contradict each other")
  func agreement() {
    for total in [6, 20, 62, 300, 4000] {
      for won in 0...min(8, total / 2) {
        for lost in 0...min(20, total - won) {
          let difference = PairedDifference(total: total, before: total - won, won: won, lost: lost, seed: 1)
          #expect(difference.interval?.contains(0) == difference.isNoise, "\(total) \(won) \(lost)")
        }
      }
    }
  }

  @Test("The tolerance allows a loss up to it, in points of all items")
  func tolerance() throws {
    var gate = Gate()
    gate.tolerance = 0.01
    #expect(try isPassed(gate, won: 0, lost: 40))
    #expect(try !isPassed(gate, won: 0, lost: 41))
  }

  @Test("What a comparison calls noise is what the gate lets pass, whatever alpha is", arguments: [0.001, 0.05, 0.3])
  func sameAlpha(alpha: Double) throws {
    var gate = Gate()
    gate.alpha = alpha
    let items = (0..<400).map { "i\($0)" }
    for lost in [3, 8, 20] {
      let comparison = try Comparison(
        from: ScriptedStore.baseline(items.map { ScriptedStore.answer($0, ["Alpha"], "Alpha") }),
        to: ScriptedStore.baseline(
          items.enumerated().map { ScriptedStore.answer($1, ["Alpha"], $0 < lost ? "Beta" : "Alpha") }), seed: 1, alpha: alpha)
      #expect(comparison.difference.isNoise == gate.judge(comparison)[0].isPassed, "\(lost)")
      #expect(comparison.sections.map(\.difference.isNoise) == [comparison.difference.isNoise])
    }
  }

  @Test("A smaller alpha asks for more evidence")
  func alpha() throws {
    var gate = Gate()
    gate.alpha = 0.001
    #expect(try isPassed(gate, won: 0, lost: 6))
    #expect(try !isPassed(gate, won: 0, lost: 20))
  }

  @Test("Strict fails on any item that was right and is wrong")
  func strict() throws {
    var gate = Gate()
    gate.isStrict = true
    #expect(try !isPassed(gate, won: 100, lost: 1))
    #expect(try isPassed(gate, won: 100, lost: 0))
  }

  @Test("Floors fail below them, and where their score is not defined")
  func floors() async throws {
    let evaluation = try await ScriptedStore.evaluate("alpha\tAlpha\tx\nbeta\tAlpha\ty\nbeta two\tBeta\ty\nwhat\tAlpha\ty\n")
    let expected: [(Gate.Metric, Double)] = [
      (.accuracy, 0.5), (.placed, 0.75), (.tag("x"), 1), (.tag("y"), 1.0 / 3), (.section("Beta"), 2.0 / 3),
    ]
    for (metric, value) in expected {
      for (least, isPassed) in [(value - 0.001, true), (min(1, value), true), (value + 0.001, false)] {
        var gate = Gate()
        gate.floors = [Gate.Floor(metric, least: least)]
        let verdict = try #require(gate.judge(evaluation, against: nil).first)
        #expect(verdict.isPassed == isPassed, "\(verdict)")
      }
    }
    var gate = Gate()
    gate.floors = [Gate.Floor(.section("Nowhere"), least: 0)]
    #expect(gate.judge(evaluation, against: nil).first?.isPassed == false)
  }

  @Test("A floor that is met to the last item is met, however its percentage rounds")
  func exactFloor() async throws {
    let lines = (0..<125).map { "alpha\t\($0 < 118 ? "Alpha" : "Beta")\tx\n" }
    let evaluation = try await ScriptedStore.evaluate(lines.joined())
    var gate = Gate()
    for (floor, isPassed) in [("94.4", true), ("94.5", false)] {
      gate.floors = [try Gate.Floor(floor)]
      #expect(gate.judge(evaluation, against: nil).first?.isPassed == isPassed)
    }
  }

  private static let floorCases: [(right: Int, least: Double, detail: String)] = [
    (8, 0.67, "66.7%, at least 67.0% required"), (8, 0.667, "66.67%, at least 66.7% required"),
    (8, 0.66667, "66.6667%, at least 66.667% required"), (8, 0.6665, "66.67%, at least 66.65% required"),
    (12, 0.95, "100.0%, at least 95.0% required"), (9, 1, "75.0%, at least 100.0% required"),
  ]

  @Test("A floor is shown as it was written, and a score that failed never looks as if it had reached it", arguments: floorCases)
  func floorTexts(right: Int, least: Double, detail: String) async throws {
    let lines = (0..<12).map { "alpha\t\($0 < right ? "Alpha" : "Beta")\tx\n" }
    let evaluation = try await ScriptedStore.evaluate(lines.joined())
    var gate = Gate()
    gate.floors = [Gate.Floor(.accuracy, least: least)]
    #expect(gate.judge(evaluation, against: nil).first?.detail == detail)
  }

  /// A thousand simulated changes each: a true loss of 1.5 points on 4,000 items is nearly always caught, and where neither side is
  /// better the gate fails no oftener than half of alpha, as a loss is one of the two ways to differ.
  @Test("Of a thousand regressions nearly all are caught, of a thousand noise-sized changes nearly none")
  func simulation() throws {
    var generator = SeededGenerator(seed: 2026)
    func rate(lostShare: Double) -> Double {
      var failed = 0
      for _ in 0..<1000 {
        var (won, lost) = (0, 0)
        for _ in 0..<4000 {
          let draw = Double.random(in: 0..<1, using: &generator)
          if draw < 0.01 { won += 1 } else if draw < 0.01 + lostShare { lost += 1 }
        }
        let change = Double(won - lost) / 4000
        if -change > 0, McNemar.pValue(won: won, lost: lost) < Gate().alpha { failed += 1 }
      }
      return Double(failed) / 1000
    }
    #expect(rate(lostShare: 0.025) >= 0.99)
    #expect(rate(lostShare: 0.01) <= 0.035)
  }
}
