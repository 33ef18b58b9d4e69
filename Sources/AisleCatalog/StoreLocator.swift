public import AisleCore
public import AisleFiles
import AisleKit
public import KeywordStrategy

/// Finds stores: in the named folder, the nearest `taxonomies` folder here or above, the user's, the installed share folder, or the tool
/// itself. A folder whose stores all extend others lies on those that come after it in this order, down to the first that is complete.
public struct StoreLocator: Sendable {
  /// Where stores come from.
  public enum Source: Sendable {
    /// A folder of files.
    case folder(TaxonomyFolder)
    /// The tool itself.
    case builtIn
  }

  /// Where stores come from.
  public let source: Source
  /// Whether the topmost folder was installed with the tool, so that the next installation replaces its files.
  public private(set) var isInstalled = false
  /// Receives a one-line message about a damaged cached store.
  public var report: @Sendable (String) -> Void = { _ in }

  /// Uses a source.
  public init(source: Source) { self.source = source }

  /// Looks for stores in the folder named by `--taxonomies`, `AISLE_TAXONOMIES`, or the configuration; then in the nearest `taxonomies`
  /// folder (see `UpwardSearch`), which must be the user's own (see `Ownership`); then in `taxonomies` of the user's own folder of settings;
  /// then below the prefix that the binary is installed in (`share/aisle/taxonomies`), from its `bin` or `libexec/aisle`; then in the
  /// tool itself.
  ///
  /// - Parameter settings: The user's own folder of settings, e.g. `~/.config/aisle`.
  /// - Throws: `FileError` if a named folder does not exist, or if the folder found may be another user's.
  public static func find(
    named folder: String?, environment: String?, configured: Configuration.Setting<String>? = nil,
    settings: String? = nil, binary: @autoclosure () -> String?
  ) throws(FileError) -> StoreLocator {
    var folders: [String] = []
    let variable = environment.flatMap { $0.isEmpty ? nil : $0 }
    if let named = folder ?? variable ?? configured?.value {
      guard FileReader.isFolder(named) else {
        let origin =
          folder != nil ? "--taxonomies" : variable != nil ? "AISLE_TAXONOMIES" : configured?.location.description ?? ""
        throw FileError(
          path: named, reason: "no such folder, named by \(origin); name the folder that holds the stores' YAML files")
      }
      folders.append(named)
    } else if let upward = try UpwardSearch.nearestOwn("taxonomies", option: "--taxonomies", where: isTaxonomies) {
      folders.append(upward)
    }
    if let own = settings.map({ $0 + "/taxonomies" }), isTaxonomies(own) { folders.append(own) }
    var share: String?
    if let binary = binary().flatMap({ FileReader.resolved($0) }) {
      share = [installedFolder(of: binary)].first(where: isTaxonomies)
      folders += [share].compactMap(\.self)
    }
    guard let top = folders.first else { return StoreLocator(source: .builtIn) }
    let below = folders.dropFirst().filter { FileReader.resolved($0) != FileReader.resolved(top) }
    let found = TaxonomyFolder(path: top, below: below.map { TaxonomyFolder(path: $0) }, compiled: compiled)
    var locator = StoreLocator(source: .folder(found.speaking(LanguageChoice(folders: folders))))
    locator.isInstalled = top == share
    return locator
  }

  /// The folder for changes: the topmost one. Over stores that came with the tool, which keep their files as they are, it is the nearest
  /// folder `taxonomies`, here or above; if there is none, one in the current folder, which need not exist yet.
  ///
  /// - Throws: `FileError` if the nearest folder may be another user's.
  public func folderForChanges() throws(FileError) -> TaxonomyFolder {
    var below: [TaxonomyFolder] = []
    if case .folder(let folder) = source {
      if !isInstalled { return folder }
      below = [folder]
    }
    let nearest = try UpwardSearch.nearestOwn("taxonomies", option: "--taxonomies", where: FileReader.isFolder)
    return TaxonomyFolder(path: nearest ?? "taxonomies", below: below, compiled: Self.compiled, isNew: true)
      .speaking(languages)
  }

