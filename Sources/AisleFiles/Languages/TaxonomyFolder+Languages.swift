import AisleCore

extension TaxonomyFolder {
  /// The same folder, read in other languages.
  public func speaking(_ languages: LanguageChoice) -> TaxonomyFolder {
    var folder = self
    folder.languages = languages
    return folder
  }

  /// The ids of the languages that a store is read in, the one that counts first before the others, and English among them; empty for
  /// English alone. One that is not there is left out.
  public func languages(of store: String) -> [String] {
    LanguageChoice.complete(writtenLanguages(of: store).map(\.value).filter(languages.known.contains))
  }

  /// The files of the languages that a store is read in; none for English alone, as it is built in.
  func languageFiles(of store: String) -> [LanguageFiles] {
    let written = writtenLanguages(of: store)
    let faults = written.isEmpty ? [] : languages.faults(in: written.map(\.value))
    let ids = languages(of: store)
    var files = LanguageChoice.read(ids).map { id in
      guard let folder = languages.folder(of: id) else { return LanguageFiles.english }
      return LanguageFiles(
        id, in: TaxonomyFolder(path: String(folder.dropLast("/languages/".count + id.count)), changes: changes))
    }
    if ids.isEmpty, files[0].isBuiltIn { files = [] }
    if faults.isEmpty { return files }
    let findings = faults.map { Finding(written[$0.place].location, $0.reason) }
    return (files.isEmpty ? [.english] : files) + [LanguageFiles(findings: findings)]
  }

  /// The languages that somebody named, or that the store's file says.
  private func writtenLanguages(of store: String) -> [Located<String>] {
    languages.ids.map { $0.map { Located(value: $0, location: SourceLocation(path: languages.folders.first ?? path)) } }
      ?? languagesInFile(of: store, from: 0, depth: 0)
  }

  /// What a store's file says of its language, or that of the store it extends.
  private func languagesInFile(of store: String, from first: Int, depth: Int) -> [Located<String>] {
    let layers = [self] + below
    guard depth < 16, let layer = (first..<max(layers.count, first)).first(where: { layers[$0].stores.contains(store) }),
      let bytes = try? layers[layer].storeFile(store)
    else { return [] }
    // Nearly no store says it: looking for the words takes a hundredth of reading the file.
    guard Self.mentions("language:", bytes) || Self.mentions("extends", bytes) else { return [] }
    var parser = StoreFileParser(path: "\(layers[layer].path)/\(store).yaml")
    guard let file = parser.parse(bytes) else { return [] }
    if !file.languages.isEmpty { return file.languages }
    guard let base = file.extends?.value else { return [] }
    return languagesInFile(of: base, from: base == store ? layer + 1 : first, depth: depth + 1)
  }

  /// Whether a word stands in a text, found byte by byte: `String.contains` would start up Foundation.
  private static func mentions(_ word: String, _ bytes: [UInt8]) -> Bool {
    let word = Array(word.utf8)
    return bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }
}
