/// How a language names products, as its `grammar.txt` says: what its function words do, which end of a name is the head, how words change,
/// and whether they grow together.
public struct Language: Sendable, Hashable {
  /// What a word does in an item. The raw value is the name of the line in `grammar.txt`.
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// A quantity, unit, size, or package.
    case measure
    /// Counts or sizes pieces of a product, after a number.
    case counts
    /// What a cook does with a product.
    case prepares
    /// Adds another amount: and, or, plus.
    case adds
    /// What follows only accompanies: with.
    case joins
    /// What follows is what the product lies in or was made in: in.
    case `in`
    /// What follows is a purpose or a lack: for, without.
    case excludes
    /// What follows tells what kind it is, or what is in a package: of.
    case of
    /// Makes a flavor of the word beside it.
    case flavors
    /// Unsays the word before it: free.
    case unsaysBefore = "unsays-before"
    /// Unsays the word after it: no.
    case unsaysAfter = "unsays-after"
    /// A word without content.
    case filler
  }

  /// Letters that are written otherwise, or an ending that stands for another.
  public struct Exchange: Sendable, Hashable {
    /// What is written.
    public let written: String
    /// What it stands for; empty for an ending that is only cut.
    public let meant: String

    /// Describes an exchange.
    public init(written: String, meant: String) { (self.written, self.meant) = (written, meant) }
  }

  /// Its id, e.g. `de`: what `--language` takes.
  public let id: String
  /// What it calls itself.
  public internal(set) var name = ""
  /// Its name in English.
  public internal(set) var englishName = ""
  /// Whether the first product of a name is its head: `leche de avena`.
  public internal(set) var isHeadFirst = false
  /// Whether what stands before an apostrophe is a word of its own: `d'oliva`.
  public internal(set) var cutsAtApostrophes = false
  /// Letters that are also written otherwise, beyond dropping accents.
  public internal(set) var letters: [Exchange] = []
  /// The endings by which the forms of a word differ.
  public internal(set) var endings: [Exchange] = []
  /// Whether words grow together: `Apfelsaft`.
  public internal(set) var makesCompounds = false
  /// The letters between the parts of a compound.
  public internal(set) var links: [String] = []
  /// The function words.
  public internal(set) var words: [Role: [String]] = [:]

  /// A language without any rule of its own.
  public init(id: String) { self.id = id }

  /// The most letters of an ending, in bytes without accents.
  static let longestEnding = 8

  /// The id of the language that every store has.
  public static let english = "en"

  /// English, as `taxonomies/languages/en/grammar.txt` was when this was built.
  package static let builtInEnglish = PackageResources.english_txt.withUnsafeBufferPointer {
    LanguageReader(english, text: $0, path: "languages/en/grammar.txt").language
  }
}

extension ImageWriter {
  mutating func write(_ language: Language) {
    for text in [language.id, language.name, language.englishName] { write(text) }
    for flag in [language.isHeadFirst, language.cutsAtApostrophes, language.makesCompounds] { write(flag ? 1 : 0) }
    for list in [language.letters, language.endings] {
      write(list) {
        $0.write($1.written); $0.write($1.meant)
      }
    }
    write(language.links) { $0.write($1) }
    for role in Language.Role.allCases { write(language.words[role] ?? []) { $0.write($1) } }
  }
}

extension ImageReader {
  mutating func language() -> Language? {
    guard let id = text(), let name = text(), let englishName = text(), let isHeadFirst = number(), let cuts = number(),
      let makesCompounds = number()
    else { return nil }
    func exchanges(_ reader: inout ImageReader) -> [Language.Exchange]? {
      reader.list { reader in
        reader.text().flatMap { written in reader.text().map { Language.Exchange(written: written, meant: $0) } }
      }
    }
    guard let letters = exchanges(&self), let endings = exchanges(&self), let links = list({ $0.text() }),
      endings.allSatisfy({ $0.written.utf8.count <= Language.longestEnding })
    else { return nil }
    var language = Language(id: id)
    (language.name, language.englishName) = (name, englishName)
    (language.isHeadFirst, language.cutsAtApostrophes, language.makesCompounds) = (
      isHeadFirst == 1, cuts == 1, makesCompounds == 1
    )
    (language.letters, language.endings, language.links) = (letters, endings, links)
    for role in Language.Role.allCases {
      guard let words = list({ $0.text() }) else { return nil }
      language.words[role] = words
    }
    return language
  }
}
