public import AisleCore

/// A store taken apart, for overlays to change.
struct StoreParts {
  /// A section with what is in it.
  struct Part {
    var name: String
    var color: SectionColor
    var shelves: [String]
    var keywords: [Located<String>]
    var patterns: [Pattern]
    /// Patterns of overlays.
    var addedPatterns: [PatternEntry] = []
  }

  /// A text file that adds to what all stores share.
  struct SharedText {
    let bytes: [UInt8]
    let path: String
  }

  var store: String
  var name: String
  var sections: [Part]
  var fallback: String
  /// The names of sections in the order in which substring mode tries them.
  var matchOrder: [String]
  /// The shelves' keywords with their signs, by the shelves' names.
  var shelves: [String: [Located<String>]]
  /// What is wrong in the files of overlays.
  var findings: [Finding] = []
  /// The files of overlays, the topmost last.
  var moves: [SharedText] = []
  var spellings: [SharedText] = []
  var words: [SharedText] = []
  var weights: [SharedText] = []
  var patterns: [PatternEntry] = []
  /// The languages that the store is read in; none for English alone.
  var languages: [LanguageFiles] = []
  /// The lowest folder, whose shelves its languages know.
  var folder = ""
  /// The keywords of the languages, by their bare form; made when the first is looked for.
  var spoken: [String: [(shelf: String, keyword: Located<String>)]]?
  /// Keywords of the languages that overlays take away or replace, and keywords of shelves that overlays add, by where they stand.
  var silenced: Set<SourceLocation> = []
  var onTop: Set<SourceLocation> = []
  /// The shelves that overlays add, by the paths of their files.
  var newShelves: [String: String] = [:]
  /// What overlays did.
  var changes = OverlayChanges()
  private let ground: Taxonomy
  private let isCompiled: Bool
  /// What stands for the sections' own keywords in `holders`.
  private static let ownKeywords = ""
  /// The shelves of each keyword, by its bare form; made when the first is looked for.
  private var holders: [String: Set<String>]?

  /// Where keywords stand that are compiled in, so that nobody looks for them in a folder of their own.
  static let builtIn = "built-in"

  /// Takes a store apart.
  ///
  /// - Parameter isCompiled: Whether its files are compiled in.
  /// - Complexity: O(keywords).
  init(_ taxonomy: Taxonomy, isCompiled: Bool = false) {
    ground = taxonomy
    self.isCompiled = isCompiled
    (store, name, fallback) = (taxonomy.store, taxonomy.name, taxonomy[taxonomy.fallback].name)
    matchOrder = taxonomy.matchOrder.map { taxonomy[$0].name }
    sections = taxonomy.sections.map { Part(name: $0.name, color: $0.color, shelves: [], keywords: [], patterns: []) }
    shelves = [:]
    for shelf in taxonomy.shelves {
      sections[Int(shelf.section.rawValue)].shelves.append(shelf.name)
      shelves[shelf.name] = []
    }
    for keyword in taxonomy.keywords {
      let (sign, place) = (keyword.strength.sign, keyword.location)
      let location = SourceLocation(
        path: self.place(place).path, line: place.line, column: max(place.column - sign.utf8.count, 1))
      let written = Located(value: sign + keyword.text, location: location)
      if let shelf = keyword.shelf {
        shelves[taxonomy[shelf].name, default: []].append(written)
      } else {
        sections[Int(keyword.section.rawValue)].keywords.append(written)
      }
    }
    for pattern in taxonomy.patterns where pattern.shelf == nil {
      sections[Int(pattern.section.rawValue)].patterns.append(pattern)
    }
  }

  /// Where something of the ground stands.
  private func place(_ location: SourceLocation) -> SourceLocation {
    if !isCompiled { return location }
    return SourceLocation(path: Self.builtIn + location.path.drop { $0 != "/" }, line: location.line, column: location.column)
  }

  /// The section that has a shelf.
  func section(of shelf: String) -> Int? { sections.firstIndex { $0.shelves.contains(shelf) } }

  /// Notes the new shelves that no section lists: often the name of a known one is meant.
  mutating func noteUnplacedShelves() {
    guard !newShelves.isEmpty, let fallback = sections.first(where: { $0.name == self.fallback }) else { return }
    let known = shelves.keys.filter { newShelves[$0] == nil }.sorted()
    for (name, path) in newShelves.sorted(by: { $0.key < $1.key }) where fallback.shelves.contains(name) {
      let remedy = DidYouMean.nearest(to: name, among: known).map { "rename the file if you meant `\($0)`, or list" } ?? "list"
      changes.unplaced.append(
        Finding(
          SourceLocation(path: path),
          "a new shelf in no section, so its items go to the fallback section; \(remedy) it in a section"))
    }
  }

