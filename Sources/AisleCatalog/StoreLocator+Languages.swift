public import AisleFiles

extension StoreLocator {
  /// The same stores, read in languages, the one that counts first before the others; `nil` for what a store's file says.
  ///
  /// - Parameter place: Where they are named, for messages.
  /// - Throws: `FileError` for one that is not there, or is named twice.
  public func speaking(_ languages: [String]?, namedBy place: String? = nil) throws(FileError) -> StoreLocator {
    guard let languages else { return self }
    var locator = self
    var choice = LanguageChoice(ids: languages)
    if case .folder(let folder) = source {
      choice.folders = folder.languages.folders
      locator = StoreLocator(source: .folder(folder.speaking(choice)))
      locator.report = report
    }
    if let fault = choice.faults(in: languages).first {
      throw FileError(path: place ?? choice.folders.first ?? "compiled in", reason: fault.reason)
    }
    return locator
  }

  /// The languages that there are, and where.
  public var languages: LanguageChoice {
    guard case .folder(let folder) = source else { return LanguageChoice() }
    return folder.languages
  }
}
