import AisleCore
import AisleFiles
import KeywordStrategy

/// Reads items that are answered wrongly or not at all for changes to keywords that may make them right.
struct CandidateMiner {
  /// A change to try.
  struct Candidate {
    let edits: [KeywordEdit]
    /// The items, of both splits, that it can touch: those that its words stand in.
    let items: [Int]
    /// How good a keyword it looks, where nothing else tells two apart; 0 is best.
    let rank: Int
    /// The keyword in normalized form: two that are the same cannot be tried together.
    let name: String
  }

  private(set) var candidates: [Candidate] = []

  private let items: TuningItems
  private let answers: [SectionID]
  private let taxonomy: Taxonomy
  /// The items of the tuning split that are answered wrongly.
  private let wrong: [Int]

  /// Whether a section's own keywords take the place of the same words elsewhere: those of a store that extends another do.
  private let ownWin: Bool

  init(_ items: TuningItems, _ answers: [SectionID], _ taxonomy: Taxonomy, ownWin: Bool) {
    (self.items, self.answers, self.taxonomy, self.ownWin) = (items, answers, taxonomy, ownWin)
    wrong = items.items.indices.filter { items.items[$0].split == .tune && !items.isRight(answers[$0], for: $0) }
  }

  // MARK: Strengths

  /// Adds weaker forms of the keywords that misled, and stronger ones of those that were right but lost.
  mutating func addStrengths(_ keywords: KeywordStrategy, _ decisions: ContiguousArray<Decision?>) {
    var batch = items.batch(taxonomy)
    var places: [KeywordID: [Int]] = [:]
    var standing = [[KeywordID]](repeating: [], count: items.items.count)
    keywords.forEachMatches(in: &batch) { item, matches in
      for keyword in Set(matches.map(\.keyword)) {
        places[keyword, default: []].append(item)
        standing[item].append(keyword)
      }
    }
    var wanted: Set<Strengthening> = []
    for item in wrong {
      if let evidence = decisions[item]?.evidence, evidence.move == nil, let winner = evidence.keyword {
        for strength in Keyword.Strength.allCases where strength < taxonomy.keywords[winner].strength {
          wanted.insert(Strengthening(keyword: winner, strength: strength))
        }
        wanted.insert(Strengthening(keyword: winner, strength: nil))
      }
      for keyword in standing[item] where items.isRight(taxonomy.keywords[keyword].section, for: item) {
        let next = Keyword.Strength(rawValue: taxonomy.keywords[keyword].strength.rawValue + 1)
        if let next { wanted.insert(Strengthening(keyword: keyword, strength: next)) }
      }
    }
    for change in wanted.sorted(by: {
      ($0.keyword.rawValue, $0.strength?.rawValue ?? 9) < ($1.keyword.rawValue, $1.strength?.rawValue ?? 9)
    }) {
      let keyword = taxonomy.keywords[change.keyword]
      let place = KeywordReport.place(keyword, in: taxonomy)
      var edits = [KeywordEdit(.remove, place: place, text: keyword.text, strength: keyword.strength)]
      if let strength = change.strength { edits.append(KeywordEdit(.add, place: place, text: keyword.text, strength: strength)) }
      candidates.append(
        Candidate(
          edits: edits, items: places[change.keyword] ?? [], rank: change.strength == nil ? 9 : 8,
          name: Normalizer.normalize(keyword.text)))
    }
  }

  private struct Strengthening: Hashable {
    let keyword: KeywordID
    /// The new strength; `nil` to remove it.
    let strength: Keyword.Strength?
  }

  // MARK: Phrases

  /// One to four words that stand together in an item.
  private struct Phrase {
    let hash: UInt64
    let words: [String]
    /// What part of its item it is.
    let fit: Fit
  }

  /// What part of an item a phrase is, best first: all of it that says something; what its first part ends in, where the good's name
  /// stands; or another.
  private enum Fit: Int {
    case whole, head, other
  }

