import AisleCore

/// Puts a store's taxonomy together from its description and the shelf files.
struct Assembly {
  let folder: TaxonomyFolder
  let store: String
  var findings: [Finding]
  private var builder: TaxonomyBuilder
  private var sectionPlaces: [String: SectionID] = [:]
  private var shelfPlaces: [String: SourceLocation] = [:]
  /// The shelves that are placed, but could not be read.
  private var unread: Set<String> = []
  private lazy var sectionNames = DidYouMean.Candidates(sectionPlaces.keys.sorted())
  private lazy var shelfNames = DidYouMean.Candidates(folder.shelves)

  /// The languages that the store is read in; none for English alone.
  private let languages: [LanguageFiles]

  init(folder: TaxonomyFolder, store: String, findings: [Finding], languages: [LanguageFiles] = []) {
    self.folder = folder
    self.store = store
    self.findings = findings + languages.flatMap(\.findings)
    self.languages = languages
    builder = TaxonomyBuilder(store: store, name: store)
  }

  mutating func add(_ file: StoreFile) {
    builder = TaxonomyBuilder(store: store, name: file.name)
    builder.setLanguages(languages.map(\.language))
    if file.store.value != store, !file.store.value.isEmpty {
      report(file.store.location, "store id `\(file.store.value)` differs from the file's name; write `store: \(store)`")
    }
    if file.sections.isEmpty { report(file.store.location, "no sections; a store needs at least one") }
    let most = TaxonomyBuilder.maximumSections
    if file.sections.count > most { report(file.sections[most].name.location, "more than \(most) sections; merge some") }
    var kept: [(StoreFile.SectionEntry, SectionID)] = []
    for section in file.sections.prefix(most) {
      if sectionPlaces[section.name.value] != nil {
        report(section.name.location, "section `\(section.name.value)` appears twice; merge the two")
        continue
      }
      let id = builder.addSection(Section(name: section.name.value, color: section.color))
      sectionPlaces[section.name.value] = id
      kept.append((section, id))
    }
    let files = Set(folder.shelves)
    findings += languages.flatMap { $0.strayShelves(files, in: folder.path) }
    for (section, id) in kept { add(section, id, files) }
    for (section, id) in kept { for pattern in section.patterns { pattern.add(to: &builder, section: id) } }
    let forgotten = files.subtracting(shelfPlaces.keys)
    if !kept.isEmpty { builder.excuse(forgotten.union(unread)) }
    folder.noteMisnamedShelves(&findings)
    for pattern in folder.sharedPatterns(noting: &findings) { pattern.add(to: &builder, section: nil) }
    if kept.isEmpty { return }  // What follows would only repeat that no shelf has a place.
    for shelf in forgotten.sorted() { reportForgotten(shelf) }
    if let fallback = file.fallback.flatMap({ known($0) }) { builder.setFallback(fallback) }
    let order = file.matchOrder.compactMap { known($0) }
    for (place, name) in file.matchOrder.enumerated() where file.matchOrder[..<place].contains(where: { $0.value == name.value })
    {
      report(
        name.location, "section `\(name.value)` appears twice in `match_order`; only the first one counts, so remove the other")
    }
    if !file.matchOrder.isEmpty {
      for (section, id) in kept where !order.contains(id) {
        report(section.name.location, "section `\(section.name.value)` is missing from `match_order`; add it")
      }
      builder.setMatchOrder(order)
    }
    add(folder.sharedText("moves.txt", noting: &findings)) { $0.addMoves(text: $1, path: $2) }
    languages.addRules(to: &builder)
    add(folder.sharedText("spellings.txt", noting: &findings)) { $0.addSpellings(text: $1, path: $2) }
    add(folder.sharedText("words.txt", noting: &findings)) { $0.addWords(text: $1, path: $2) }
    add(folder.sharedText("weights.txt", noting: &findings)) { $0.setWeights(text: $1, path: $2) }
  }

  consuming func finish() -> (taxonomy: Taxonomy, findings: [Finding]) {
    let all = (findings + builder.findings).sorted { $0.location < $1.location }
    return (builder.build(), all)
  }

  private mutating func add(_ section: StoreFile.SectionEntry, _ id: SectionID, _ files: Set<String>) {
    for shelf in section.shelves {
      guard Shelf.isValid(name: shelf.value) else {
        report(shelf.location, "shelf name `\(shelf.value)` may have only a-z, 0-9, and hyphens")
        continue
      }
      guard files.contains(shelf.value) else {
        unread.insert(shelf.value)
        let hint = shelfNames.hint(shelf.value)
        report(shelf.location, "no file shelves/\(shelf.value).txt\(hint.isEmpty ? "; create it or remove the entry" : hint)")
        continue
      }
      if let first = shelfPlaces[shelf.value] {
        report(shelf.location, "shelf `\(shelf.value)` is placed twice, first on line \(first.line); keep one")
        continue
      }
      shelfPlaces[shelf.value] = shelf.location
      let text = folder.sharedText("shelves/\(shelf.value).txt", isRequired: true, noting: &findings)
      add(text) { $0.addShelf(shelf.value, text: $1, path: $2, section: id) }
      if text != nil { languages.add(shelf.value, to: &builder) } else { unread.insert(shelf.value) }
    }
    for keyword in section.keywords { builder.addKeyword(keyword.value, section: id, at: keyword.location) }
  }

  /// Reports a shelf that the store does not place; of a file that no store could use, what is wrong with it.
  private mutating func reportForgotten(_ shelf: String) {
    let path = "\(folder.path)/shelves/\(shelf).txt"
    do throws(FileError) {
      _ = try folder.readInside(path)
      report(
        SourceLocation(path: path),
        "shelf `\(shelf)` has no place in store `\(store)`; add it to a section's `shelves` in \(store).yaml")
    } catch {
      report(SourceLocation(path: error.path), error.reason)
    }
  }

  /// Adds a text file that is there.
  private mutating func add(
    _ text: StoreParts.SharedText?, _ add: (inout TaxonomyBuilder, UnsafeBufferPointer<UInt8>, String) -> Void
  ) {
    guard let text else { return }
    text.bytes.withUnsafeBufferPointer { add(&builder, $0, text.path) }
  }

  private mutating func known(_ section: Located<String>) -> SectionID? {
    if let id = sectionPlaces[section.value] { return id }
    report(section.location, "no section `\(section.value)`\(sectionNames.hint(section.value))")
    return nil
  }

  private mutating func report(_ location: SourceLocation, _ message: String) { findings.append(Finding(location, message)) }
}
