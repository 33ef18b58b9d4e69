public import AisleCore
public import AisleFiles
public import KeywordStrategy
import RegexStrategy

extension StoreLocator {
  /// A store and all findings in its files, including keyword conflicts and failed pattern examples.
  ///
  /// Of files that all languages share, a store in another language has the findings that it has in English: what a language's words
  /// say first is no mistake there.
  ///
  /// - Throws: `FileError` for an unknown store or an unreadable folder.
  public func inspect(_ store: String) throws(FileError) -> (taxonomy: Taxonomy, keywords: KeywordStrategy, findings: [Finding]) {
    let (taxonomy, keywords, found) = try examine(store)
    if taxonomy.languages.isEmpty { return (taxonomy, keywords, found) }
    let own = (found + LanguageCheck.foldings(of: keywords, in: taxonomy)).filter { isOfLanguage($0, store) }
    let shared = try speaking([Language.english]).examine(store).findings.filter { !isOfLanguage($0, store) }
    return (taxonomy, keywords, Set(own + shared).sorted { ($0.location, $0.message) < ($1.location, $1.message) })
  }

  /// Why spellings of a store have no effect; of a store in another language, only those in the files of its languages.
  ///
  /// - Parameter findings: Its other findings.
  public func straySpellings(of keywords: KeywordStrategy, in taxonomy: Taxonomy, beside findings: [Finding]) -> [Finding] {
    let found = SpellingCheck.findings(on: keywords.straySpellings, in: taxonomy, beside: findings).filter(isOwn)
    return taxonomy.languages.isEmpty ? found : found.filter { isOfLanguage($0, taxonomy.store) }
  }

  /// Why spellings that all languages share have no effect: as a store has them in English.
  ///
  /// - Throws: `FileError` for an unknown store or an unreadable folder.
  public func sharedStraySpellings(_ store: String) throws(FileError) -> [Finding] {
    let (taxonomy, keywords, findings) = try speaking([Language.english]).examine(store)
    return straySpellings(of: keywords, in: taxonomy, beside: findings)
  }

  /// Whether a finding is in the files of a language, or in the line of a store's file that names languages.
  private func isOfLanguage(_ finding: Finding, _ store: String) -> Bool {
    let path = finding.location.path
    if languages.folders.contains(where: { path.hasPrefix("\($0)/languages/") }) { return true }
    return path.hasSuffix("/\(store).yaml")
  }

  private func examine(_ store: String) throws(FileError) -> (taxonomy: Taxonomy, keywords: KeywordStrategy, findings: [Finding])
  {
    let (taxonomy, keywords, findings) = try loadIndexed(meant(store), mode: .phrase)
    let conflicts = StoreLocator.findings(of: keywords, in: taxonomy, onlyAcrossSections: false)
    let unmatchable = keywords.unmatchable.map { taxonomy.keywords[$0] }.map {
      Finding(
        $0.location,
        "keyword `\($0.text)` matches nothing; a keyword needs a letter or digit, and no comma or parenthesis between its words")
    }
    let all =
      findings + conflicts + unmatchable + (PatternCheck.findings(in: taxonomy) + MoveCheck.findings(in: taxonomy)).filter(isOwn)
    return (taxonomy, keywords, all.sorted { $0.location < $1.location })
  }
}
