public import AisleCore
public import AisleFiles

/// The correct sections for the items of a corpus in one store.
public struct Expectations: Sendable {
  /// The sections that each list of labels accepts, best first; empty if the store has no section for it. Indexed like
  /// `Corpus.labels`.
  public let accepted: [[SectionID]]

  /// Finds the sections for a corpus's labels. A shelf stands for the section that the store places it in, a section for itself, and
  /// `Other` for the store's fallback section.
  ///
  /// A corpus is in the store's own words where each label is a shelf or a section of the store, and one is a section that no other store's
  /// corpus would name. Then `labelled` counts for nothing.
  ///
  /// - Parameters:
  ///   - labelled: The sections of another store that the corpus uses as labels, each with its shelves. Such a label stands for the
  ///     section of this store that has all of these shelves, whatever its name. If there is none, it means nothing.
  ///   - elsewhere: Other names that are labels of another store but not of this one. An item whose first label means nothing is not
  ///     scored, because the remaining labels are only second best. An item whose first label is a section of another store is not
  ///     scored either if one of its other labels means nothing.
  /// - Returns: The expectations, and a finding for each item with an unknown label.
  public static func resolve(
    _ corpus: Corpus, in taxonomy: Taxonomy, labelled: [(name: String, shelves: [String])] = [], elsewhere: Set<String> = []
  ) -> (expectations: Expectations, findings: [Finding]) {
    var places: [String: SectionID] = [:]
    var elsewhere = elsewhere
    for (place, section) in taxonomy.sections.enumerated() { places[section.name] = SectionID(rawValue: UInt16(place)) }
    let homes = Dictionary(taxonomy.shelves.map { ($0.name, $0.section) }, uniquingKeysWith: { first, _ in first })
    let labelled = isInOwnWords(corpus, taxonomy, besides: labelled.map(\.name)) ? [] : labelled
    for section in labelled {
      let home = section.shelves.first.flatMap { homes[$0] }
      places[section.name] = section.shelves.allSatisfy { homes[$0] == home } ? home : nil
      elsewhere.insert(section.name)
    }
    let borrowed = Set(labelled.map(\.name)).subtracting([Self.leftOver])
    places[Self.leftOver] = taxonomy.fallback
    places.merge(homes) { _, home in home }
    var unknown: [Int: String] = [:]
    var accepted: [[SectionID]] = []
    for (place, labels) in corpus.labels.enumerated() {
      var sections: [SectionID] = []
      for label in labels {
        if let section = places[label] {
          if !sections.contains(section) { sections.append(section) }
        } else if !elsewhere.contains(label) {
          unknown[place] = unknown[place] ?? label
        }
      }
      let isBestUnknown = labels.first.map { places[$0] == nil } ?? true
      let isBestOfAnother = labels.first.map { borrowed.contains($0) } ?? false
      let isPartUnknown = labels.contains { places[$0] == nil }
      accepted.append(isBestUnknown || isBestOfAnother && isPartUnknown ? [] : sections)
    }
    if unknown.isEmpty { return (Expectations(accepted: accepted), []) }
    let known = DidYouMean.Candidates(Array(places.keys).sorted() + elsewhere.sorted())
    let findings = corpus.entries.compactMap { entry -> Finding? in
      guard let label = unknown[Int(entry.labels)] else { return nil }
      let location = corpus.location(entry)
      let hint = known.hint(label)
      return Finding(
        SourceLocation(path: location.path, line: location.line, column: Int(entry.item.length) + 2),
        "no shelf or section `\(shortened(label))`\(hint.isEmpty ? "; `aisle stores show` lists them" : hint)")
    }
    return (Expectations(accepted: accepted), findings)
  }

  /// Whether a corpus was labeled for this store.
  private static func isInOwnWords(_ corpus: Corpus, _ taxonomy: Taxonomy, besides others: [String]) -> Bool {
    let sections = Set(taxonomy.sections.map(\.name))
    let telling = sections.subtracting(others).subtracting([leftOver])
    if telling.isEmpty || !corpus.labels.contains(where: { $0.contains(where: telling.contains) }) { return false }
    let known = sections.union(taxonomy.shelves.map(\.name)).union([leftOver])
    return corpus.labels.allSatisfy { $0.allSatisfy(known.contains) }
  }

  /// The beginning of a label that is too long for a message.
  private static func shortened(_ label: String) -> String {
    let limit = 80
    return label.unicodeScalars.count > limit ? String(String.UnicodeScalarView(label.unicodeScalars.prefix(limit))) + "…" : label
  }

  /// The label of products that no section of a store has.
  public static let leftOver = "Other"
}
