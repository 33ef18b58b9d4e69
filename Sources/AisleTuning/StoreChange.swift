public import AisleCore
public import AisleFiles
public import KeywordStrategy

/// Changes to a store's keywords, applied to the contents of its files without writing them.
public struct StoreChange: Sendable {
  /// A change with the line of its keyword: in the changed file if it is added, otherwise in the current file.
  public struct Placed: Sendable, Hashable {
    /// The change.
    public let edit: KeywordEdit
    /// The location of the keyword.
    public let location: SourceLocation
  }

  /// The changes, in the order they were given.
  public let edits: [Placed]
  /// The files that change, with their new contents.
  public let files: [(path: String, bytes: [UInt8])]

  /// Applies changes.
  ///
  /// - Parameter isDraft: Whether added keywords go to the end, which is faster, for contents that will not be written.
  /// - Throws: `TuningError` for a shelf, section, or keyword that does not exist or already exists; `FileError` for a file that
  ///   cannot be read, or is written in a way that cannot be changed line by line.
  public init(_ edits: [KeywordEdit], to taxonomy: Taxonomy, in folder: TaxonomyFolder, isDraft: Bool = false) throws {
    var work = Work(taxonomy: taxonomy, folder: folder, isDraft: isDraft)
    // What is removed first gives up its line to what is added in its place.
    for (number, edit) in edits.enumerated() where edit.action == .remove { try work.remove(edit, number) }
    for (number, edit) in edits.enumerated() where edit.action == .add { try work.add(edit, number) }
    let (files, locations) = try work.finish()
    self.files = files
    self.edits = edits.enumerated().map { Placed(edit: $1, location: locations[$0] ?? SourceLocation(path: folder.path)) }
  }

  /// Applies one change; see the other initializer.
  public init(_ edit: KeywordEdit, to taxonomy: Taxonomy, in folder: TaxonomyFolder) throws {
    try self.init([edit], to: taxonomy, in: folder)
  }

  /// Checks that the added keywords can match and that none repeats an existing one.
  ///
  /// - Parameter keywords: The keyword strategy of the changed store, newly made.
  /// - Throws: `TuningError`, which names the keyword and the one that it repeats.
  public func check(_ keywords: KeywordStrategy, in taxonomy: Taxonomy) throws(TuningError) {
    let added = edits.filter { $0.edit.action == .add }
    func edit(_ id: KeywordID) -> Placed? {
      let location = taxonomy.keywords[id].location
      return added.first { $0.location.line == location.line && $0.location.path == location.path }
    }
    for id in keywords.unmatchable {
      guard let edit = edit(id) else { continue }
      throw TuningError(
        "`\(edit.edit.text)` would match nothing; a keyword needs a letter or digit, and no comma or parenthesis between its words"
      )
    }
    for pair in keywords.conflicts {
      let second = edit(pair.second)
      guard let edit = second ?? edit(pair.first) else { continue }
      let other = taxonomy.keywords[second == nil ? pair.second : pair.first]
      let place = other.shelf.map { taxonomy[$0].name } ?? taxonomy[other.section].name
      throw TuningError(
        "`\(edit.edit.text)` already exists as `\(other.strength.sign)\(other.text)` on \(place), \(other.location.path):\(other.location.line); "
          + "to move it, remove it there too: '-\(place): \(other.text)'")
    }
  }

  /// The changed folder.
  public func folder(_ folder: TaxonomyFolder) -> TaxonomyFolder {
    folder.changing(Dictionary(files.map { ($0.path, $0.bytes) }) { $1 })
  }
}

/// Changes being worked out, file by file: in the topmost folder, whose files add to those of the folders below and take lines away.
private struct Work {
  let taxonomy: Taxonomy
  let folder: TaxonomyFolder
  let isDraft: Bool

  /// What becomes of one owner's keywords.
  private struct Lot {
    var removed: [(entry: KeywordFile.Entry, normalized: String, isTaken: Bool)] = []
    var added: [(number: Int, edit: KeywordEdit)] = []
    /// Keywords of a file below, which a line with a hyphen takes away.
    var taken: [(number: Int, entry: KeywordFile.Entry)] = []
  }

  private var lots: [KeywordOwner: Lot] = [:]
  private var order: [KeywordOwner] = []
  private var locations: [Int: SourceLocation] = [:]
  private var entries: [KeywordOwner: [Line]] = [:]

  /// A keyword of a shelf or section.
  private struct Line {
    let entry: KeywordFile.Entry
    let normalized: String
    /// Whether it stands in the file that is changed; else it is below it.
    let isOwn: Bool
  }

  init(taxonomy: Taxonomy, folder: TaxonomyFolder, isDraft: Bool) {
    (self.taxonomy, self.folder, self.isDraft) = (taxonomy, folder, isDraft)
  }

  mutating func remove(_ edit: KeywordEdit, _ number: Int) throws {
    let owner = try self.owner(edit.place)
    let wanted = Normalizer.normalize(edit.text)
    let known = keywords(of: owner)
    let found = known.filter { $0.normalized == wanted && !isRemoved($0.entry, owner) }
    guard let match = found.first(where: { $0.entry.written == edit.written }) ?? (edit.strength == nil ? found.first : nil)
    else {
      if let other = found.first {
        throw TuningError(
          "`\(edit.text)` is on \(edit.place) as `\(other.entry.written)`, line \(other.entry.line); write it like that")
      }
      throw TuningError("no keyword `\(edit.text)` on \(edit.place)\(elsewhere(edit.text, known.map(\.normalized)))")
    }
    if match.isOwn {
      lot(owner) { $0.removed.append((match.entry, match.normalized, false)) }
      locations[number] = SourceLocation(path: path(of: owner), line: match.entry.line)
    } else {
      lot(owner) { $0.taken.append((number, match.entry)) }
    }
  }

