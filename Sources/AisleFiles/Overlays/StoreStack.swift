public import AisleCore

/// The stores that are compiled in, for overlays to lie on.
public struct CompiledStores: Sendable {
  /// Their ids, sorted.
  public let ids: [String]
  /// The ids of stores that come with aisle as files alone.
  public let elsewhere: [String]
  /// Opens one; `nil` for one that is not there.
  public let open: @Sendable (String) -> Taxonomy?

  /// What messages call them.
  package static let name = "built-in stores"

  /// Describes them.
  public init(ids: [String], elsewhere: [String] = [], open: @escaping @Sendable (String) -> Taxonomy?) {
    (self.ids, self.elsewhere, self.open) = (ids, elsewhere, open)
  }

  /// Where a store is that comes with aisle as a file alone; `nil` for any other.
  public func whereabouts(of store: String) -> String? {
    guard elsewhere.contains(store.lowercased()) else { return nil }
    return ": its lists are in another language, and only stores in English are built in; its files " + LanguageChoice.whereabouts
  }
}

/// Folders of overlays on top of each other, on a folder of complete stores or on those that are compiled in.
struct StoreStack {
  /// The topmost first; only the last may be complete.
  let layers: [TaxonomyFolder]
  /// What is below all of them where none is complete.
  let compiled: CompiledStores?
  /// The languages that stores are read in; none for English alone.
  let languages: [LanguageFiles]

  /// Loads a store and reports everything wrong with it.
  ///
  /// - Throws: `FileError` where there is no such store, or a folder or a store's own file cannot be read.
  /// - Parameter places: Keywords to leave out, by where they stand.
  func load(
    _ store: String, without places: Set<SourceLocation>
  ) throws(FileError) -> (taxonomy: Taxonomy, findings: [Finding], changes: OverlayChanges) {
    if let (taxonomy, findings) = try untouched(store) { return (taxonomy, findings, OverlayChanges()) }
    var parts = try parts(of: store, from: 0)
    parts.noteUnplacedShelves()
    let (taxonomy, findings) = parts.build(without: places)
    return (taxonomy, findings, parts.changes)
  }

  /// A store that no layer above its own changes; `nil` for another.
  private func untouched(_ store: String) throws(FileError) -> (taxonomy: Taxonomy, findings: [Finding])? {
    let own = layers.firstIndex { $0.stores.contains(store) } ?? layers.count
    if layers[..<own].contains(where: { !$0.isComplete && $0.hasSharedFiles }) { return nil }
    if own == layers.count { return nil }
    return layers[own].extendsNone(store) ? try layers[own].loadComplete(store, languages) : nil
  }

  /// A store as the layers from one on make it.
  ///
  /// - Parameters:
  ///   - extending: The stores that lead to it, each by its file without the ending.
  ///   - place: Where the last of these names it.
  private func parts(
    of store: String, from first: Int, extending: [String] = [], at place: SourceLocation? = nil
  ) throws(FileError) -> StoreParts {
    guard let layer = (first..<max(layers.count, first)).first(where: { layers[$0].stores.contains(store) }) else {
      guard let taxonomy = compiled?.open(store) else { throw noStore(store, first, extending, place) }
      return add(first..<layers.count, to: speaking(StoreParts(taxonomy, isCompiled: true)))
    }
    let folder = layers[layer]
    var parser = StoreFileParser(path: "\(folder.path)/\(store).yaml")
    let file = parser.parse(try folder.storeFile(store))
    guard let file, let base = file.extends else {
      let (taxonomy, findings) = try folder.loadComplete(store)
      var parts = speaking(StoreParts(taxonomy))
      parts.findings = findings
      return add(first..<layer, to: parts)
    }
    let isSame = base.value == store
    let name = "\(folder.path)/\(store)"
    if extending.contains(name) {
      throw FileError(
        path: base.location.description, reason: "extends itself by way of `\(base.value)`; extend a store that is complete")
    }
    var parts = try parts(of: base.value, from: isSame ? layer + 1 : first, extending: extending + [name], at: base.location)
    if isSame { parts = add(layer..<layer + 1, to: parts) }
    parts.findings += parser.findings
    if file.store.value != store, !file.store.value.isEmpty {
      let message = "store id `\(file.store.value)` differs from the file's name; write `store: \(store)`"
      parts.findings.append(Finding(file.store.location, message))
    }
    parts = StoreOverlay.apply(file, to: parts)
    return isSame ? add(first..<layer, to: parts) : parts
  }

  /// A store taken apart, which overlays change in its languages too.
  private func speaking(_ parts: StoreParts) -> StoreParts {
    var parts = parts
    (parts.languages, parts.folder) = (languages, layers.last?.path ?? "")
    return parts
  }

