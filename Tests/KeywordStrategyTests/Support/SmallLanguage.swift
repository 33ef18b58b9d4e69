import AisleCore
import KeywordStrategy

/// A store of a few keywords in a language, with the English ones behind them.
struct SmallLanguage: Sendable {
  let taxonomy: Taxonomy
  let strategy: KeywordStrategy

  /// Makes a store with a shelf of the same name in each section.
  ///
  /// - Parameters:
  ///   - grammar: Lines of `grammar.txt`, beside the name.
  ///   - own: The language's keywords by section.
  ///   - english: The English keywords of the same sections.
  init(
    _ grammar: String, _ own: KeyValuePairs<String, [String]>, english: [String: [String]] = [:], spellings: String = ""
  ) {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let text = "name: Small\n" + grammar
    let language = Self.read(text) { LanguageReader("xx", text: $0, path: "grammar.txt").language }
    builder.setLanguages([language, Language(id: Language.english)])
    for (name, keywords) in own {
      let section = builder.addSection(Section(name: name, color: .gray))
      Self.read((english[name] ?? []).joined(separator: "\n")) {
        builder.addShelf(name, text: $0, path: "\(name).txt", section: section)
      }
      Self.read(keywords.joined(separator: "\n")) { builder.addToLastShelf("xx", text: $0, path: "xx/\(name).txt") }
    }
    Self.read(spellings) { builder.addSpellings(text: $0, path: "spellings.txt") }
    taxonomy = builder.build()
    strategy = KeywordStrategy(taxonomy)
  }

  /// The section of an item; `nil` while undecided.
  func section(_ item: String) -> String? { strategy.decision(item, in: taxonomy).map { taxonomy[$0.section].name } }

  /// The keyword that decides an item, and the part of it where that stands.
  func evidence(_ item: String) -> (keyword: String, span: String)? {
    guard let evidence = strategy.decision(item, in: taxonomy)?.evidence, let keyword = evidence.keyword, let span = evidence.span
    else { return nil }
    let bytes = Array(item.utf8)
    guard span.upperBound <= bytes.count else { return nil }
    return (taxonomy.keywords[keyword].text, String(decoding: bytes[Int(span.lowerBound)..<Int(span.upperBound)], as: UTF8.self))
  }

  private static func read<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    Array(text.utf8).withUnsafeBufferPointer(body)
  }
}