  mutating func add(_ edit: KeywordEdit, _ number: Int) throws {
    let owner = try self.owner(edit.place)
    let wanted = Normalizer.normalize(edit.text)
    if let there = keywords(of: owner).first(where: { $0.normalized == wanted && !isRemoved($0.entry, owner) }) {
      let remedy =
        there.entry.written == edit.written ? "" : "; to change its strength, remove it too: '-\(edit.place): \(edit.text)'"
      throw TuningError(
        "`\(there.entry.written)` is already on \(edit.place), \(path(of: owner)):\(there.entry.line)\(remedy)")
    }
    if let twice = lots[owner]?.added.first(where: { Normalizer.normalize($0.edit.text) == wanted }) {
      throw TuningError("`\(twice.edit)` and `\(edit)` add the same keyword; keep one")
    }
    lot(owner) { $0.added.append((number, edit)) }
  }

  /// Writes the files anew, in memory.
  mutating func finish() throws -> (files: [(path: String, bytes: [UInt8])], locations: [Int: SourceLocation]) {
    var contents: [String: [UInt8]] = [:]
    var paths: [String] = []
    // Sections from the top down: what is changed below moves no line above.
    for owner in inOrder() {
      guard var lot = lots[owner] else { continue }
      let path = path(of: owner)
      let isNew = folder.isLayered && contents[path] == nil && folder.changes[path] == nil && FileReader.resolved(path) == nil
      let before = try isNew ? [] : contents[path] ?? folder.readInside(path)
      var name: String?
      if case .section(let id) = owner { name = taxonomy[id].name }
      var file = KeywordFile(path: path, bytes: before, section: name, among: taxonomy.sections.map(\.name))
      for removed in lot.removed { file.remove(removed.entry) }
      for (_, edit) in lot.added {
        let wanted = Normalizer.normalize(edit.text)
        let place = lot.removed.firstIndex { $0.normalized == wanted && !$0.isTaken }
        if let place { lot.removed[place].isTaken = true }
        file.add(edit.written, inPlaceOf: place.map { lot.removed[$0].entry })
      }
      for (_, entry) in lot.taken { file.add("-" + KeywordFile.text(entry.written)) }
      let (bytes, lines) = try file.edited(keywords(of: owner).filter(\.isOwn).map(\.entry), isDraft: isDraft)
      for (number, line) in zip(lot.added.map(\.number) + lot.taken.map(\.number), lines) {
        locations[number] = SourceLocation(path: path, line: line)
      }
      if contents.updateValue(bytes, forKey: path) == nil { paths.append(path) }
    }
    return (paths.map { ($0, contents[$0] ?? []) }, locations)
  }

  private func inOrder() -> [KeywordOwner] {
    func rank(_ owner: KeywordOwner) -> Int {
      switch owner {
      case .shelf: -1
      case .section(let id): Int(id.rawValue)
      }
    }
    return order.sorted { rank($0) < rank($1) }
  }

  private mutating func lot(_ owner: KeywordOwner, _ change: (inout Lot) -> Void) {
    if lots[owner] == nil { order.append(owner) }
    change(&lots[owner, default: Lot()])
  }

  private func isRemoved(_ entry: KeywordFile.Entry, _ owner: KeywordOwner) -> Bool {
    guard let lot = lots[owner] else { return false }
    return lot.removed.contains { $0.entry == entry } || lot.taken.contains { $0.entry == entry }
  }

  private func owner(_ place: String) throws -> KeywordOwner {
    if let owner = KeywordOwner(named: place, in: taxonomy) { return owner }
    let known = taxonomy.shelves.map(\.name) + taxonomy.sections.map(\.name)
    let hint = DidYouMean.hint(place, among: known)
    throw TuningError(
      "no shelf or section `\(place)` in \(taxonomy.store)\(hint.isEmpty ? "; `aisle stores show` lists them" : hint)")
  }

  private func path(of owner: KeywordOwner) -> String {
    switch owner {
    case .shelf(let id): "\(folder.path)/shelves/\(taxonomy[id].name).txt"
    case .section: "\(folder.path)/\(taxonomy.store).yaml"
    }
  }

  /// The keywords that a shelf or section has, in the order of the file.
  private mutating func keywords(of owner: KeywordOwner) -> [Line] {
    let path = path(of: owner)
    if let known = entries[owner] { return known }
    let found = taxonomy.keywords.entries.indices.filter { number in
      let entry = taxonomy.keywords.entries[number]
      return switch owner {
      case .shelf(let id): entry.shelf == id.rawValue
      case .section(let id): entry.shelfID == nil && UInt16(entry.section) == id.rawValue
      }
    }.map { number in
      let keyword = taxonomy.keywords[number]
      return Line(
        entry: KeywordFile.Entry(written: keyword.strength.sign + keyword.text, line: keyword.location.line),
        normalized: Normalizer.normalize(keyword.text), isOwn: keyword.location.path == path)
    }
    entries[owner] = found
    return found
  }

  /// Where a keyword stands that is not where it was looked for, or which one there was meant.
  private func elsewhere(_ text: String, _ known: [String]) -> String {
    let wanted = Normalizer.normalize(text)
    let other = taxonomy.keywords.lazy.first { Normalizer.normalize($0.text) == wanted }
    guard let other else { return DidYouMean.hint(wanted, among: known) }
    return
      "; it is on \(other.shelf.map { taxonomy[$0].name } ?? taxonomy[other.section].name), \(other.location.path):\(other.location.line)"
  }
}