  private func noStore(_ store: String, _ first: Int, _ extending: [String], _ place: SourceLocation?) -> FileError {
    let extended = extending.compactMap { $0.split(separator: "/").last.map(String.init) }
    if let place, extended.contains(store) {
      return FileError(
        path: place.description,
        reason: "`\(store)` extends itself, and no store of that name is below it; name another, or remove `extends`")
    }
    let known = Set(layers.dropFirst(first).flatMap(\.stores) + (compiled?.ids ?? [])).subtracting(extended).sorted()
    let whereabouts = compiled?.whereabouts(of: store)
    let hint = DidYouMean.hint(store, among: known)
    let complete = layers.last.flatMap {
      $0.isComplete ? "; \($0.path) contains a complete store, so the folders below it are ignored" : nil
    }
    let list =
      (known.isEmpty ? "; there are no stores below it" : "; use one of \(known.joined(separator: ", "))") + (complete ?? "")
    let what = place?.description ?? layers.first?.path ?? CompiledStores.name
    let verb = extending.isEmpty ? "no store" : "extends an unknown store:"
    return FileError(path: what, reason: "\(verb) `\(store)`\(whereabouts ?? (hint.isEmpty ? list : hint))")
  }

  /// Adds what layers say of shelves and of what all stores share, the lowest first. A folder of complete stores says it only to them.
  private func add(_ range: Range<Int>, to parts: StoreParts) -> StoreParts {
    var parts = parts
    for layer in range.reversed() where !layers[layer].isComplete { LayerFiles(layers[layer]).add(to: &parts) }
    return parts
  }
}

/// The files of a layer that change what all stores share.
private struct LayerFiles {
  private let folder: TaxonomyFolder

  init(_ folder: TaxonomyFolder) { self.folder = folder }

  func add(to parts: inout StoreParts) {
    for shelf in folder.shelves { addShelf(shelf, to: &parts) }
    folder.noteMisnamedShelves(&parts.findings)
    if let text = text("moves.txt", &parts) { parts.moves.append(text) }
    if let text = text("spellings.txt", &parts) { parts.spellings.append(text) }
    if let text = text("words.txt", &parts) { parts.words.append(text) }
    if let text = text("weights.txt", &parts) { parts.weights.append(text) }
    let patterns = folder.sharedPatterns(noting: &parts.findings)
    parts.patterns += patterns
    parts.changes.patternsAdded += patterns.count
  }

  /// Adds a shelf's lines to those that are there, and takes away those that begin with a hyphen; a shelf that is not there is new, and
  /// stands in the fallback section until a store places it.
  private func addShelf(_ name: String, to parts: inout StoreParts) {
    guard let text = text("shelves/\(name).txt", &parts) else { return }
    let isNew = parts.shelves[name] == nil
    if isNew {
      parts.shelves[name] = []
      parts.newShelves[name] = text.path
      parts.changes.shelvesAdded += 1
      let fallback = parts.sections.firstIndex { $0.name == parts.fallback } ?? parts.sections.count - 1
      parts.sections[fallback].shelves.append(name)
    }
    var removals: [Located<String>] = []
    var additions: [Located<String>] = []
    text.bytes.withUnsafeBufferPointer { bytes in
      forEachLine(of: bytes) { line, column, written in
        let keyword = Located(
          value: String(decoding: written, as: UTF8.self), location: SourceLocation(path: text.path, line: line, column: column))
        if keyword.value.hasPrefix("-") { removals.append(keyword) } else { additions.append(keyword) }
      }
    }
    let added = removals.isEmpty ? [:] : Dictionary(additions.map { (StoreParts.bare($0.value), $0) }) { first, _ in first }
    for keyword in removals {
      let removed = String(keyword.value.dropFirst())
      if let again = added[StoreParts.bare(removed)] {
        parts.changes.idle.append(
          Finding(
            keyword.location,
            "`-\(removed)` has no effect, since line \(again.location.line) adds it again; remove one of the two"))
      }
      if !parts.remove(removed, from: name).isEmpty {
        parts.changes.keywordsRemoved += 1
      } else {
        let known = (parts.shelves[name] ?? []).map { $0.value.drop { "~!?".contains($0) } }.map(String.init)
        let hint = DidYouMean.hint(removed, among: known)
        parts.changes.idle.append(
          Finding(
            keyword.location,
            "`-\(removed)` removes nothing: shelf `\(name)` below has no keyword `\(removed)`"
              + (hint.isEmpty ? "; remove the line" : "\(hint) If not, remove the line")))
      }
    }
    for keyword in additions { parts.add(keyword, toShelf: name) }
  }

  private func text(_ name: String, _ parts: inout StoreParts) -> StoreParts.SharedText? {
    folder.sharedText(name, noting: &parts.findings)
  }
}
