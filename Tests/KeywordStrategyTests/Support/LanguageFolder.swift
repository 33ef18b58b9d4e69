import AisleCore
import AisleFiles
import Foundation
import KeywordStrategy
import Synchronization

/// Kroger in the languages of the project, each read once.
enum LanguageFolder {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let path = root.appending(path: "taxonomies").path
  private static let opened = Mutex<[String: (taxonomy: Taxonomy, strategy: KeywordStrategy)]>([:])

  /// The store, and what decides its items.
  ///
  /// - Parameter languages: Their ids, separated by commas; `nil` where nothing is asked for.
  static func open(_ languages: String?) throws -> (taxonomy: Taxonomy, strategy: KeywordStrategy) {
    let key = languages ?? ""
    // Who asks while one is being read waits for it.
    return try opened.withLock { opened in
      if let known = opened[key] { return known }
      let ids = languages.map { $0.split(separator: ",").map(String.init) }
      let folder = TaxonomyFolder(path: path).speaking(LanguageChoice(ids: ids, folders: [path]))
      let (taxonomy, findings) = try folder.load("kroger")
      if let first = findings.first { throw first }
      let made = (taxonomy, KeywordStrategy(taxonomy))
      opened[key] = made
      return made
    }
  }

  /// The shelves or sections where items belong in a language, `-` for one that nothing decides.
  static func sections(_ items: [String], in language: String) throws -> [String] {
    let (taxonomy, strategy) = try open(language)
    return strategy.decisions(items, in: taxonomy).map { $0.map { taxonomy[$0.section].name } ?? "-" }
  }

  /// The items of the project's corpus, in English or in another language.
  static func corpus(_ language: String? = nil) throws -> [String] {
    let folder = root.appending(path: language == nil ? "corpus" : "corpus/languages")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.filter { $0.hasSuffix(".tsv") && (language == nil || $0 == "\(language ?? "").tsv") }.flatMap { name in
      try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: "\t").first.map(String.init) }
    }
  }
}