  /// Where the stores are that were installed with a binary.
  static func installedFolder(of binary: String) -> String {
    let (home, helpers) = (parent(of: binary), "/libexec/aisle")
    return (home.hasSuffix(helpers) ? String(home.dropLast(helpers.count)) : parent(of: home)) + "/share/aisle/taxonomies"
  }

  /// The stores that are compiled in, for overlays to lie on.
  private static let compiled = CompiledStores(ids: Taxonomy.builtInStores, elsewhere: BuiltInStores.elsewhere) {
    Taxonomy.builtIn($0)
  }

  /// The ids of all stores.
  public var stores: [String] {
    switch source {
    case .folder(let folder): folder.allStores
    case .builtIn: Taxonomy.builtInStores
    }
  }

  /// The ids of the stores whose files `stores check` looks at where none is named: those of the topmost folder.
  public var ownStores: [String] {
    guard case .folder(let folder) = source, !folder.stores.isEmpty else { return stores }
    return folder.stores
  }

  /// What overlays change in a store; `nil` for a store that extends no other and on which no layer lies.
  public func changes(in store: String) -> OverlayChanges? {
    guard case .folder(let folder) = source, folder.isLayered(store), let loaded = try? folder.loadLayers(store) else {
      return nil
    }
    return loaded.changes == OverlayChanges() ? nil : loaded.changes
  }

  /// Files that look like stores but are not read as stores.
  public var misnamedFiles: [Finding] {
    switch source {
    case .folder(let folder): folder.misnamedFiles
    case .builtIn: []
    }
  }

  /// Where the stores come from, for messages.
  public var description: String {
    switch source {
    case .folder(let folder): folder.path
    case .builtIn: CompiledStores.name
    }
  }

  /// Whether a finding is on the topmost layer: what a layer overrides below is no mistake there.
  public func isOwn(_ finding: Finding) -> Bool {
    guard case .folder(let folder) = source, folder.isLayered else { return true }
    return folder.layer(of: finding.location.path) == 0
  }

  /// The id of a store however its letters are written: ids have only small ones.
  func meant(_ store: String) -> String {
    let small = store.lowercased()
    return small == store || !stores.contains(small) ? store : small
  }

  /// The default store, whose sections may be labels in a corpus.
  public static let standard = "kroger"

  /// The section names of all other stores, which are valid labels even if they mean nothing in `store`.
  public func labels(except store: String) -> Set<String> {
    stores.filter { $0 != store }.reduce(into: []) { $0.formUnion(sections(of: $1).map(\.name)) }
  }

  /// A store's sections, each with the names of its shelves; empty if the store does not exist or its file cannot be read.
  public func sections(of store: String) -> [(name: String, shelves: [String])] {
    switch source {
    case .folder(let folder): return folder.sections(of: store)
    case .builtIn:
      guard let taxonomy = Taxonomy.builtIn(store) else { return [] }
      return taxonomy.sections.enumerated().map { place, section in
        (section.name, taxonomy.shelves.filter { Int($0.section.rawValue) == place }.map(\.name))
      }
    }
  }

  /// A store's name, how many sections it has, and whether no errors were found so far; `nil` if the store does not exist or its file cannot
  /// be read.
  public func outline(of store: String) -> (name: String, sections: Int, isSound: Bool)? {
    switch source {
    case .folder(let folder): folder.outline(of: store)
    case .builtIn: Taxonomy.builtIn(store).map { ($0.name, $0.sections.count, true) }
    }
  }

  /// A store without errors, with its keyword strategy; from the cache if it has not changed since.
  ///
  /// - Throws: `FileError` for an unknown store or an unreadable folder, `BrokenStore` if its files have errors.
  public func open(
    _ store: String, mode: KeywordStrategy.Mode = .phrase, cache: StoreCache? = .standard
  ) throws -> (taxonomy: Taxonomy, keywords: KeywordStrategy) {
    let context = try context(store, mode: mode, cache: cache)
    return (context.taxonomy, context.keywords ?? KeywordStrategy(context.taxonomy, mode: mode))
  }

