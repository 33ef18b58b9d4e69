import AisleEvaluation
import Testing

@Suite("Figures are written the same way everywhere")
struct FiguresTests {
  @Test(
    "A percentage rounds to all or nothing only when it is",
    arguments: [
      (0.0, "0.0%"), (1.0, "100.0%"), (0.99999, "99.9%"), (0.00001, "0.1%"), (0.98149, "98.1%"), (0.98151, "98.2%"),
    ])
  func percent(value: Double, text: String) { #expect(Figures.percent(value) == text) }

  @Test(
    "A difference has a sign, and the decimals it needs",
    arguments: [(0.012, "+1.2"), (-0.003, "−0.3"), (0.0, "±0.0"), (-0.0002, "−0.02"), (0.00001, "+0.001")])
  func points(value: Double, text: String) { #expect(Figures.signedPoints(value) == text) }

  @Test(
    "Counts have thousands separated",
    arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-4321, "−4,321")])
  func count(value: Int, text: String) { #expect(Figures.count(value) == text) }

  @Test("Times have the unit that fits", arguments: [(0.0000123, "12 µs"), (0.0031, "3.1 ms"), (1.254, "1.25 s")])
  func time(value: Double, text: String) { #expect(Figures.time(value) == text) }

  @Test("p-values", arguments: [(0.0004, "p < 0.001"), (0.0309, "p = 0.031"), (1, "p = 1.000")])
  func pValue(value: Double, text: String) { #expect(Figures.pValue(value) == text) }
}
