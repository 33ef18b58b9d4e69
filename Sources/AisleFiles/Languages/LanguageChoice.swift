import AisleCore

/// The languages that stores are read in, and the folders that may have them.
public struct LanguageChoice: Sendable {
  /// Their ids, the one that counts first before the others; `nil` for what a store's file says, or else English alone.
  public var ids: [String]?
  /// The taxonomies folders whose `languages` are looked through, the first that has one before the others.
  public var folders: [String]
  /// Whether the language of each list is detected from its words; everything else is read in the store's own language.
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

  /// The languages whose files a store is read with: English's alone where `complete` names none.
  package static func read(_ complete: [String]) -> [String] { complete.isEmpty ? [Language.english] : complete }

  /// The most languages of a store.
  public static let most = 16

  /// Where languages are that are not at hand, and the stores whose lists are in them.
  package static let whereabouts =
    "are in the folder `taxonomies` of aisle's source, which tools/install installs; name that folder with --taxonomies"

  /// What is wrong with languages that somebody names, each with its place among them; empty where they are all there, and named once.
  package func faults(in ids: [String]) -> [(place: Int, reason: String)] {
    if ids.isEmpty { return [(0, "no language is named; name one, such as \(known.first { $0 != Language.english } ?? "en")")] }
    if ids.count > Self.most { return [(Self.most, "\(ids.count) languages are named; name at most \(Self.most)")] }
    return ids.enumerated().compactMap { place, id in
      if !known.contains(id) { return (place, missing(id)) }
      return ids[..<place].contains(id) ? (place, "language `\(id)` is named twice; name it once") : nil
    }
  }

  /// Why a language is refused that is not there.
  package func missing(_ language: String) -> String {
    let near = DidYouMean.hint(language, among: known)
    let hint =
      meant(by: language).map { "; did you mean `\($0)`?" }
      ?? (near.isEmpty ? "" : near + " `aisle languages new` begins another")
    let list =
      known == [Language.english]
      ? ": only English is built in; the files of other languages \(Self.whereabouts)"
      : "; there are \(known.joined(separator: ", ")), and `aisle languages new` begins another"
    return "no language `\(language)`\(hint.isEmpty ? list : hint)"
  }

  /// The language of a tag such as `de-AT`, or of a name such as `German` or `Deutsch`.
  private func meant(by text: String) -> String? {
    let wanted = text.lowercased()
    if let tag = wanted.split(whereSeparator: { "-_".contains($0) }).first, known.contains(String(tag)) { return String(tag) }
    return known.first { id in
      guard let folder = folder(of: id), let grammar = try? FileReader.read("\(folder)/grammar.txt") else { return false }
      return String(decoding: grammar, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
        ["name: ", "english: "].map { $0 + wanted }.contains($0.lowercased())
      }
    }
  }
}
