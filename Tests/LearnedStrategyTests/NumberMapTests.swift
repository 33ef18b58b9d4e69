import AisleCore
@testable import CorrectionMatching
@testable import LearnedStrategy
import Testing

@Suite struct NumberMapTests {
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