  /// Takes a keyword away from a shelf, or from everywhere; gives what was there.
  ///
  /// - Parameter file: A shelf's file; what the other shelves' files of its folder add stays, as a conflict.
  mutating func remove(_ keyword: String, from shelf: String? = nil, besides file: String? = nil) -> [Located<String>] {
    let wanted = Self.bare(keyword)
    func isMeant(_ written: Located<String>) -> Bool {
      Self.bare(written.value) == wanted && !(file.map { Self.areBeside($0, written.location.path) } ?? false)
    }
    var removed: [Located<String>] = []
    for name in shelf.map({ [$0] }) ?? shelves(with: wanted) {
      removed += shelves[name]?.filter(isMeant) ?? []
      shelves[name]?.removeAll(where: isMeant)
    }
    if shelf == nil, holders?[wanted]?.contains(Self.ownKeywords) ?? (holders == nil) {
      for place in sections.indices {
        removed += sections[place].keywords.filter(isMeant)
        sections[place].keywords.removeAll(where: isMeant)
      }
    }
    if !languages.isEmpty { removed += silence(wanted, on: shelf) }
    return removed
  }

  /// Adds a keyword to a shelf, in the place of those that are the same below: what lies on top counts.
  mutating func add(_ keyword: Located<String>, toShelf shelf: String) {
    replace(keyword, isHere: shelves[shelf] ?? [])
    shelves[shelf, default: []].append(keyword)
    onTop.insert(keyword.location)
    holders?[Self.bare(keyword.value), default: []].insert(shelf)
  }

  /// Adds a keyword to a section of its own, likewise.
  mutating func add(_ keyword: Located<String>, toSection place: Int) {
    let here = sections[place]
    replace(
      keyword,
      isHere: here.keywords
        + here.shelves.flatMap { shelves(with: Self.bare(keyword.value)).contains($0) ? shelves[$0] ?? [] : [] })
    sections[place].keywords.append(keyword)
    holders?[Self.bare(keyword.value), default: []].insert(Self.ownKeywords)
  }

  private mutating func replace(_ keyword: Located<String>, isHere keywords: [Located<String>]) {
    changes.keywordsAdded += 1
    for old in remove(keyword.value, besides: keyword.location.path) {
      if old.location.path == keyword.location.path {
        findings.append(
          Finding(keyword.location, "keyword `\(keyword.value)` is in this file already, at \(old.location); keep one"))
      } else if old.value == keyword.value, keywords.contains(where: { $0.location == old.location }) {
        changes.idle.append(
          Finding(keyword.location, "keyword `\(keyword.value)` is there already, at \(old.location); remove the line"))
      }
    }
  }

  /// Whether two paths are of different shelves' files in one folder.
  private static func areBeside(_ one: String, _ other: String) -> Bool {
    guard one != other, let slash = one.lastIndex(of: "/"), one[..<slash].hasSuffix("/shelves") else { return false }
    return other.lastIndex(of: "/") == slash && other.hasPrefix(one[...slash])
  }

  /// The shelves that have a keyword, by its bare form.
  private mutating func shelves(with bare: String) -> [String] {
    var known = holders ?? [:]
    if holders == nil {
      for (name, keywords) in shelves { for keyword in keywords { known[Self.bare(keyword.value), default: []].insert(name) } }
      for keyword in sections.flatMap(\.keywords) { known[Self.bare(keyword.value), default: []].insert(Self.ownKeywords) }
      holders = known
    }
    return known[bare]?.filter { $0 != Self.ownKeywords }.sorted() ?? []
  }

  /// A keyword without its sign, as keywords are compared.
  static func bare(_ keyword: String) -> String {
    Normalizer.normalize("~!?".contains(keyword.first ?? " ") ? String(keyword.dropFirst()) : keyword)
  }