  /// A store without errors, with everything that strategies are made from; from the cache if it has not changed since.
  ///
  /// - Throws: `FileError` for an unknown store or an unreadable folder, `BrokenStore` if its files have errors.
  public func context(
    _ store: String, mode: KeywordStrategy.Mode = .phrase, cache: StoreCache? = .standard
  ) throws -> StrategyContext {
    let store = meant(store)
    if case .builtIn = source, mode == .phrase, let opened = BuiltInStores.all.open(store) {
      return StrategyContext(taxonomy: opened.taxonomy, keywords: opened.keywords)
    }
    let key = cache == nil || mode != .phrase ? nil : cacheKey(store)
    if let cache, let key, var cached = cached(key, in: cache) {
      cached.shelfModel = modelPath(in: cached.taxonomy.languages.first?.id)
      return cached
    }
    let (taxonomy, keywords, findings) = try loadIndexed(store, mode: mode)
    if let first = findings.first { throw broken(store, first, findings.count) }
    let conflicts = Self.findings(of: keywords, in: taxonomy, onlyAcrossSections: true)
    if let first = conflicts.first { throw broken(store, first, conflicts.count) }
    if let cache, let key, let index = keywords.image() { cache.save(taxonomy.image() + index, as: key) }
    var context = StrategyContext(taxonomy: taxonomy, keywords: keywords)
    context.shelfModel = modelPath(in: taxonomy.languages.first?.id)
    return context
  }

  /// The name of the file beside the stores that holds their trained model.
  public static let modelName = "shelves.model"

  /// The model trained for the stores in this folder, if any, or for a language other than English.
  ///
  /// - Parameter language: The language that counts first; `nil` for English.
  public func modelPath(in language: String?) -> String? {
    guard case .folder(let folder) = source else { return nil }
    if let language, language != Language.english {
      return folder.languages.folder(of: language).map { "\($0)/\(Self.modelName)" }.flatMap { FileReader.isFile($0) ? $0 : nil }
    }
    return ([folder] + folder.below).map { "\($0.path)/\(Self.modelName)" }.first(where: FileReader.isFile)
  }

  private func cacheKey(_ store: String) -> StoreCache.Key? {
    switch source {
    case .folder(let folder): StoreCache.key(store: store, in: folder)
    case .builtIn: nil  // Its index is compiled in.
    }
  }

  private func cached(_ key: StoreCache.Key, in cache: StoreCache) -> StrategyContext? {
    // Nearly half of it, and only unknown words need it.
    let slips = Taxonomy.blockCount + KeywordStrategy.slipBlock
    guard let file = cache.load(key, later: slips, report: report), file.blocks.count > slips,
      let taxonomy = Taxonomy(image: file.memory, blocks: Array(file.blocks[..<Taxonomy.blockCount]), isOwn: true),
      let keywords = KeywordStrategy(
        taxonomy, image: file.memory, blocks: Array(file.blocks[Taxonomy.blockCount...]),
        anew: { [report] in
          if file.isSound(slips) { return nil }
          let anew = KeywordStrategy(taxonomy)
          cache.replace(key, with: taxonomy.image() + (anew.image() ?? []), report: report)
          return anew
        })
    else { return nil }
    return StrategyContext(taxonomy: taxonomy, keywords: keywords)
  }

