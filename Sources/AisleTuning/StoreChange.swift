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
      let place = KeywordReport.place(other, in: taxonomy)
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
    var taken: [(number: Int, entry: KeywordFile.Entry, path: String)] = []
  }

  private var lots: [KeywordFilePlace: Lot] = [:]
  private var order: [KeywordFilePlace] = []
  private var locations: [Int: SourceLocation] = [:]
  private var entries: [KeywordOwner: [Line]] = [:]

  /// A keyword of a shelf or section.
  private struct Line {
    let entry: KeywordFile.Entry
    let normalized: String
    /// The file that it stands in.
    let path: String
    /// The number of its language: that which counts first has 1, or 0 where there is only English.
    let language: UInt16
  }

  init(taxonomy: Taxonomy, folder: TaxonomyFolder, isDraft: Bool) {
    (self.taxonomy, self.folder, self.isDraft) = (taxonomy, folder, isDraft)
  }

  mutating func remove(_ edit: KeywordEdit, _ number: Int) throws {
    let owner = try self.owner(edit.place)
    let wanted = Normalizer.normalize(edit.text)
    let known = keywords(of: owner)
    let all = known.filter { $0.normalized == wanted && !isRemoved($0, owner) }
    // Several languages may have it; the one that counts first decides.
    let first = all.map(\.language).min()
    let found = all.filter { $0.language == first }
    guard let match = found.first(where: { $0.entry.written == edit.written }) ?? (edit.strength == nil ? found.first : nil)
    else {
      if let other = found.first {
        throw TuningError(
          "`\(edit.text)` is on \(edit.place) as `\(other.entry.written)`, line \(other.entry.line); write it like that")
      }
      throw TuningError("no keyword `\(edit.text)` on \(edit.place)\(elsewhere(edit.text, known.map(\.normalized)))")
    }
    let place = KeywordFilePlace(owner, of: match.path, in: folder)
    if match.path == path(of: place) {
      lot(place) { $0.removed.append((match.entry, match.normalized, false)) }
      locations[number] = SourceLocation(path: match.path, line: match.entry.line)
    } else {
      lot(KeywordFilePlace(owner: owner)) { $0.taken.append((number, match.entry, match.path)) }
    }
  }

  mutating func add(_ edit: KeywordEdit, _ number: Int) throws {
    let owner = try self.owner(edit.place)
    let place = KeywordFilePlace(newOn: owner, in: taxonomy, folder)
    let wanted = Normalizer.normalize(edit.text)
    let there = keywords(of: owner).first {
      $0.normalized == wanted && !isRemoved($0, owner)
        && (place.language == nil || $0.language == 1 || $0.entry.written == edit.written)
    }
    if let there {
      let remedy =
        there.entry.written == edit.written ? "" : "; to change its strength, remove it too: '-\(edit.place): \(edit.text)'"
      throw TuningError(
        "`\(there.entry.written)` is already on \(edit.place), \(there.path):\(there.entry.line)\(remedy)")
    }
    if let twice = lots[place]?.added.first(where: { Normalizer.normalize($0.edit.text) == wanted }) {
      throw TuningError("`\(twice.edit)` and `\(edit)` add the same keyword; keep one")
    }
    lot(place) { $0.added.append((number, edit)) }
  }

  /// Writes the files anew, in memory.
  mutating func finish() throws -> (files: [(path: String, bytes: [UInt8])], locations: [Int: SourceLocation]) {
    var contents: [String: [UInt8]] = [:]
    var paths: [String] = []
    // Sections from the top down: what is changed below moves no line above.
    for place in inOrder() {
      guard var lot = lots[place] else { continue }
      let path = path(of: place)
      let isNew =
        (folder.isLayered || place.language != nil) && contents[path] == nil && folder.changes[path] == nil
        && FileReader.resolved(path) == nil
      let before = try isNew ? [] : contents[path] ?? folder.readInside(path)
      var name: String?
      if case .section(let id) = place.owner { name = taxonomy[id].name }
      var file = KeywordFile(path: path, bytes: before, section: name, among: taxonomy.sections.map(\.name))
      for removed in lot.removed { file.remove(removed.entry) }
      var numbers: [Int] = []
      for (number, edit) in lot.added {
        let wanted = Normalizer.normalize(edit.text)
        let place = lot.removed.firstIndex { $0.normalized == wanted && !$0.isTaken }
        if let place { lot.removed[place].isTaken = true }
        var replaced = place.map { lot.removed[$0].entry }
        if replaced == nil, folder.isLayered, let removal = file.removal(of: wanted) {
          file.remove(removal)
          if let below = below(edit, without: removal, in: path, before) {
            locations[number] = below
            continue
          }
          replaced = removal
        }
        file.add(edit.written, inPlaceOf: replaced)
        numbers.append(number)
      }
      for (number, entry, source) in lot.taken {
        // What is added again takes the place of what is below.
        if lot.added.contains(where: {
          Normalizer.normalize($0.edit.text) == Normalizer.normalize(KeywordFile.text(entry.written))
        }) {
          locations[number] = SourceLocation(path: source, line: entry.line)
          continue
        }
        file.add("-" + KeywordFile.text(entry.written))
        numbers.append(number)
      }
      let (bytes, lines) = try file.edited(keywords(of: place.owner).filter { $0.path == path }.map(\.entry), isDraft: isDraft)
      for (number, line) in zip(numbers, lines) {
        locations[number] = SourceLocation(path: path, line: line)
      }
      if contents.updateValue(bytes, forKey: path) == nil { paths.append(path) }
    }
    return (paths.map { ($0, contents[$0] ?? []) }, locations)
  }

  /// Where a keyword stands below, written the same, once a line of a shelf's file no longer takes it away.
  private func below(_ edit: KeywordEdit, without line: KeywordFile.Entry, in path: String, _ bytes: [UInt8]) -> SourceLocation? {
    var file = KeywordFile(path: path, bytes: bytes, section: nil)
    file.remove(line)
    guard let changed = try? file.edited([]).bytes,
      let store = try? folder.changing([path: changed]).load(taxonomy.store).taxonomy
    else { return nil }
    return store.keywords.first { keyword in
      keyword.text == edit.text && keyword.strength == edit.strength && keyword.shelf.map { store[$0].name } == edit.place
    }?.location
  }

  private func inOrder() -> [KeywordFilePlace] {
    func rank(_ place: KeywordFilePlace) -> Int {
      switch place.owner {
      case .shelf: -1
      case .section(let id): Int(id.rawValue)
      }
    }
    return order.sorted { rank($0) < rank($1) }
  }

  private mutating func lot(_ place: KeywordFilePlace, _ change: (inout Lot) -> Void) {
    if lots[place] == nil { order.append(place) }
    change(&lots[place, default: Lot()])
  }

  private func isRemoved(_ line: Line, _ owner: KeywordOwner) -> Bool {
    let own = lots[KeywordFilePlace(owner, of: line.path, in: folder)]?.removed.contains { $0.entry == line.entry } ?? false
    return own || lots[KeywordFilePlace(owner: owner)]?.taken.contains { $0.entry == line.entry } ?? false
  }

  private func owner(_ place: String) throws -> KeywordOwner {
    if let owner = KeywordOwner(named: place, in: taxonomy) { return owner }
    let known = taxonomy.shelves.map(\.name) + taxonomy.sections.map(\.name)
    let hint = DidYouMean.hint(place, among: known)
    throw TuningError(
      "no shelf or section `\(place)` in \(taxonomy.store)\(hint.isEmpty ? "; `aisle stores show` lists them" : hint)")
  }

  private func path(of place: KeywordFilePlace) -> String {
    switch place.owner {
    case .shelf(let id): "\(folder.path)/\(place.language.map { "languages/\($0)/" } ?? "")shelves/\(taxonomy[id].name).txt"
    case .section: "\(folder.path)/\(taxonomy.store).yaml"
    }
  }

  /// The keywords that a shelf or section has, in the order of the file.
  private mutating func keywords(of owner: KeywordOwner) -> [Line] {
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
        normalized: Normalizer.normalize(keyword.text), path: keyword.location.path,
        language: taxonomy.keywords.entries[number].language)
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
      "; it is on \(KeywordReport.place(other, in: taxonomy)), \(other.location.path):\(other.location.line)"
  }
}
