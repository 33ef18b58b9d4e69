import AisleCore

/// Applies a store's file that `extends` another store: it says only what differs.
struct StoreOverlay {
  private let file: StoreFile
  private var parts: StoreParts
  /// The names of the sections before, and which sections of the overlay took them.
  private let baseNames: [String]
  private var takers: [Int: Int] = [:]

  /// The store with what the overlay says.
  static func apply(_ file: StoreFile, to parts: StoreParts) -> StoreParts {
    var overlay = StoreOverlay(file: file, parts: parts)
    overlay.apply()
    return overlay.parts
  }

  private init(file: StoreFile, parts: StoreParts) {
    self.file = file
    self.parts = parts
    baseNames = parts.sections.map(\.name)
  }

  private mutating func apply() {
    let base = parts
    parts.changes.extended.insert(base.store, at: 0)
    (parts.store, parts.name) = (file.store.value, file.name)
    let entries = uniqueEntries()
    var sources: [[Int]] = []
    for (place, entry) in entries.enumerated() { sources.append(take(entry, place, among: entries)) }
    for (place, entry) in entries.enumerated() where !sources[place].contains(where: { baseNames[$0] == entry.name.value }) {
      guard let other = baseNames.firstIndex(of: entry.name.value), takers[other] == nil else { continue }
      report(
        entry.name.location,
        "\(base.store) has a section `\(entry.name.value)` too; add it to `from`, or choose another name")
    }
    var made = zip(entries, sources).map { section($0, $1, base) }
    moveShelves(entries, sources, &made)
    parts.sections = arranged(made, sources, base)
    let most = TaxonomyBuilder.maximumSections
    if parts.sections.count > most {
      report(
        entries.last?.name.location ?? file.store.location,
        "\(parts.sections.count) sections with those of \(base.store), and at most \(most) are allowed; merge some")
    }
    var names: [String: String] = [:]
    for (place, taker) in takers { names[baseNames[place]] = entries[taker].name.value }
    parts.fallback = names[parts.fallback] ?? parts.fallback
    if let fallback = file.fallback { parts.fallback = known(fallback) ?? parts.fallback }
    orderMatches(base, names)
    addKeywords(entries)
  }

  /// The sections that are listed, each once.
  private mutating func uniqueEntries() -> [StoreFile.SectionEntry] {
    var names: Set<String> = []
    return file.sections.filter { entry in
      if names.insert(entry.name.value).inserted { return true }
      report(entry.name.location, "section `\(entry.name.value)` appears twice; merge the two")
      return false
    }
  }

  /// The sections that an entry stands for: those that it names, or else the one of its name.
  private mutating func take(_ entry: StoreFile.SectionEntry, _ place: Int, among entries: [StoreFile.SectionEntry]) -> [Int] {
    let named = entry.from ?? (baseNames.contains(entry.name.value) ? [entry.name] : [])
    return named.compactMap { source in
      guard let found = baseNames.firstIndex(of: source.value) else {
        report(
          source.location,
          "\(parts.changes.extended[0]) has no section `\(source.value)`\(DidYouMean.hint(source.value, among: baseNames))")
        return nil
      }
      if let taker = takers.updateValue(place, forKey: found) {
        report(
          source.location, "section `\(source.value)` is taken twice; remove it here or from `\(entries[taker].name.value)`"
        )
        return nil
      }
      return found
    }
  }

  private mutating func section(_ entry: StoreFile.SectionEntry, _ sources: [Int], _ base: StoreParts) -> StoreParts.Part {
    if sources.isEmpty {
      parts.changes.added += 1
    } else if sources.count > 1 {
      parts.changes.merged += 1
    } else if baseNames[sources[0]] != entry.name.value {
      parts.changes.renamed += 1
    }
    let old = sources.map { base.sections[$0] }
    parts.changes.patternsAdded += entry.patterns.count
    return StoreParts.Part(
      name: entry.name.value, color: entry.writtenColor ?? old.first?.color ?? entry.color, shelves: old.flatMap(\.shelves),
      keywords: old.flatMap(\.keywords), patterns: old.flatMap(\.patterns),
      addedPatterns: old.flatMap(\.addedPatterns) + entry.patterns)
  }

