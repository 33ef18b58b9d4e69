public import AisleCore

/// A folder with stores (`NAME.yaml`), shelves (`shelves/NAME.txt`), patterns (`patterns/NAME.yaml`), `moves.txt`, `spellings.txt`,
/// and `weights.txt`.
public struct TaxonomyFolder: Sendable {
  /// The folder's path as found; locations in findings begin with it.
  public let path: String
  /// Contents to read instead of those on disk, by path: the folder as if they had been written.
  public let changes: [String: [UInt8]]
  /// The folders that it is layered on, the nearest first; none below one that is complete.
  public let below: [TaxonomyFolder]
  /// What is below all of these, where none is complete.
  public let compiled: CompiledStores?
  /// Whether it is for the first changes to what is below, and so lies on that with nothing in it.
  private let isNew: Bool
  /// The languages that its stores are read in.
  public internal(set) var languages: LanguageChoice

  /// Refers to a folder.
  ///
  /// - Parameters:
  ///   - changes: Contents to read instead of those of some files; their paths begin with `path`.
  ///   - below: The folders whose stores it may extend, the next first; they count down to the first that is complete.
  ///   - compiled: What is below all of these.
  ///   - isNew: Whether it is for the first changes to what is below: it may be empty, or not there yet.
  public init(
    path: String, changes: [String: [UInt8]] = [:], below: [TaxonomyFolder] = [], compiled: CompiledStores? = nil,
    isNew: Bool = false
  ) {
    (self.path, self.changes, self.isNew) = (path, changes, isNew)
    languages = LanguageChoice(folders: [path] + below.map(\.path))
    guard !below.isEmpty || compiled != nil, isNew || !Self.isComplete(path, changes) else {
      (self.below, self.compiled) = ([], nil)
      return
    }
    let end = below.firstIndex(where: \.isComplete)
    self.below = end.map { Array(below[...$0]) } ?? below
    self.compiled = end == nil ? compiled : nil
  }

  /// The same folder, as if files had been written.
  public func changing(_ changes: [String: [UInt8]]) -> TaxonomyFolder {
    TaxonomyFolder(path: path, changes: self.changes.merging(changes) { $1 }, below: below, compiled: compiled, isNew: isNew)
      .speaking(languages)
  }

  /// Whether one of its stores extends no other, or nothing is in it: then it stands by itself, and lies on nothing.
  package var isComplete: Bool { Self.isComplete(path, changes) }

  private static func isComplete(_ path: String, _ changes: [String: [UInt8]]) -> Bool {
    let stores = stores(in: path)
    // One with nothing in it was named by mistake.
    if stores.isEmpty { return !TaxonomyFolder(path: path).hasSharedFiles }
    return stores.contains { store in
      let file = "\(path)/\(store).yaml"
      return (changes[file] ?? (try? FileReader.read(file))).map(isComplete) ?? false
    }
  }

  /// Whether one of its stores extends another.
  package var hasOverlays: Bool {
    stores.contains { store in (try? FileReader.read("\(path)/\(store).yaml")).map { !Self.isComplete($0) } ?? false }
  }

  /// Whether a store's file has no line that says which store it extends.
  private static func isComplete(_ bytes: [UInt8]) -> Bool {
    // Nearly all are: looking for the word takes a hundredth of reading the file.
    let word = Array("extends".utf8)
    let hasWord = bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
    if !hasWord { return true }
    var parser = StoreFileParser(path: "")
    return parser.parse(bytes)?.extends == nil
  }

  /// The ids of all stores in it and below, sorted.
  public var allStores: [String] {
    Set(stores + below.flatMap(\.stores) + (compiled?.ids ?? [])).sorted()
  }

  /// The ids of the stores in it, sorted.
  public var stores: [String] { Self.stores(in: path) }

  private static func stores(in path: String) -> [String] {
    (FileReader.list(path) ?? []).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
      .filter(Shelf.isValid(name:)).sorted()
  }

