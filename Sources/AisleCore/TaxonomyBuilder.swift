/// Builds a taxonomy from a store's sections and the text of its shelf files.
///
/// What is wrong in the texts is collected as findings rather than thrown, so that one check reports them all.
public struct TaxonomyBuilder {
  /// The findings so far, in the order they were found.
  public private(set) var findings: [Finding] = []

  private let store: String
  private let name: String
  private var excused: Set<String> = []
  private var sections: [Section] = []
  private var matchOrder: [SectionID] = []
  private var fallback = SectionID(rawValue: 0)
  private var shelves: [Shelf] = [] { didSet { shelfNames = nil } }
  /// The names of the shelves so far, for hints; made when the first is needed.
  private var shelfNames: DidYouMean.Candidates?
  private var keywords = KeywordTableBuilder()
  private var moves: [Move] = []
  private var spellings: [Spelling] = []
  private var realWords = ""
  private var patterns: [Pattern] = []
  private var weights = PhraseWeights()
  private var patternPlaces: [String: SourceLocation] = [:]
  private var languages: [Language] = []
  private var isFull = false

  /// Starts a taxonomy.
  public init(store: String, name: String) {
    self.store = store
    self.name = name
  }

  /// The most sections that a store may have.
  public static let maximumSections = 255

  /// Adds the next section in walking order; at most `maximumSections`.
  public mutating func addSection(_ section: Section) -> SectionID {
    precondition(sections.count < Self.maximumSections, "a store has at most \(Self.maximumSections) sections")
    sections.append(section)
    return SectionID(rawValue: UInt16(sections.count - 1))
  }

  /// Sets the fallback section.
  public mutating func setFallback(_ section: SectionID) { fallback = section }

  /// Sets the order in which substring mode tries the sections; the default is walking order.
  public mutating func setMatchOrder(_ order: [SectionID]) { matchOrder = order }

  /// Adds a section's own keyword.
  public mutating func addKeyword(_ text: String, section: SectionID, at location: SourceLocation) {
    addKeyword(text, shelf: .max, section: section, at: location)
  }

  /// Adds a keyword to a shelf.
  ///
  /// - Parameter isOwn: Whether it is the store's own, which counts before those of all languages.
  package mutating func addKeyword(_ text: String, shelf: ShelfID, at location: SourceLocation, isOwn: Bool = false) {
    let section = shelves[Int(shelf.rawValue)].section
    addKeyword(text, shelf: shelf.rawValue, section: section, at: location, language: isOwn ? 0 : nil)
  }

  private mutating func addKeyword(
    _ text: String, shelf: UInt16, section: SectionID, at location: SourceLocation, language: UInt16? = nil
  ) {
    guard let source = keywords.paths.lastIndex(of: location.path).map(UInt16.init) ?? keywords.addPath(location.path) else {
      return reportFull(at: location)
    }
    var text = text
    let fault = text.withUTF8 {
      keywords.add(
        $0, shelf: shelf, section: UInt8(section.rawValue), source: source, line: location.line, column: location.column,
        language: shelf == .max ? 0 : language ?? english)
    }
    if let fault { findings.append(Finding(location, fault)) }
  }

  /// Adds a shelf without keywords; `nil` where there are too many.
  package mutating func addShelf(_ name: String, section: SectionID) -> ShelfID? {
    guard shelves.count < Int(UInt16.max) else { return nil }
    shelves.append(Shelf(name: name, section: section))
    return ShelfID(rawValue: UInt16(shelves.count - 1))
  }

  /// Adds a shelf with the text of its file: one keyword per line, with `#` comments.
  ///
  /// - Complexity: O(bytes).
  public mutating func addShelf(_ name: String, text: UnsafeBufferPointer<UInt8>, path: String, section: SectionID) {
    // `UInt16.max` stands for no shelf.
    guard shelves.count < Int(UInt16.max), let source = keywords.addPath(path) else {
      return reportFull(at: SourceLocation(path: path))
    }
    let shelf = UInt16(shelves.count)
    shelves.append(Shelf(name: name, section: section))
    forEachLine(of: text) { line, column, written in
      let fault = keywords.add(
        written, shelf: shelf, section: UInt8(section.rawValue), source: source, line: line, column: column, language: english)
      if let fault { findings.append(Finding(SourceLocation(path: path, line: line, column: column), fault)) }
    }
  }