  /// A store with its keywords. One of a layer takes the place of one below that reads the same, `greek yoghurt` of `greek yogurt`.
  func loadIndexed(
    _ store: String, mode: KeywordStrategy.Mode
  ) throws(FileError) -> (taxonomy: Taxonomy, keywords: KeywordStrategy, findings: [Finding]) {
    let (taxonomy, findings) = try load(store)
    let keywords = KeywordStrategy(taxonomy, mode: mode)
    guard case .folder(let folder) = source, folder.isLayered else { return (taxonomy, keywords, findings) }
    var hidden: Set<SourceLocation> = []
    for pair in keywords.conflicts {
      let (first, second) = (taxonomy.keywords[pair.first].location, taxonomy.keywords[pair.second].location)
      let (one, other) = (folder.layer(of: first.path), folder.layer(of: second.path))
      if one != other { hidden.insert(StoreLocator.written(taxonomy.keywords[one < other ? pair.second : pair.first])) }
    }
    if hidden.isEmpty { return (taxonomy, keywords, findings) }
    let loaded = try folder.loadLayers(store, without: hidden)
    return (loaded.taxonomy, KeywordStrategy(loaded.taxonomy, mode: mode), loaded.findings)
  }

  /// Where a keyword is written, its sign included.
  private static func written(_ keyword: Keyword) -> SourceLocation {
    let place = keyword.location
    return SourceLocation(path: place.path, line: place.line, column: max(place.column - keyword.strength.sign.utf8.count, 1))
  }

  private func broken(_ store: String, _ first: Finding, _ count: Int) -> BrokenStore {
    let languages = languages
    let language = languages.known.first { id in
      languages.folder(of: id).map { first.location.path.hasPrefix($0 + "/") } ?? false
    }
    return BrokenStore(store: store, first: first, count: count, language: language)
  }

  private func load(_ store: String) throws(FileError) -> (taxonomy: Taxonomy, findings: [Finding]) {
    switch source {
    case .folder(let folder): return try folder.load(store)
    case .builtIn:
      if let taxonomy = Taxonomy.builtIn(store) { return (taxonomy, []) }
      if let place = Self.compiled.whereabouts(of: store) {
        throw FileError(path: CompiledStores.name, reason: "no store `\(store)`\(place)")
      }
      let hint = DidYouMean.hint(store, among: Taxonomy.builtInStores)
      throw FileError(
        path: CompiledStores.name,
        reason: "no store `\(store)`"
          + (hint.isEmpty
            ? "; use one of \(Taxonomy.builtInStores.joined(separator: ", ")), or name a folder with other stores with --taxonomies"
            : hint + " --taxonomies names a folder with other stores")
      )
    }
  }

  static func findings(of keywords: KeywordStrategy, in taxonomy: Taxonomy, onlyAcrossSections: Bool) -> [Finding] {
    keywords.conflicts.compactMap { pair in
      let entries = taxonomy.keywords.entries
      let isAcross = entries[Int(pair.first.rawValue)].section != entries[Int(pair.second.rawValue)].section
      if onlyAcrossSections && !isAcross { return nil }
      let (first, second) = (taxonomy.keywords[pair.first], taxonomy.keywords[pair.second])
      let spelled = first.text == second.text ? "" : " (as `\(first.text)`)"
      return Finding(
        second.location,
        "keyword `\(second.text)` already exists\(spelled) in \(taxonomy[first.section].name) at \(first.location); keep one")
    }
  }

  /// Whether a folder has shelves, or stores that extend others.
  private static func isTaxonomies(_ path: String) -> Bool {
    guard FileReader.isFolder(path) else { return false }
    let folder = TaxonomyFolder(path: path)
    return FileReader.isFolder(path + "/shelves") || folder.hasOverlays || folder.hasSharedFiles
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// A store whose files have errors.
public struct BrokenStore: Error, Sendable, CustomStringConvertible {
  /// The store's id.
  public let store: String
  /// The first error.
  public let first: Finding
  /// How many errors there are.
  public let count: Int

  /// The language whose files the first error is in: what shows all of them, since they are no store's.
  let language: String?

  /// The first error, and how to see the others.
  public var description: String {
    let check = language.map { "languages check \($0)" } ?? "stores check \(store)"
    return count == 1 ? "\(first)" : "\(first) (and \(count - 1) more; run `aisle \(check)`)"
  }
}
