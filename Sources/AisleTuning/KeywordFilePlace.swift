import AisleCore
import AisleFiles

/// A file in which keywords of a shelf or section stand: that of a store or shelf, or of a language's shelf.
struct KeywordFilePlace: Hashable {
  let owner: KeywordOwner
  /// The id of the language whose shelf it is; `nil` for English, whose shelves are the folder's own, and for a section.
  var language: String?

  init(owner: KeywordOwner) { self.owner = owner }

  /// The file with a path.
  init(_ owner: KeywordOwner, of path: String, in folder: TaxonomyFolder) {
    self.owner = owner
    let start = folder.path + "/languages/"
    guard case .shelf = owner, path.hasPrefix(start) else { return }
    language = path.dropFirst(start.count).split(separator: "/").first.map(String.init)
  }

  /// The file that new keywords go to: on a shelf, they are in the language that counts first, where the folder has that.
  init(newOn owner: KeywordOwner, in taxonomy: Taxonomy, _ folder: TaxonomyFolder) {
    self.owner = owner
    guard case .shelf = owner, let first = taxonomy.languages.first?.id, first != Language.english,
      FileReader.isFolder("\(folder.path)/languages/\(first)")
    else { return }
    language = first
  }
}