  /// Sets the languages, the one that counts first before the others. It comes before the first shelf.
  package mutating func setLanguages(_ languages: [Language]) { self.languages = languages }

  /// What the keywords of the store's ordinary shelf files say of their language: see `KeywordTable.Entry.language`.
  private var english: UInt16 { number(of: Language.english) ?? 0 }

  private func number(of language: String) -> UInt16? {
    languages.firstIndex { $0.id == language }.map { UInt16($0 + 1) }
  }

  /// Adds the keywords of one of the languages to the shelf that was added last.
  ///
  /// - Parameter places: Keywords to leave out, by where they stand.
  /// - Complexity: O(bytes).
  package mutating func addToLastShelf(
    _ language: String, text: UnsafeBufferPointer<UInt8>, path: String, except places: Set<SourceLocation> = []
  ) {
    guard let shelf = shelves.indices.last, let number = number(of: language), let source = keywords.addPath(path) else { return }
    let section = UInt8(shelves[shelf].section.rawValue)
    forEachLine(of: text) { line, column, written in
      if !places.isEmpty, places.contains(SourceLocation(path: path, line: line, column: column)) { return }
      let fault = keywords.add(
        written, shelf: UInt16(shelf), section: section, source: source, line: line, column: column, language: number)
      if let fault { findings.append(Finding(SourceLocation(path: path, line: line, column: column), fault)) }
    }
  }

  /// Adds the text of a language's `moves.txt`: one `word of the moves: word, word` per line. Each word moves what the first does; the
  /// moves must have been added.
  package mutating func addMoveWords(text: UnsafeBufferPointer<UInt8>, path: String) {
    var others: [String: [(word: String, location: SourceLocation)]] = [:]
    var unused: [String: SourceLocation] = [:]
    forEachLine(of: text) { line, column, written in
      let location = SourceLocation(path: path, line: line, column: column)
      let row = String(decoding: written, as: UTF8.self)
      guard let colon = row.firstIndex(of: ":") else {
        return findings.append(Finding(location, "expected `word of moves.txt: word, word`"))
      }
      let known = row[..<colon].trimmed
      unused[known] = location
      for word in row[row.index(after: colon)...].split(separator: ",").map(\.trimmed) where !word.isEmpty {
        others[known, default: []].append((word, location))
      }
    }
    var all: [Move] = []
    for move in moves {
      unused[move.word] = nil
      all.append(move)
      for other in others[move.word] ?? [] where all.count < Int(UInt16.max) - 1 {
        all.append(Move(word: other.word, from: move.from, to: move.to, location: move.location))
      }
    }
    moves = all
    let known = unused.isEmpty ? [] : Set(moves.map(\.word)).sorted()
    for (word, location) in unused.sorted(by: { $0.value < $1.value }) {
      findings.append(Finding(location, "no word of moves.txt is `\(word)`\(DidYouMean.hint(word, among: known))"))
    }
  }

  /// Names shelves that are missing because of a mistake that was already reported. Moves and patterns that need them are left out
  /// without a finding.
  public mutating func excuse(_ shelves: Set<String>) { excused = shelves }

