import AisleCore
import AisleEvaluation
import AisleFiles
import KeywordStrategy
import Testing

@testable import AisleReporting

/// What is shown for characters that a terminal would obey or hide.
@Suite struct VisibleTextTests {
  @Test(
    "An emoji keeps what holds it together, and nothing else does",
    arguments: [
      ("👩‍🍳 pie", "👩‍🍳 pie"), ("❤️ hearts 7️⃣", "❤️ hearts 7️⃣"), ("🏳️‍🌈", "🏳️‍🌈"), ("👍🏽", "👍🏽"), ("a\u{200D}b", "a\u{FFFD}b"),
      ("🍎\u{200D}", "🍎\u{FFFD}"),
      ("🍎\u{200D}\u{200D}🍎", "🍎\u{FFFD}\u{FFFD}🍎"), ("🍎\u{FE0F}\u{FE0F}", "🍎\u{FE0F}\u{FFFD}"), ("a\u{FE0F}", "a\u{FFFD}"),
      ("🏴\u{E0067}", "🏴\u{FFFD}"), ("café ñ 豆腐 क्ष", "café ñ 豆腐 क्ष"), ("a\tb\0", "a␉b␀"),
    ])
  func emoji(text: String, shown: String) { #expect(VisibleText.line(text).unicodeScalars.elementsEqual(shown.unicodeScalars)) }

  @Test("Names of stores and labels reach no terminal raw")
  func names() async throws {
    var builder = TaxonomyBuilder(store: "s\u{1B}", name: "Shop \u{1B}[31m\u{202E}")
    let food = builder.addSection(Section(name: "Food", color: .red))
    builder.setFallback(builder.addSection(Section(name: "Other\u{202E}", color: .gray)))
    builder.addKeyword("fig", section: food, at: SourceLocation(path: "s.yaml"))
    let taxonomy = builder.build()
    let corpus = CorpusReader.read([("c.tsv", Array("fig\tFood\tx\nnut\tB\u{202E}\tx\n".utf8))]).corpus
    let (expectations, _) = Expectations.resolve(corpus, in: taxonomy, elsewhere: ["B\u{202E}"])
    let chain = NamedChain(Chain([Chain.Link(KeywordStrategy(taxonomy))]), names: ["keyword\u{1B}"])
    let evaluation = try await Evaluator(taxonomy: taxonomy, corpus: corpus, expectations: expectations, jobs: 1).evaluate(chain)
    #expect(evaluation.inapplicable == 1)
    let other = TaxonomyBuilder(store: "b", name: "B").build()
    for text in [
      TextReporter().render(Report(tool: "1", evaluation: evaluation)),
      DifferenceReporter().text(StoreDifference(from: taxonomy, to: taxonomy)),
      DifferenceReporter().text(StoreDifference(from: taxonomy, to: other)),
    ] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(VisibleText.line(text))")
    }
  }
}