  /// The names of the shelves in it, sorted, whether or not a store places them.
  public var shelves: [String] { shelfFiles.filter(Shelf.isValid(name:)) }

  /// The files that look like shelves but are none, for their names.
  package var misnamedShelves: [String] {
    shelfFiles.filter { !Shelf.isValid(name: $0) }.map { "\(path)/shelves/\($0).txt" }
  }

  /// The names of the files in the folder of the shelves, without `.txt`.
  private var shelfFiles: [String] {
    let there = (FileReader.list(path + "/shelves") ?? []).filter { $0.hasSuffix(".txt") && !$0.hasPrefix(".") }
    let start = path + "/shelves/"
    let new = changes.keys.filter { $0.hasPrefix(start) && $0.hasSuffix(".txt") }.map { String($0.dropFirst(start.count)) }
    return Set(there + new).map { String($0.dropLast(4)) }.sorted()
  }

  /// A store's sections, each with the names of its shelves; for a store that does not extend another, as listed in its file, without
  /// reading any shelf. Empty if it cannot be read.
  public func sections(of store: String) -> [(name: String, shelves: [String])] {
    var parser = StoreFileParser(path: store)
    let file = (try? storeFile(store)).flatMap { parser.parse($0) }
    if let file, file.extends == nil { return file.sections.map { ($0.name.value, $0.shelves.map(\.value)) } }
    guard let taxonomy = try? load(store).taxonomy else { return [] }
    return taxonomy.sections.enumerated().map { place, section in
      (section.name, taxonomy.shelves.filter { Int($0.section.rawValue) == place }.map(\.name))
    }
  }

  /// A store's name, how many sections it has, and whether no errors were found so far; `nil` if it cannot be read. For a store that does
  /// not extend another, only its own file is read.
  public func outline(of store: String) -> (name: String, sections: Int, isSound: Bool)? {
    var parser = StoreFileParser(path: store)
    let file = (try? storeFile(store)).flatMap { parser.parse($0) }
    if let file, file.extends == nil { return (file.name, file.sections.count, parser.findings.isEmpty) }
    return (try? load(store)).map { ($0.taxonomy.name, $0.taxonomy.sections.count, $0.findings.isEmpty) }
  }

  /// Files that look like stores but are not read because of their names.
  public var misnamedFiles: [Finding] {
    (FileReader.list(path) ?? []).filter { !$0.hasPrefix(".") && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }.compactMap {
      name in
      let stem = name.split(separator: ".").first.map(String.init) ?? ""
      if name.hasSuffix(".yaml"), Shelf.isValid(name: String(name.dropLast(5))) { return nil }
      let wanted = name.hasSuffix(".yml") && Shelf.isValid(name: stem) ? "\(stem).yaml" : "a-z, 0-9, and hyphens, then .yaml"
      return Finding(SourceLocation(path: "\(path)/\(name)"), "not read as a store because of its name; rename it: \(wanted)")
    }
  }

  /// Loads a store and reports everything wrong with it.
  ///
  /// The findings cover the format of the files and the placement of shelves; the keyword strategy finds conflicts between keywords.
  ///
  /// - Returns: The taxonomy as far as it could be built, and all findings in the files, by file and line.
  /// - Throws: `FileError` if the folder or the store's own file cannot be read.
  public func load(_ store: String) throws(FileError) -> (taxonomy: Taxonomy, findings: [Finding]) {
    if !isLayered(store) { return try loadComplete(store, languageFiles(of: store)) }
    let loaded = try loadLayers(store)
    return (loaded.taxonomy, loaded.findings)
  }

  /// Whether it lies on other folders, or on what is compiled in.
  public var isLayered: Bool { !below.isEmpty || compiled != nil }

  /// Whether a store is made of more than its own file and the shelves of this folder.
  package func isLayered(_ store: String) -> Bool {
    isLayered || !extendsNone(store)
  }