  /// Moves the shelves that an entry lists to it.
  private mutating func moveShelves(_ entries: [StoreFile.SectionEntry], _ sources: [[Int]], _ made: inout [StoreParts.Part]) {
    var placed: [String: SourceLocation] = [:]
    for (place, entry) in entries.enumerated() {
      for shelf in entry.shelves {
        if let first = placed.updateValue(shelf.location, forKey: shelf.value) {
          report(shelf.location, "shelf `\(shelf.value)` is placed twice, first on line \(first.line); keep one")
          continue
        }
        guard let old = parts.section(of: shelf.value) else {
          report(
            shelf.location,
            "no shelf `\(shelf.value)`\(DidYouMean.hint(shelf.value, among: parts.shelves.keys.sorted())); a new one is a file shelves/\(shelf.value).txt"
          )
          continue
        }
        if takers[old] == place {
          parts.changes.idle.append(
            Finding(shelf.location, "shelf `\(shelf.value)` is in this section already; remove the line"))
          continue
        }
        if parts.newShelves[shelf.value] == nil { parts.changes.shelvesMoved += 1 }
        if let taker = takers[old] {
          made[taker].shelves.removeAll { $0 == shelf.value }
        } else {
          parts.sections[old].shelves.removeAll { $0 == shelf.value }
        }
        made[place].shelves.append(shelf.value)
      }
    }
  }

  /// The sections in walking order: those that are listed stand among themselves as they are listed, on the places of the sections that
  /// they stand for; a new one behind the one that is listed before it. The others keep their places.
  private func arranged(_ made: [StoreParts.Part], _ sources: [[Int]], _ base: StoreParts) -> [StoreParts.Part] {
    let slots = sources.compactMap(\.first).sorted()
    var listed = made.indices.filter { !sources[$0].isEmpty }.makeIterator()
    var order: [Int?] = []
    for place in baseNames.indices {
      if slots.contains(place) { order.append(listed.next()) } else if takers[place] == nil { order.append(-1 - place) }
    }
    for place in made.indices where sources[place].isEmpty {
      let before = place == 0 ? nil : order.firstIndex { $0 == place - 1 }
      let after = (place + 1..<max(made.count, place + 1)).lazy.compactMap { later in order.firstIndex { $0 == later } }.first
      let fallback = order.firstIndex { $0 == -1 - (baseNames.firstIndex(of: base.fallback) ?? 0) }
      order.insert(place, at: before.map { $0 + 1 } ?? after ?? fallback ?? order.count)
    }
    return order.compactMap { $0 }.map { $0 < 0 ? parts.sections[-1 - $0] : made[$0] }
  }

  /// - Parameter names: The names of the sections of the extended store that have others now.
  private mutating func orderMatches(_ base: StoreParts, _ names: [String: String]) {
    if !file.matchOrder.isEmpty {
      parts.matchOrder = []
      for name in file.matchOrder.compactMap({ name in known(name).map { Located(value: $0, location: name.location) } }) {
        if parts.matchOrder.contains(name.value) {
          report(
            name.location,
            "section `\(name.value)` appears twice in `match_order`; only the first one counts, so remove the other")
        } else {
          parts.matchOrder.append(name.value)
        }
      }
      for part in parts.sections where !parts.matchOrder.contains(part.name) {
        report(file.matchOrder[0].location, "section `\(part.name)` is missing from `match_order`; add it")
      }
      return
    }
    // Walking order where the store that is extended has no other.
    if base.matchOrder == baseNames {
      parts.matchOrder = parts.sections.map(\.name)
      return
    }
    var order: [String] = []
    for name in base.matchOrder.map({ names[$0] ?? $0 }) + parts.sections.map(\.name) where !order.contains(name) {
      order.append(name)
    }
    parts.matchOrder = order
  }

  /// Adds and takes away the keywords that sections list.
  private mutating func addKeywords(_ entries: [StoreFile.SectionEntry]) {
    // What is taken away goes first, so that it may come back otherwise.
    for isRemoval in [true, false] { for entry in entries { addKeywords(of: entry, isRemoval) } }
  }

  private mutating func addKeywords(of entry: StoreFile.SectionEntry, _ isRemoval: Bool) {
    if let place = parts.sections.firstIndex(where: { $0.name == entry.name.value }) {
      for keyword in entry.keywords where keyword.value.hasPrefix("-") == isRemoval {
        if isRemoval {
          let removed = String(keyword.value.dropFirst())
          if !parts.remove(removed).isEmpty {
            parts.changes.keywordsRemoved += 1
          } else {
            parts.changes.idle.append(
              Finding(
                keyword.location,
                "`-\(removed)` removes nothing: \(parts.changes.extended[0]) has no keyword `\(removed)` or a shelf file removes it; delete this entry"
              ))
          }
        } else {
          parts.add(keyword, toSection: place)
        }
      }
    }
  }

  private mutating func known(_ section: Located<String>) -> String? {
    if parts.sections.contains(where: { $0.name == section.value }) { return section.value }
    report(
      section.location, "no section `\(section.value)`\(DidYouMean.hint(section.value, among: parts.sections.map(\.name)))")
    return nil
  }

  private mutating func report(_ location: SourceLocation, _ message: String) {
    parts.findings.append(Finding(location, message))
  }
}
