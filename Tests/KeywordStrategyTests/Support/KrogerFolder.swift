import AisleCore
import AisleFiles
import Foundation
import KeywordStrategy

/// The Kroger taxonomy as the files beside the sources have it, and the strategies made of it, read once.
enum KrogerFolder {
  static var taxonomy: Taxonomy { get throws { try loaded.get() } }
  static var phrase: KeywordStrategy { get throws { try phraseStrategy.get() } }
  static var substring: KeywordStrategy { get throws { try substringStrategy.get() } }

  private static let loaded = Result { try read() }
  private static let phraseStrategy = loaded.map { KeywordStrategy($0) }
  private static let substringStrategy = loaded.map { KeywordStrategy($0, mode: .substring) }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "taxonomies")

  private static func read() throws -> Taxonomy {
    let (taxonomy, findings) = try TaxonomyFolder(path: folder.path).load("kroger")
    if let first = findings.first { throw first }
    return taxonomy
  }
}
