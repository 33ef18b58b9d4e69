import AisleCore
import AisleEvaluation
import AisleFiles
import Testing

@Suite("The agreement of two people is what published examples say")
struct AgreementTests {
  private func kappa(_ table: [[Int]]) -> CohensKappa {
    CohensKappa(
      table.indices.flatMap { row in
        table.indices.flatMap { column in Array(repeating: (row, column), count: table[row][column]) }
      })
  }

  private typealias Example = (table: [[Int]], value: Double, error: Double)

  private static let examples: [Example] = [
    // The example of Cohen (1960), whose kappa is 0.492.
    ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.491525, 0.051002),
    // Fleiss (1981), Statistical Methods for Rates and Proportions, table 13.1, whose kappa is 0.676.
    ([[75, 1, 4], [5, 4, 1], [0, 0, 10]], 0.676471, 0.087703),
    // Three tables of two categories, whose kappas are 2/5, 3/23, and 7/27. All standard errors were computed from the gradient of
    // kappa by differences and the covariance of the cells, without the closed form.
    ([[20, 5], [10, 15]], 0.4, 0.126996), ([[45, 15], [25, 15]], 0.130435, 0.098662), ([[25, 35], [5, 35]], 0.259259, 0.07716),
  ]

  @Test("Cohen's kappa and its standard error", arguments: examples.indices)
  func published(example: Int) throws {
    let (table, value, error) = Self.examples[example]
    let kappa = kappa(table)
    #expect(abs(try #require(kappa.value) - value) < 1e-6)
    #expect(abs(try #require(kappa.standardError) - error) < 1e-6)
    let interval = try #require(kappa.interval)
    #expect(abs(interval.upperBound - (value + 1.959964 * error)) < 1e-5)
    #expect(abs(interval.lowerBound - (value - 1.959964 * error)) < 1e-5)
  }

  @Test("The example of scikit-learn's cohen_kappa_score")
  func scikitLearn() throws {
    let first = ["negative", "positive", "negative", "neutral", "positive"]
    let second = ["negative", "positive", "negative", "neutral", "negative"]
    #expect(abs(try #require(CohensKappa(zip(first, second)).value) - 0.6875) < 1e-12)
  }

  @Test(
    "Who says nothing but one thing agrees by chance alone; full agreement has no interval; opposite answers are below chance")
  func edges() throws {
    #expect(CohensKappa([(String, String)]()).value == nil)
    #expect(kappa([[7]]).value == nil)
    #expect(kappa([[7]]).interval == nil)
    #expect(kappa([[3, 0], [0, 4]]).value == 1)
    #expect(kappa([[3, 0], [0, 4]]).interval == nil)
    #expect(abs(try #require(kappa([[0, 5], [5, 0]]).value) + 1) < 1e-12)
    // One of them says one thing throughout: no better than chance, whatever the other says.
    #expect(abs(try #require(kappa([[6, 0], [4, 0]]).value)) < 1e-12)
  }

  private func agreement(_ first: String, _ second: String, by kind: Agreement.Kind = .section) -> Agreement {
    let sides = [("a.tsv", first), ("b.tsv", second)].map { path, lines in
      let corpus = ScriptedStore.corpus(lines, path: path)
      return (
        corpus: corpus,
        expectations: Expectations.resolve(corpus, in: ScriptedStore.taxonomy, elsewhere: ["Far Away"]).expectations
      )
    }
    return Agreement(sides[0], sides[1], by: kind, in: ScriptedStore.taxonomy)
  }

  @Test("A shelf and its section agree by section, and not by shelf")
  func kinds() {
    let (first, second) = ("kale\tAlpha\nrye\tBeta|Alpha\n", "rye\tGamma\nKale\talpha-shelf\n")
    let bySection = agreement(first, second)
    #expect(bySection.share == Proportion(1, of: 2))
    #expect(bySection.disagreements.map(\.item) == ["rye"])
    #expect(bySection.disagreements.map { "\($0.first) \($0.second)" } == ["Beta Gamma"])
    #expect(bySection.disagreements.map { "\($0.firstLocation) \($0.secondLocation)" } == ["a.tsv:2 b.tsv:1"])
    #expect(agreement(first, second, by: .shelf).share == Proportion(0, of: 2))
  }

  @Test("Items of one file alone, repeats, and labels without a section are counted, not compared")
  func leftOut() {
    let agreement = agreement(
      "kale\tAlpha\nkale\tBeta\nrye\tBeta\nfig\tFar Away\nleek\tAlpha\n", "kale\tAlpha\nfig\tAlpha\nsoap\tOther\nsalt\tBeta\n")
    #expect(agreement.share == Proportion(1, of: 1))
    #expect((agreement.onlyFirst, agreement.onlySecond, agreement.inapplicable) == (2, 2, 1))
    #expect(agreement.kappa.value == nil)
  }
}