  /// Adds phrases of the items as keywords of the shelves that the items belong to, and of the section's own. A phrase that is a keyword
  /// already, of another section, moves.
  mutating func addPhrases(_ keywords: KeywordStrategy) {
    let isWord = keywords.words
    let affinity = ShelfAffinity(taxonomy)
    var found: [UInt64: (words: [String], owners: [String: Int], fit: Fit)] = [:]
    for item in wrong {
      for phrase in phrases(item) {
        for owner in owners(item, phrase.words, affinity) {
          found[phrase.hash, default: (phrase.words, [:], phrase.fit)].owners[owner, default: 0] += 1
        }
        if phrase.fit.rawValue < found[phrase.hash]?.fit.rawValue ?? 0 { found[phrase.hash]?.fit = phrase.fit }
      }
    }
    var places: [UInt64: [Int]] = [:]
    for item in items.items.indices {
      for phrase in phrases(item) where found[phrase.hash] != nil && places[phrase.hash]?.last != item {
        places[phrase.hash, default: []].append(item)
      }
    }
    // What is a keyword already, in one number or the other, is not added again, but can move to another section.
    let spelled = found.map { (hash: $0.key, words: $0.value.words) }.sorted { $0.words.lexicographicallyPrecedes($1.words) }
    var batch = Batch(spelled.map { $0.words.joined(separator: " ") }, taxonomy: taxonomy)
    var known = [KeywordID?](repeating: nil, count: spelled.count)
    keywords.forEachMatches(in: &batch) { place, matches in
      let length = spelled[place].words.joined(separator: " ").utf8.count
      known[place] = matches.first { $0.span == 0..<length }?.keyword
    }
    var ofItem: [Int: Int] = [:]
    var new: [Candidate] = []
    for (place, phrase) in spelled.enumerated() {
      let holders = places[phrase.hash] ?? []
      for (owner, gain) in (found[phrase.hash]?.owners ?? [:]).sorted(by: { $0.key < $1.key }) {
        guard let section = section(owner), known[place].map({ taxonomy.keywords[$0].section }) != section else { continue }
        // What belongs nowhere else needs no keyword for that: the one that misleads can go.
        if known[place] != nil, section == taxonomy.fallback { continue }
        let harm = holders.count {
          items.items[$0].split == .tune && items.isRight(answers[$0], for: $0) && !items.isRight(section, for: $0)
        }
        if harm > 2 * gain { continue }
        let isOwn = taxonomy.shelf(named: owner) == nil
        let moved = isOwn && ownWin ? nil : known[place].map { taxonomy.keywords[$0] }
        let text = moved?.text ?? phrase.words.joined(separator: " ")
        let removal = moved.map {
          KeywordEdit(.remove, place: KeywordReport.place($0, in: taxonomy), text: text, strength: nil)
        }
        new.append(
          Candidate(
            edits: [removal].compactMap { $0 } + [
              KeywordEdit(.add, place: owner, text: text, strength: moved?.strength ?? .good)
            ],
            items: holders, rank: rank(phrase.words, found[phrase.hash]?.fit ?? .other, holders.count, isWord), name: text))
      }
    }
    // The likeliest few of each item.
    let mistakes = Set(wrong)
    for candidate in new.sorted(by: { ($0.rank, $0.name) < ($1.rank, $1.name) }) {
      let owners = candidate.items.filter(mistakes.contains)
      if owners.allSatisfy({ ofItem[$0, default: 0] >= ProposalSearch.maximumOfItem }) { continue }
      for item in owners { ofItem[item, default: 0] += 1 }
      candidates.append(candidate)
    }
  }

  /// How good a keyword a phrase looks, 0 best: a word that no keyword has is a good's name where it is a whole item or stands in
  /// several, else more likely a slip; of longer ones those that are a whole item or its head, and those of two words.
  private func rank(_ words: [String], _ fit: Fit, _ holders: Int, _ known: (String) -> Bool) -> Int {
    switch (words.count, fit) {
    case (1, _) where known(words[0]) || words[0].utf8.count < 4: 6
    case (1, .whole): 0
    case (1, _): holders > 1 ? 0 : 3
    case (2, .whole), (3, .whole): 1
    case (2, .head): 2
    case (2, .other): 4
    case (3, _): 5
    default: 7
    }
  }