  /// Adds the text of `moves.txt`: one `word, word: shelf shelf -> shelf` per line, with `*` for all shelves.
  public mutating func addMoves(text: UnsafeBufferPointer<UInt8>, path: String) {
    forEachLine(of: text) { line, column, written in
      let location = SourceLocation(path: path, line: line, column: column)
      let row = String(decoding: written, as: UTF8.self)
      guard let colon = row.firstIndex(of: ":"), let arrow = row.range(of: "->"), colon < arrow.lowerBound else {
        findings.append(Finding(location, "expected `word, word: shelf shelf -> shelf`"))
        return
      }
      let words = row[..<colon].split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
      let from = row[row.index(after: colon)..<arrow.lowerBound].split(whereSeparator: \.isWhitespace).map(String.init)
      let to = row[arrow.upperBound...].trimmed
      if to.contains(where: \.isWhitespace) {
        findings.append(Finding(location, "expected one shelf after `->`, not `\(to)`"))
        return
      }
      guard let target = knownShelf(to, at: location) else { return }
      let sources = from == ["*"] ? [] : from.compactMap { knownShelf($0, at: location) }
      if words.isEmpty || from.isEmpty { findings.append(Finding(location, "expected `word, word: shelf shelf -> shelf`")) }
      guard from == ["*"] || !sources.isEmpty else { return }
      guard moves.count + words.count < UInt16.max else {  // Evidence numbers them in 16 bits.
        return findings.append(Finding(location, "more than \(UInt16.max - 1) moves; remove some"))
      }
      for word in words {
        let parts = word.split(separator: " ")
        guard parts.count == 1 || parts.count == 2 && (parts[0] == "in" || parts[0] == "with") else {
          let remedy = "use one word, or one word after `in` or `with`; a phrase belongs on a shelf"
          findings.append(Finding(location, "`\(word)` moves nothing: \(remedy)"))
          continue
        }
        moves.append(Move(word: word, from: sources, to: target, location: location))
      }
    }
  }

  /// Adds moves as another taxonomy has them; what names a shelf that is not there is left out.
  ///
  /// - Parameter place: Where a rule stands, given where it stood.
  package mutating func addMoves(of other: Taxonomy, at place: (SourceLocation) -> SourceLocation) {
    func known(_ id: ShelfID) -> ShelfID? {
      shelves.firstIndex { $0.name == other[id].name }.map { ShelfID(rawValue: UInt16($0)) }
    }
    for move in other.moves {
      let from = move.from.compactMap(known)
      guard let to = known(move.to), move.from.isEmpty || !from.isEmpty else { continue }
      moves.append(Move(word: move.word, from: from, to: to, location: place(move.location)))
    }
  }

  /// Adds spellings and real words as another taxonomy has them.
  package mutating func addRules(of other: Taxonomy, at place: (SourceLocation) -> SourceLocation) {
    spellings += other.spellings.map { Spelling(variant: $0.variant, standard: $0.standard, location: place($0.location)) }
    realWords += other.realWords
  }

