extension Taxonomy {
  /// Its name with the languages that it is read in, English behind them left out, for headings: `Kroger (de)`.
  public var title: String { named(name, " (", ")") }

  /// Its id with the languages that it is read in, English behind them left out: `kroger-de`, `kroger-de-fr`.
  public var storeWithLanguages: String { named(store, "-", "") }

  private func named(_ what: String, _ before: String, _ after: String) -> String {
    if languages.isEmpty { return what }
    var ids = languages.map(\.id)
    if ids.count > 1, ids.last == Language.english { ids.removeLast() }
    return what + before + ids.joined(separator: before.isEmpty || after.isEmpty ? "-" : ", ") + after
  }
}