  /// The phrases of an item that could be keywords.
  private func phrases(_ item: Int) -> [Phrase] {
    var all: [Phrase] = []
    let segments = items.text(item).split(whereSeparator: { ",;()[]:/".contains($0) }).map {
      Normalizer.normalize(String($0)).split(separator: " ").map(String.init)
    }
    let isOne = segments.count { $0.contains { !KeywordStrategy.isFunctionWord($0) } } == 1
    for (number, words) in segments.enumerated() {
      let isSilent = words.map { KeywordStrategy.isFunctionWord($0) || $0.utf8.first.map { $0.isASCIIDigit } ?? true }
      let (start, end) = (isSilent.firstIndex(of: false), isSilent.lastIndex(of: false))
      for first in words.indices where !isSilent[first] && words[first].utf8.count > 1 {
        for last in first..<min(first + 4, words.count) where !isSilent[last] && words[last].utf8.count > 1 {
          let phrase = Array(words[first...last])
          if phrase.contains(where: { $0.utf8.first.map { $0.isASCIIDigit } ?? true }) { continue }
          if phrase.count == 1, phrase[0].utf8.count < 3 { continue }
          let hash = phrase.reduce(UInt64(0)) { ($0 ^ FNV1a.hash(Self.stem($1))) &* 0x9E37_79B9_7F4A_7C15 }
          let fit: Fit = last != end || number > 0 ? .other : first == start && isOne ? .whole : .head
          all.append(Phrase(hash: hash, words: phrase, fit: fit))
        }
      }
    }
    return all
  }

  /// A word without a plural's ending, roughly, so that both numbers count as one phrase.
  private static func stem(_ word: String) -> Substring.UTF8View {
    (word.utf8.count > 3 && word.utf8.last == UInt8(ascii: "s") ? word.dropLast() : word[...]).utf8
  }

  /// Where a phrase of an item may go: on the item's shelf; or else on the shelf of its section that has most of such goods, or among
  /// the section's own keywords.
  private func owners(_ item: Int, _ words: [String], _ affinity: ShelfAffinity) -> [String] {
    if let shelf = items.items[item].shelf { return [taxonomy[shelf].name] }
    guard let section = items.items[item].accepted.first else { return [] }
    return [affinity.shelf(for: words, in: section).map { taxonomy[$0].name }, taxonomy[section].name].compactMap { $0 }
  }

  private func section(_ owner: String) -> SectionID? {
    taxonomy.shelf(named: owner).map { taxonomy[$0].section } ?? taxonomy.section(named: owner)
  }
}

/// Which shelves have keywords with which words.
private struct ShelfAffinity {
  private var heads: [String: [ShelfID: Int]] = [:]
  private var others: [String: [ShelfID: Int]] = [:]
  private let taxonomy: Taxonomy

  init(_ taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    for keyword in taxonomy.keywords {
      guard let shelf = keyword.shelf else { continue }
      let words = Normalizer.normalize(keyword.text).split(separator: " ").map(String.init)
      if let head = words.last { heads[head, default: [:]][shelf, default: 0] += 1 }
      for word in words.dropLast() { others[word, default: [:]][shelf, default: 0] += 1 }
    }
  }

  /// The shelf of a section with most keywords that end as these words do, else that share any.
  func shelf(for words: [String], in section: SectionID) -> ShelfID? {
    var counts: [ShelfID: Int] = [:]
    for (place, word) in words.enumerated() {
      for (shelf, count) in heads[word] ?? [:] where taxonomy[shelf].section == section {
        counts[shelf, default: 0] += count * (place == words.count - 1 ? 4 : 1)
      }
      for (shelf, count) in others[word] ?? [:] where taxonomy[shelf].section == section { counts[shelf, default: 0] += count }
    }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }
}
