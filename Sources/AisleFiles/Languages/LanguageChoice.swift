import AisleCore

/// The languages that stores are read in, and the folders that may have them.
public struct LanguageChoice: Sendable {
  /// Their ids, the one that counts first before the others; `nil` for what a store's file says, or else English alone.
  public var ids: [String]?
  /// The taxonomies folders whose `languages` are looked through, the first that has one before the others.
  public var folders: [String]
  /// Whether each list says by its words which language it is in; what else there is to read is in the store's own.
  public var isPerList = false

  /// What stands in place of an id for a language that each list says by itself.
  public static let auto = "auto"

  /// Describes a choice.
  public init(ids: [String]? = nil, folders: [String] = []) { (self.ids, self.folders) = (ids, folders) }

  /// The ids of the languages that are there, sorted; English, which is always there, among them.
  public var known: [String] {
    let found = folders.flatMap { folder in
      (FileReader.list("\(folder)/languages") ?? []).filter {
        Shelf.isValid(name: $0) && FileReader.isFolder("\(folder)/languages/\($0)")
      }
    }
    return Set(found + [Language.english]).sorted()
  }

  /// The folder of a language; `nil` for one that is not there.
  public func folder(of language: String) -> String? {
    folders.map { "\($0)/languages/\(language)" }.first { Shelf.isValid(name: language) && FileReader.isFolder($0) }
  }

  /// The languages as they count, English behind the others where it is not named; none for English alone.
  static func complete(_ ids: [String]) -> [String] {
    var kept: [String] = []
    for id in ids + [Language.english] where !kept.contains(id) { kept.append(id) }
    return kept.count == 1 ? [] : kept
  }

  /// Why a language is refused.
  package func missing(_ language: String, at place: String? = nil) -> FileError {
    let hint = DidYouMean.hint(language, among: known)
    let list = "; there are \(known.joined(separator: ", ")), and `aisle languages new` begins another"
    return FileError(
      path: place ?? folders.first ?? "compiled in", reason: "no language `\(language)`\(hint.isEmpty ? list : hint)")
  }
}