  /// Adds the text of `spellings.txt`: one `variant, variant = standard` per line.
  public mutating func addSpellings(text: UnsafeBufferPointer<UInt8>, path: String) {
    forEachLine(of: text) { line, column, written in
      let location = SourceLocation(path: path, line: line, column: column)
      let row = String(decoding: written, as: UTF8.self)
      let sides = row.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmed)
      let variants = sides.first?.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } ?? []
      guard sides.count == 2, !variants.isEmpty, !sides[1].isEmpty else {
        findings.append(Finding(location, "expected `variant, variant = standard spelling`"))
        return
      }
      for variant in variants {
        spellings.append(Spelling(variant: variant, standard: sides[1], location: location))
      }
    }
  }

  /// Adds the text of `words.txt`: a word per line that is real, so that no typo is seen in it.
  public mutating func addWords(text: UnsafeBufferPointer<UInt8>, path: String) {
    realWords.reserveCapacity(text.count)
    forEachLine(of: text) { line, column, written in
      guard written.allSatisfy(\.isLowercaseASCII), written.count <= 32 else {
        let location = SourceLocation(path: path, line: line, column: column)
        return findings.append(Finding(location, "expected one word of at most 32 letters a-z, without accents"))
      }
      realWords += String(decoding: written, as: UTF8.self) + "\n"
    }
  }

  /// Sets the weights.
  package mutating func setWeights(_ weights: PhraseWeights) { self.weights = weights }

  /// Reads the text of `weights.txt`: one `name = value` per line. Settings that it leaves out stay as they are.
  public mutating func setWeights(text: UnsafeBufferPointer<UInt8>, path: String) {
    let reader = PhraseWeightsReader(text, path: path, over: weights)
    findings += reader.findings
    weights = reader.weights
  }

  /// Adds a section's own pattern, or a shared pattern if it names a shelf. A faulty pattern is left out, with findings.
  ///
  /// - Parameters:
  ///   - owner: The section; or the shelf's name and its location.
  ///   - name: The pattern's name.
  ///   - expression: The expression as written.
  ///   - confidence: How likely the section is right where it matches, in 0…1.
  ///   - matches: Items that it must match.
  ///   - rejects: Items that it must not match.
  ///   - expressionAt: The location of the expression's first byte.
  ///   - location: Where the pattern begins.
  public mutating func addPattern(
    _ owner: PatternOwner, name: String, expression: String, confidence: Float, matches: [Pattern.Example],
    rejects: [Pattern.Example], expressionAt: SourceLocation, at location: SourceLocation
  ) {
    var shelf: ShelfID?
    var section = SectionID(rawValue: 0)
    switch owner {
    case .section(let id): section = id
    case .shelf(let written, let place):
      guard let id = knownShelf(written, at: place) else { return }
      shelf = id
      section = shelves[Int(id.rawValue)].section
    }
    let pattern = Pattern(
      name: name, expression: expression, shelf: shelf, section: section, confidence: confidence, matches: matches,
      rejects: rejects, location: expressionAt)
    var faults = pattern.faults(at: location)
    if let first = patternPlaces.updateValue(location, forKey: name) {
      faults.append(Finding(location, "pattern `\(name)` already exists at \(first); rename one"))
    }
    if faults.isEmpty, patterns.count == Pattern.maximumCount {
      faults.append(Finding(location, "more than \(Pattern.maximumCount) patterns; remove some"))
    }
    findings += faults
    if faults.isEmpty { patterns.append(pattern) }
  }

  /// The taxonomy, as far as it could be built; `findings` lists what is missing.
  public consuming func build() -> Taxonomy {
    if sections.isEmpty { sections = [Section(name: "Other", color: .gray)] }
    let order = matchOrder.isEmpty ? sections.indices.map { SectionID(rawValue: UInt16($0)) } : matchOrder
    return Taxonomy(
      store: store, name: name, sections: sections, fallback: fallback, matchOrder: order, shelves: shelves,
      keywords: keywords.build(), moves: moves, spellingList: .given(spellings), realWords: realWords,
      patterns: patterns, weights: weights, languages: languages)
  }

  /// Reports the first file that is one too many; the others would only repeat it.
  private mutating func reportFull(at location: SourceLocation) {
    if !isFull { findings.append(Finding(location, "more than \(KeywordTable.maximumPathCount) shelf files; merge some")) }
    isFull = true
  }

  private mutating func knownShelf(_ name: String, at location: SourceLocation) -> ShelfID? {
    if let index = shelves.firstIndex(where: { $0.name == name }) { return ShelfID(rawValue: UInt16(index)) }
    if excused.contains(name) { return nil }
    let names = shelfNames ?? DidYouMean.Candidates(shelves.map(\.name))
    shelfNames = names
    findings.append(Finding(location, "no shelf `\(name)` in this store\(names.hint(name))"))
    return nil
  }
}

/// What a pattern points to.
public enum PatternOwner: Sendable, Hashable {
  /// The section that lists it.
  case section(SectionID)
  /// The shelf that it names, and the location of the name.
  case shelf(String, SourceLocation)
}

/// Walks the lines that say something: comments and surrounding blanks are cut, empty lines are passed over.
package func forEachLine(
  of text: UnsafeBufferPointer<UInt8>, _ body: (_ line: Int, _ column: Int, UnsafeBufferPointer<UInt8>) -> Void
) {
  var line = 0
  var start = ByteOrderMark.length(in: text)
  while start < text.count {
    line += 1
    var end = start
    var contentEnd = -1
    while end < text.count, text[end] != 0x0A {
      if text[end] == UInt8(ascii: "#"), contentEnd < 0, end == start || text[end - 1] == 0x20 || text[end - 1] == 0x09 {
        contentEnd = end
      }
      end += 1
    }
    var first = start
    var last = contentEnd < 0 ? end : contentEnd
    while first < last, text[first] <= 0x20 { first += 1 }
    while last > first, text[last - 1] <= 0x20 { last -= 1 }
    if first < last { body(line, first - start + 1, UnsafeBufferPointer(rebasing: text[first..<last])) }
    start = end + 1
  }
}

extension String {
  /// The first place of a short ASCII text.
  fileprivate func range(of needle: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
      start = index(after: start)
    }
    return nil
  }
}
