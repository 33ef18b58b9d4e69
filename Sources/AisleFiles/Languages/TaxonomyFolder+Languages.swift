import AisleCore

extension TaxonomyFolder {
  /// The same folder, read in other languages.
  public func speaking(_ languages: LanguageChoice) -> TaxonomyFolder {
    var folder = self
    folder.languages = languages
    return folder
  }

  /// The ids of the languages that a store is read in, English among them; empty for English alone.
  ///
  /// - Throws: `FileError` for a language that is not there.
  public func languages(of store: String) throws(FileError) -> [String] {
    let written = languages.ids.map {
      $0.map { Located(value: $0, location: SourceLocation(path: languages.folders.first ?? path)) }
    }
    let ids = written ?? languagesInFile(of: store, from: 0, depth: 0)
    for id in ids where id.value != Language.english && languages.folder(of: id.value) == nil {
      throw languages.missing(id.value, at: id.location.description)
    }
    return LanguageChoice.complete(ids.map(\.value))
  }

  /// The files of the languages that a store is read in.
  func languageFiles(of store: String) throws(FileError) -> [LanguageFiles] {
    try languages(of: store).map { id in
      guard id != Language.english, let folder = languages.folder(of: id) else { return .english }
      return LanguageFiles(
        id, in: TaxonomyFolder(path: String(folder.dropLast("/languages/".count + id.count)), changes: changes))
    }
  }

  /// What a store's file says of its language, or that of the store it extends.
  private func languagesInFile(of store: String, from first: Int, depth: Int) -> [Located<String>] {
    let layers = [self] + below
    guard depth < 16, let layer = (first..<max(layers.count, first)).first(where: { layers[$0].stores.contains(store) }),
      let bytes = try? layers[layer].storeFile(store)
    else { return [] }
    // Nearly no store says it: looking for the words takes a hundredth of reading the file.
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("language:") || text.contains("extends") else { return [] }
    var parser = StoreFileParser(path: "\(layers[layer].path)/\(store).yaml")
    guard let file = parser.parse(bytes) else { return [] }
    if !file.languages.isEmpty { return file.languages }
    guard let base = file.extends?.value else { return [] }
    return languagesInFile(of: base, from: base == store ? layer + 1 : first, depth: depth + 1)
  }
}
