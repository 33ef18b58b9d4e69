public import AisleCore
public import AisleEvaluation

/// The differences in a store's keywords, patterns, moves, and spellings before and after a change, and which of them made an item flip.
public struct KeywordDifference: Sendable {
  /// A keyword, pattern, move, or spelling that was added or removed.
  public struct Change: Sendable, Hashable {
    /// Whether it was added rather than removed.
    public let isAdded: Bool
    /// Where it belongs: the name of the shelf or section, or of the file for moves and spellings.
    public let place: String
    /// Its text, as written.
    public let written: String
    /// Its location: in the files after the change if it was added, otherwise before.
    public let location: SourceLocation

    /// The change as people write it: `+nut-butters: sunflower butter`.
    public var text: String { "\(isAdded ? "+" : "-")\(place): \(written)" }
  }

  /// The changes: first the removed ones, then the added ones, each in the order of the store.
  public let changes: [Change]
  private let byLocation: [String: Change]

  /// Compares two states of a store.
  ///
  /// - Complexity: O(keywords); about 5 ms for 50,000.
  public init(from before: Taxonomy, to after: Taxonomy) {
    let removed = Self.only(before, notIn: after)
    let added = Self.only(after, notIn: before)
    changes =
      removed.map { Change(isAdded: false, place: $0.place, written: $0.written, location: $0.location) }
      + added.map { Change(isAdded: true, place: $0.place, written: $0.written, location: $0.location) }
    byLocation = Dictionary(changes.map { (Self.key($0.isAdded, $0.location), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The change that most likely made an item flip: what decides it now, if that is new; otherwise what decided it before, if that is
  /// gone; otherwise the first change whose words are all in the item.
  public func cause(of flip: Comparison.Flip) -> Change? {
    if let source = flip.after.source, let change = byLocation[Self.key(true, source)] { return change }
    if let source = flip.before.source, let change = byLocation[Self.key(false, source)] { return change }
    let words = Set(Normalizer.normalize(flip.after.item).split(separator: " ").map(Self.stem))
    return changes.first { change in
      let theirs = Normalizer.normalize(change.written).split(separator: " ").map(Self.stem)
      return !theirs.isEmpty && theirs.allSatisfy(words.contains)
    } ?? (changes.count == 1 ? changes[0] : nil)
  }

  private static func key(_ isAdded: Bool, _ location: SourceLocation) -> String {
    "\(isAdded ? "+" : "-")\(location.path):\(location.line)"
  }

  /// A word without a plural's ending, roughly: enough to find which of a few changes it is about.
  private static func stem(_ word: Substring) -> Substring { word.count > 3 && word.last == "s" ? word.dropLast() : word }

  // MARK: Finding what differs

  private struct Part {
    let place: String
    let written: String
    let location: SourceLocation
  }

  private static func only(_ taxonomy: Taxonomy, notIn other: Taxonomy) -> [Part] {
    let theirs = Set(hashes(of: other))
    var parts = zip(taxonomy.keywords.indices, hashes(of: taxonomy)).compactMap { number, hash -> Part? in
      if theirs.contains(hash) { return nil }
      let keyword = taxonomy.keywords[number]
      return Part(
        place: KeywordReport.place(keyword, in: taxonomy), written: keyword.strength.sign + keyword.text,
        location: keyword.location)
    }
    let patterns = Set(other.patterns.map(spelled))
    parts += taxonomy.patterns.filter { !patterns.contains(spelled($0)) }.map {
      Part(place: "pattern", written: $0.name, location: $0.location)
    }
    let moves = Set(other.moves.map { spelled($0, other) })
    parts += taxonomy.moves.filter { !moves.contains(spelled($0, taxonomy)) }.map {
      Part(place: "move", written: $0.word, location: $0.location)
    }
    let spellings = Set(other.spellings.map { [$0.variant, $0.standard] })
    parts += taxonomy.spellings.filter { !spellings.contains([$0.variant, $0.standard]) }.map {
      Part(place: "spelling", written: $0.variant, location: $0.location)
    }
    return parts
  }

  /// A number that stands for each keyword with its place and strength.
  private static func hashes(of taxonomy: Taxonomy) -> [UInt64] {
    let shelves = taxonomy.shelves.map { FNV1a.hash($0.name.utf8) }
    let sections = taxonomy.sections.map { FNV1a.hash($0.name.utf8) &* 3 }
    let bytes = taxonomy.keywords.bytes.elements
    return taxonomy.keywords.entries.elements.map { entry in
      let text = FNV1a.hash(UnsafeBufferPointer(rebasing: bytes[Int(entry.start)..<Int(entry.start) + Int(entry.length)]))
      let place = entry.shelfID.map { shelves[Int($0.rawValue)] } ?? sections[Int(entry.section)]
      let mixed = (text ^ place &* 0x9E37_79B9_7F4A_7C15) &+ UInt64(entry.strength)
      return (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  private static func spelled(_ pattern: Pattern) -> [String] {
    [pattern.name, pattern.expression, "\(pattern.confidence)", "\(pattern.section.rawValue)"]
  }

  private static func spelled(_ move: Move, _ taxonomy: Taxonomy) -> [String] {
    [move.word, taxonomy[move.to].name] + move.from.map { taxonomy[$0].name }
  }
}
