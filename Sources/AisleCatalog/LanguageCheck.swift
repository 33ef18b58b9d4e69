public import AisleCore
public import AisleFiles
import KeywordStrategy

/// Reports every error in the files of a language.
public enum LanguageCheck {
  /// What a language has, and what is wrong with it.
  public struct Report: Sendable {
    /// Its grammar, as far as it could be read.
    public let language: Language
    /// How many keywords and other spellings it has.
    public let keywords, spellings: Int
    /// What is wrong in its files, by file and line.
    public let findings: [Finding]
  }

  /// Examines a language with the shelves of a store.
  ///
  /// - Throws: `FileError` for a language or a store that is not there.
  public static func report(_ id: String, on store: String, of locator: StoreLocator) throws(FileError) -> Report {
    let (taxonomy, keywords, found) = try locator.speaking([id]).inspect(store)
    let folder = locator.languages.folder(of: id)
    if id == Language.english {
      // The shelves of English are the store's, and checked with it.
      return Report(
        language: taxonomy.languages.first ?? .builtInEnglish, keywords: taxonomy.keywords.count,
        spellings: taxonomy.spellings.count,
        findings: found.filter { finding in folder.map { finding.location.path.hasPrefix($0 + "/") } ?? false })
    }
    guard let folder else {
      throw FileError(path: locator.description, reason: locator.languages.missing(id))
    }
    let strays = SpellingCheck.findings(on: keywords.straySpellings, in: taxonomy, beside: found)
    let findings = (found + strays).filter { $0.location.path.hasPrefix(folder + "/") }
    return Report(
      language: taxonomy.languages.first ?? Language(id: id),
      keywords: taxonomy.keywords.entries.elements.count { $0.language == 1 },
      spellings: taxonomy.spellings.count { $0.location.path.hasPrefix(folder + "/") },
      findings: Set(findings).sorted { ($0.location, $0.message) < ($1.location, $1.message) })
  }

  /// Keywords on different shelves that the language's endings, letters, or spellings make one.
  static func foldings(of keywords: KeywordStrategy, in taxonomy: Taxonomy) -> [Finding] {
    keywords.foldings.compactMap { pair in
      let (first, second) = (taxonomy.keywords[pair.first], taxonomy.keywords[pair.second])
      guard first.shelf != second.shelf, let shelf = first.shelf else { return nil }
      return Finding(
        second.location,
        "keyword `\(second.text)` is a form of `\(first.text)` on shelf \(taxonomy[shelf].name) (\(first.location)) by the endings, letters, "
          + "or spellings; keep one, or take the ending or spelling away that makes them one")
    }
  }
}