  /// Which layer a file is on, 0 the topmost; what is compiled in is below all.
  public func layer(of path: String) -> Int {
    let layers = [self] + below
    return layers.firstIndex { path.hasPrefix($0.path + "/") } ?? layers.count
  }

  /// Whether a store's file names no store that it extends.
  func extendsNone(_ store: String) -> Bool { (try? storeFile(store)).map(Self.isComplete) ?? true }

  /// Whether it has files that all stores above it share.
  package var hasSharedFiles: Bool {
    !shelves.isEmpty || !patternFiles.read.isEmpty
      || ["moves.txt", "spellings.txt", "words.txt", "weights.txt"].contains { FileReader.resolved("\(path)/\($0)") != nil }
  }

  /// Loads a store through all layers, and says what overlays changed.
  ///
  /// - Parameter places: Keywords to leave out, by where they stand.
  public func loadLayers(
    _ store: String, without places: Set<SourceLocation> = []
  ) throws(FileError) -> (taxonomy: Taxonomy, findings: [Finding], changes: OverlayChanges) {
    guard isNew || FileReader.isFolder(path) else {
      throw FileError(path: path, reason: "no such folder; name the folder that holds the stores' YAML files")
    }
    let languages = languageFiles(of: store)
    return try StoreStack(layers: [self] + below, compiled: compiled, languages: languages).load(store, without: places)
  }

  /// Loads a store that extends no other, in some languages.
  func loadComplete(
    _ store: String, _ languages: [LanguageFiles] = []
  ) throws(FileError) -> (taxonomy: Taxonomy, findings: [Finding]) {
    let bytes = try storeFile(store)
    var parser = StoreFileParser(path: "\(path)/\(store).yaml")
    let description = parser.parse(bytes)
    var assembly = Assembly(folder: self, store: store, findings: parser.findings, languages: languages)
    if let description { assembly.add(description) }
    return assembly.finish()
  }

  /// The bytes of a store's own file.
  ///
  /// - Throws: `FileError` when the folder or the file cannot be read.
  func storeFile(_ store: String) throws(FileError) -> [UInt8] {
    guard FileReader.isFolder(path) else {
      throw FileError(path: path, reason: "no such folder; name the folder that holds the stores' YAML files")
    }
    guard Shelf.isValid(name: store), FileReader.resolved("\(path)/\(store).yaml") != nil else {
      let known = stores
      let misnamed = misnamedFiles.first.map { "; \($0)" } ?? "; there are no stores in it"
      let list = known.isEmpty ? misnamed : "; it has \(known.joined(separator: ", "))"
      let hint = DidYouMean.hint(store, among: known)
      throw FileError(path: path, reason: "no store `\(store)`\(hint.isEmpty ? list : hint)")
    }
    return try readInside("\(path)/\(store).yaml")
  }

  /// The files of the patterns that all stores share, sorted; the others in their folder that look like ones.
  package var patternFiles: (read: [String], misnamed: [String]) {
    let names = (FileReader.list(path + "/patterns") ?? []).filter { !$0.hasPrefix(".") }
    func isRead(_ name: String) -> Bool { name.hasSuffix(".yaml") && Shelf.isValid(name: String(name.dropLast(5))) }
    let misnamed = names.filter { !isRead($0) && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }
    return (names.filter(isRead).map { "\(path)/patterns/\($0)" }, misnamed.map { "\(path)/patterns/\($0)" })
  }

  /// Reads a file that must not lead out of the folder by a link.
  package func readInside(_ file: String) throws(FileError) -> [UInt8] {
    if let changed = changes[file] { return changed }
    let target = FileReader.resolved(file)
    if target != nil || FileReader.isLink(file) {
      guard let folder = FileReader.resolved(path), let target, target.hasPrefix(folder + "/") else {
        throw FileError(path: file, reason: "is a link to outside the taxonomies folder; put the file itself there")
      }
    }
    return try FileReader.read(file)
  }
}
