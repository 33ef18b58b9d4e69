import AisleCore
import Testing

/// Strategies and batches of another taxonomy than they are used with.
@Suite struct TaxonomyMismatchTests {
  /// Decides everything as a section, a keyword, a pattern, and a move of some number.
  private struct Numbered: LocalStrategy {
    var boundTaxonomy: Taxonomy?
    var number: UInt16 = 1
    var metadata: StrategyMetadata { StrategyMetadata(id: "numbered", summary: "s", rationale: "r", examples: []) }

    func decide(_ batch: inout Batch) {
      var evidence = Evidence(
        keyword: KeywordID(rawValue: UInt32(number)), span: 0..<900, rule: 7, runnerUp: KeywordID(rawValue: UInt32(number)),
        move: number)
      evidence.pattern = PatternID(rawValue: number)
      evidence.note = UInt32(number)
      for index in 0..<batch.count {
        batch.decide(index, Decision(section: SectionID(rawValue: number), confidence: 1, evidence: evidence))
      }
    }
  }

  /// The small store with one more shelf.
  private var other: Taxonomy {
    var builder = SmallStore.builder()
    builder.addShelf("more", lines: "sumac\n", section: SmallStore.pantry)
    builder.setFallback(SmallStore.other)
    return builder.build()
  }

  private func chain(_ taxonomy: Taxonomy?) -> Chain { Chain([Chain.Link(Numbered(boundTaxonomy: taxonomy))]) }

  @Test func `a strategy of another taxonomy is an error when the categorizer is made`() throws {
    let error = #expect(throws: TaxonomyMismatch.self) {
      _ = try Categorizer(taxonomy: SmallStore.taxonomy, chain: chain(other))
    }
    #expect(
      error?.description
        == "strategy `numbered` was made for another version of store `small` and is used with `small`; make both from the same taxonomy"
    )
    #expect(throws: TaxonomyMismatch.self) {
      _ = try LocalChain([LocalChain.Link(Numbered(boundTaxonomy: other))], taxonomy: SmallStore.taxonomy)
    }
  }

  @Test func `one of the same contents, or of no taxonomy, is none`() async throws {
    for taxonomy in [SmallStore.taxonomy, nil] {
      let categorizer = try Categorizer(taxonomy: SmallStore.taxonomy, chain: chain(taxonomy))
      #expect(try await categorizer.categorize("x").section.name == "Dairy & Eggs")
    }
    var builder = SmallStore.builder()
    builder.setFallback(SmallStore.other)
    _ = try Categorizer(taxonomy: SmallStore.taxonomy, chain: chain(builder.build()))
  }

  @Test func `a batch of another taxonomy is an error, for a categorizer and for a chain`() async throws {
    let categorizer = try Categorizer(taxonomy: SmallStore.taxonomy, chain: chain(SmallStore.taxonomy))
    var batch = Batch(["x"], taxonomy: other)
    let error = await #expect(throws: TaxonomyMismatch.self) { try await categorizer.categorize(&batch) }
    #expect(error?.strategy == nil)
    await #expect(throws: TaxonomyMismatch.self) { try await chain(SmallStore.taxonomy).decide(&batch) }
    #expect(batch.decisions == [nil])
  }

  @Test func `numbers that mean nothing end no program`() async throws {
    let strategy = Numbered(number: 60_000)
    let categorizer = try Categorizer(taxonomy: SmallStore.taxonomy, chain: Chain([Chain.Link(strategy)]))
    let item = try await categorizer.categorize("x")
    #expect(item.section.name == "Other")
    #expect(item.keyword == nil && item.pattern == nil && item.move == nil && item.runnerUp == nil && item.match == nil)
    var batch = Batch(["x"], taxonomy: SmallStore.taxonomy)
    strategy.decide(&batch)
    let explanation = Explanation(0, in: batch, metadata: [strategy.metadata])
    #expect(explanation.keyword == "" && explanation.runnerUp == "")
  }
}
