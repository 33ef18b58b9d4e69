import AisleCore
import AisleEvaluation
import AisleFiles
import Testing

@Suite("A corpus check finds what makes a bad yardstick")
struct CorpusCheckTests {
  private func check(_ lines: String) -> CorpusCheck {
    let corpus = ScriptedStore.corpus(lines)
    return CorpusCheck(
      corpus, Expectations.resolve(corpus, in: ScriptedStore.taxonomy).expectations, in: ScriptedStore.taxonomy)
  }

  @Test("An item that stands twice, whatever its case")
  func twice() {
    #expect(
      check("oat milk\tAlpha\tx\nkale\tBeta\tx\nOat Milk\tAlpha\tx\n").errors.map(\.description) == [
        "corpus/test.tsv:3: `Oat Milk` already exists at corpus/test.tsv:1; remove one"
      ])
  }

  @Test("Labels that contradict each other on the same item written otherwise")
  func contradiction() {
    let check = check("crème fraîche\tAlpha\tx\ncreme-fraiche\tBeta|Gamma\tx\n")
    #expect(
      check.errors.map(\.description) == [
        "corpus/test.tsv:2: `creme-fraiche` is Beta or Gamma, but the same item at corpus/test.tsv:1 is Alpha; give both the same labels"
      ])
    #expect(self.check("crème fraîche\tAlpha|Beta\tx\ncreme-fraiche\tBeta\tx\n").errors.isEmpty)
  }

  @Test("Nearly the same item in the other split is noted")
  func acrossSplits() throws {
    // Accents are the one thing that the split's hash keeps apart; find a pair that lands on both sides.
    let words = ["soufflé", "purée", "sauté", "glacé", "rosé", "pâté", "consommé", "café crème", "entrée", "brûlée"]
    let plain = ["souffle", "puree", "saute", "glace", "rose", "pate", "consomme", "cafe creme", "entree", "brulee"]
    let place = try #require(words.indices.first { Corpus.Split(of: words[$0].utf8) != Corpus.Split(of: plain[$0].utf8) })
    let check = check("\(words[place])\tAlpha\tx\n\(plain[place]) 12 oz\tAlpha\tx\n")
    #expect(check.errors.isEmpty)
    #expect(check.notes.count == 1)
    #expect(check.notes.first?.location.line == 2)
  }

  @Test("A label that all strategies speak against is noted, unless it is confirmed")
  func suspects() async throws {
    let corpus = ScriptedStore.corpus("alpha\tBeta\tx\nbeta\tBeta\tx\ngamma\tBeta\tconfirmed\n")
    let expectations = Expectations.resolve(corpus, in: ScriptedStore.taxonomy).expectations
    var check = CorpusCheck(corpus, expectations, in: ScriptedStore.taxonomy)
    let evaluation = try await ScriptedStore.evaluator(corpus).evaluate(ScriptedStore.keyword)
    check.addSuspects([evaluation, evaluation])
    #expect(
      check.notes.map(\.description) == [
        "corpus/test.tsv:1: `alpha` is labeled Beta, but all strategies say Alpha (alpha (only)); "
          + "correct the label, or tag the item `confirmed`"
      ])
  }
}
