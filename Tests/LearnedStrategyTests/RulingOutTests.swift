import AisleCore
import AisleTesting
@testable import LearnedStrategy
import Testing

/// An item whose last words rule out all corrections is not read further: it must never be one that is near a correction.
@Suite struct RulingOutTests {
  private static let known = ["oat", "milk", "Silk", "dragon", "fruit", "bars", "kale", "chips", "berries"]
  private static let others = [
    "zorkly", "Blirp", "qux", "12", "3", "lbs", "of", "pack", "fresh", "m\u{E9}l", "O'Brien", "M&M", "7up", "o.j.", "O.J's",
    "t.p'",
  ]
  private static let between = [" ", " ", " ", ", ", " (", ") ", "-", "  ", " - ", "/"]

  private static func item(_ random: inout SeededGenerator, _ words: [String], most: Int) -> String {
    (0..<Int.random(in: 1...most, using: &random)).map { _ in
      (words.randomElement(using: &random) ?? "") + (between.randomElement(using: &random) ?? "")
    }.joined()
  }

  @Test(arguments: 1...6) func `what is looked up finds the same with it and without`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    // Two layers, as a file with changes has.
    let layers = (0..<2).flatMap { _ in
      LearnedCorrections((0..<40).map { _ in Correction(Self.item(&random, Self.known, most: 4), "Snacks") }).layers
    }
    var found = 0
    for most in [2, 4, 8, 30] {
      let items = (0..<3_000).map { _ in Self.item(&random, Self.known + Self.others, most: most) }
      for layers in [layers, [layers[0]]] {
        let batch = Batch(items, taxonomy: TaxonomyBuilder(store: "small", name: "Small").build())
        let places = ContiguousArray(0..<Int32(batch.count))
        let candidates = CandidateFinder.find(places, in: batch, layers)
        #expect(
          candidates == CandidateFinder.find(places, in: batch, layers, isRulingOut: false), "seed \(seed), \(most) words")
        found += candidates.count
      }
    }
    #expect(found > 1_000, "seed \(seed): \(found) candidates")
  }

  @Test func `a map of numbers holds what a dictionary holds`() {
    var random = SeededGenerator(seed: 1)
    var (map, reference) = (NumberMap<Int>(none: -1), [UInt64: Int]())
    for round in 0..<20_000 {
      // Some small and alike, and 0.
      let number =
        round % 2 == 0 ? UInt64.random(in: 0...3_000, using: &random) : UInt64.random(in: 0...UInt64.max, using: &random)
      map[number] = round
      reference[number == 0 ? 1 : number] = round
    }
    for (number, value) in reference { #expect(map[number] == value) }
    #expect(map[123_456_789] == -1)
  }
}
