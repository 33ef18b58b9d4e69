import AisleCore
import AisleEvaluation
import Testing

@Suite("Statistics agree with published worked examples")
struct StatisticsTests {
  @Test(
    "Wilson's interval",
    arguments: [
      // Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3.
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
  func wilson(count: Int, total: Int, low: Double, high: Double) throws {
    let interval = try #require(Proportion(count, of: total).interval)
    #expect(abs(interval.lowerBound - low) < 0.00006)
    #expect(abs(interval.upperBound - high) < 0.00006)
  }

  @Test("Of no items, a share and its interval are not defined")
  func nothing() {
    #expect(Proportion(0, of: 0).value == nil)
    #expect(Proportion(0, of: 0).interval == nil)
    #expect(Figures.percent(Proportion(0, of: 0).value) == "n/a")
  }

  @Test("Wilson's interval stays within 0…1 and holds the share")
  func bounds() throws {
    for total in 1...60 {
      for count in 0...total {
        let share = Proportion(count, of: total)
        let interval = try #require(share.interval)
        let value = try #require(share.value)
        #expect(interval.lowerBound >= 0 && interval.upperBound <= 1)
        #expect(interval.lowerBound <= value + 1e-12 && interval.upperBound >= value - 1e-12)
      }
    }
  }

  @Test(
    "McNemar's exact p-value is the two-sided binomial tail",
    arguments: [
      // 2 · sum of C(n, k) / 2ⁿ up to the smaller count, worked out by hand: 2/32, 2/64, 18/256, 112/1024.
      (0, 0, 1.0), (1, 0, 1.0), (0, 5, 0.0625), (0, 6, 0.03125), (2, 8, 0.109375), (5, 5, 1.0),
      // Fagerland, Lydersen, Laake (2013), The McNemar test for binary matched-pairs data, table 2: exact conditional p = 0.070.
      (1, 7, 0.0703125),
      // The same article's larger example: 59 pairs against 86 give p = 0.030 (0.0307).
      (59, 86, 0.03068),
    ])
  func mcNemar(won: Int, lost: Int, p: Double) {
    let tolerance = won == 59 ? 0.0005 : 1e-12
    #expect(abs(McNemar.pValue(won: won, lost: lost) - p) < tolerance)
    #expect(McNemar.pValue(won: won, lost: lost) == McNemar.pValue(won: lost, lost: won))
  }

  @Test("McNemar's p-value holds for very many changes")
  func manyChanges() {
    // A thousand standard deviations away: nothing but 0. At balance: 1.
    #expect(McNemar.pValue(won: 1_000_000, lost: 1_000_000) == 1)
    #expect(McNemar.pValue(won: 0, lost: 1_000_000) == 0)
    // Near the normal approximation with continuity correction: z = (|b − c| − 1) / √(b + c) = 1.9596 → p ≈ 0.050.
    #expect(abs(McNemar.pValue(won: 500_000, lost: 501_961) - 0.0501) < 0.001)
  }

  @Test("The bootstrap's interval is the same for the same seed and covers the difference")
  func bootstrapSeed() {
    let first = PairedBootstrap.interval(won: 30, lost: 50, total: 4000, seed: 7)
    #expect(first == PairedBootstrap.interval(won: 30, lost: 50, total: 4000, seed: 7))
    #expect(first != PairedBootstrap.interval(won: 30, lost: 50, total: 4000, seed: 8))
    #expect(first.contains(-20.0 / 4000))
  }

  @Test(
    "The bootstrap's interval is the normal one where that holds",
    arguments: [(30, 50, 4000), (400, 300, 4000), (2000, 1500, 4000), (0, 40, 400), (3, 5, 1_000_000)])
  func bootstrapWidth(won: Int, lost: Int, total: Int) {
    let n = Double(total)
    let mean = Double(won - lost) / n
    let variance = (Double(won + lost) / n - mean * mean) / n
    let interval = PairedBootstrap.interval(won: won, lost: lost, total: total, seed: 3)
    let half = 1.96 * variance.squareRoot()
    // Ten thousand rounds put each end within some hundredths of the half width; small counts are skewed.
    let tolerance = (won + lost < 50 ? 0.25 : 0.06) * half
    #expect(abs(interval.lowerBound - (mean - half)) < tolerance, "\(interval)")
    #expect(abs(interval.upperBound - (mean + half)) < tolerance, "\(interval)")
  }

  @Test("A difference that only one way has stays within what is possible")
  func bootstrapExtremes() {
    #expect(PairedBootstrap.interval(won: 0, lost: 0, total: 10, seed: 1) == 0...0)
    #expect(PairedBootstrap.interval(won: 10, lost: 0, total: 10, seed: 1) == 1...1)
    #expect(PairedBootstrap.interval(won: 0, lost: 10, total: 10, seed: 1) == -1 ... -1)
  }
}