  /// Puts the store together again.
  ///
  /// - Parameter places: Keywords to leave out, by where they stand.
  func build(without places: Set<SourceLocation> = []) -> (taxonomy: Taxonomy, findings: [Finding]) {
    var builder = TaxonomyBuilder(store: store, name: name)
    builder.setLanguages(languages.map(\.language))
    var ids: [String: SectionID] = [:]
    for part in sections.prefix(TaxonomyBuilder.maximumSections) {
      ids[part.name] = builder.addSection(Section(name: part.name, color: part.color))
    }
    for part in sections {
      guard let section = ids[part.name] else { continue }
      for name in part.shelves {
        guard let shelf = builder.addShelf(name, section: section) else { continue }
        for keyword in shelves[name] ?? [] where !places.contains(keyword.location) {
          builder.addKeyword(keyword.value, shelf: shelf, at: keyword.location, isOwn: onTop.contains(keyword.location))
        }
        languages.add(name, to: &builder, except: silenced)
      }
      for keyword in part.keywords where !places.contains(keyword.location) {
        builder.addKeyword(keyword.value, section: section, at: keyword.location)
      }
    }
    // Of two that are as sure, the first wins.
    for part in sections {
      guard let section = ids[part.name] else { continue }
      for pattern in part.addedPatterns.reversed() { pattern.add(to: &builder, section: section) }
    }
    for pattern in patterns.reversed() { pattern.add(to: &builder, section: nil) }
    for part in sections {
      guard let section = ids[part.name] else { continue }
      for pattern in part.patterns { add(pattern, .section(section), to: &builder) }
    }
    for pattern in ground.patterns {
      if let shelf = pattern.shelf { add(pattern, .shelf(ground[shelf].name, pattern.location), to: &builder) }
    }
    if let section = ids[fallback] { builder.setFallback(section) }
    let order = matchOrder.compactMap { ids[$0] }
    if !order.isEmpty { builder.setMatchOrder(order) }
    // The first line that fits wins, so what lies on top comes first.
    for text in moves.reversed() { text.bytes.withUnsafeBufferPointer { builder.addMoves(text: $0, path: text.path) } }
    builder.addMoves(of: ground, at: place)
    languages.addRules(to: &builder)
    for text in spellings.reversed() { text.bytes.withUnsafeBufferPointer { builder.addSpellings(text: $0, path: text.path) } }
    for text in words { text.bytes.withUnsafeBufferPointer { builder.addWords(text: $0, path: text.path) } }
    builder.addRules(of: ground, at: place)
    builder.setWeights(ground.weights)
    for text in weights { text.bytes.withUnsafeBufferPointer { builder.setWeights(text: $0, path: text.path) } }
    let strays = languages.flatMap { $0.findings + $0.strayShelves(Set(shelves.keys), in: folder) }
    let all = (findings + strays + builder.findings).sorted { $0.location < $1.location }
    return (builder.build(), all)
  }

  private func add(_ pattern: Pattern, _ owner: PatternOwner, to builder: inout TaxonomyBuilder) {
    builder.addPattern(
      owner, name: pattern.name, expression: pattern.expression, confidence: pattern.confidence, matches: pattern.matches,
      rejects: pattern.rejects, expressionAt: place(pattern.location), at: place(pattern.location))
  }
}

/// What overlays changed in the stores that they extend, counted.
public struct OverlayChanges: Sendable, Hashable {
  /// Nothing changed.
  public init() {}

  /// The ids of the stores that were extended, the nearest first.
  public internal(set) var extended: [String] = []
  /// Sections with another name, sections that were made of several, and new ones.
  public internal(set) var renamed = 0, merged = 0, added = 0
  /// Shelves in another section, and new ones.
  public internal(set) var shelvesMoved = 0, shelvesAdded = 0
  /// Keywords that were added, and taken away.
  public internal(set) var keywordsAdded = 0, keywordsRemoved = 0
  /// Patterns that were added.
  public internal(set) var patternsAdded = 0

  /// Lines of overlays that change nothing, or nothing any more.
  public internal(set) var idle: [Finding] = []

  /// New shelves that the store leaves in its fallback section.
  public internal(set) var unplaced: [Finding] = []

  /// What changed in stores, in words: `corner extends kroger: 2 sections renamed, 14 keywords added`.
  public func description(of stores: [String]) -> String {
    func count(_ number: Int, _ one: String, _ many: String) -> String? {
      number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
    }
    let parts = [
      count(renamed, "section renamed", "sections renamed"), count(merged, "section merged", "sections merged"),
      count(added, "section added", "sections added"), count(shelvesMoved, "shelf moved", "shelves moved"),
      count(shelvesAdded, "shelf added", "shelves added"), count(keywordsAdded, "keyword added", "keywords added"),
      count(keywordsRemoved, "keyword removed", "keywords removed"),
      count(patternsAdded, "pattern added", "patterns added"),
    ].compactMap(\.self)
    let isOne = stores.count == 1
    let bases = extended.joined(separator: ", which extends ")
    let what = extended.isEmpty ? "\(isOne ? "has" : "have") layers on top" : "\(isOne ? "extends" : "extend") \(bases)"
    return
      "\(isOne ? stores[0] : "\(stores.count) stores") \(what): \(parts.isEmpty ? "nothing changed" : parts.joined(separator: ", "))"
  }
}
