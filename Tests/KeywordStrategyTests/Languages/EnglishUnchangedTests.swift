import AisleCore
import AisleFiles
import KeywordStrategy
import Testing

/// Who asks for no language gets none.
@Suite struct EnglishUnchangedTests {
  @Test func `English by name is English, down to the bytes of its index`() throws {
    let plain = try KrogerFolder.phrase.image() ?? []
    let named = try LanguageFolder.open("en").strategy.image() ?? []
    #expect(!plain.isEmpty && plain == named)
  }

  @Test func `each item of the corpus is decided alike`() throws {
    let items = try LanguageFolder.corpus()
    #expect(items.count > 10_000)
    let plain = try KrogerFolder.phrase.decisions(items, in: try KrogerFolder.taxonomy)
    for languages in [nil, "en"] {
      let (taxonomy, strategy) = try LanguageFolder.open(languages)
      let named = strategy.decisions(items, in: taxonomy)
      for (place, item) in items.enumerated() where plain[place] != named[place] {
        Issue.record("`\(item)` with \(languages ?? "none"): \(strategy.explain(named[place], in: taxonomy))")
      }
    }
  }

  @Test func `nothing of a language is read where none is asked for`() throws {
    for languages in [nil, "en"] {
      let taxonomy = try LanguageFolder.open(languages).taxonomy
      #expect(taxonomy.languages.isEmpty)
      #expect(!taxonomy.keywords.paths.contains { $0.contains("/languages/") })
      #expect(!taxonomy.spellings.contains { $0.location.path.contains("/languages/") })
      #expect(!taxonomy.moves.contains { $0.location.path.contains("/languages/") })
      #expect(taxonomy.keywords.entries.allSatisfy { $0.language == 0 })
    }
  }

  @Test func `a language that is asked for is there, and English behind it`() throws {
    let taxonomy = try LanguageFolder.open("de").taxonomy
    #expect(taxonomy.languages.map(\.id) == ["de", "en"])
    #expect(try LanguageFolder.open("fr,de,en").taxonomy.languages.map(\.id) == ["fr", "de", "en"])
    #expect(try LanguageFolder.open("en,de").taxonomy.languages.map(\.id) == ["en", "de"])
    #expect(
      try LanguageFolder.sections(["peanut butter", "Erdnussbutter"], in: "de") == ["Condiments & Sauces", "Condiments & Sauces"])
  }
}
