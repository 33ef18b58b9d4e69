public import AisleCore

/// Finds a shelf or a section by a few letters of its name, or by a product that it holds.
///
/// Case, accents, punctuation, and plurals do not matter. Words of a name weigh more than the beginnings of its words, these more than
/// letters inside of them, and these more than letters that only occur in their order, as `pltmlk` does in `plant-milk`. A keyword
/// finds its shelf too: `oat milk` is found on `plant-milk`.
public struct LabelSearch: Sendable {
  /// A label that was found.
  public struct Match: Sendable, Hashable {
    /// The shelf or section.
    public let label: String
    /// The section that the label stands for in the store.
    public let section: String
    /// The keyword that found it; `nil` where its own name did.
    public let keyword: String?
    /// How well it fits, from 0; the name itself has 1.2.
    public let score: Double

    /// The label to choose.
    public var candidate: LabelCandidate { LabelCandidate(label: label, section: section, reason: keyword ?? "") }
  }

  private struct Label {
    let name: String
    let section: String
    let words: [String]
  }

  private struct Entry {
    let words: [String]
    let text: String
    let strength: Keyword.Strength
    /// Its place in `labels`.
    let label: Int
  }

  private let labels: [Label]
  private let keywords: [Entry]

  /// Prepares to search in a store's shelves and sections.
  ///
  /// - Complexity: O(bytes of the keywords); a tenth of a second for 60,000.
  public init(_ taxonomy: Taxonomy) {
    var labels: [Label] = []
    for shelf in taxonomy.shelves {
      labels.append(Label(name: shelf.name, section: taxonomy[shelf.section].name, words: Self.words(shelf.name)))
    }
    let sections = labels.count
    for (place, section) in taxonomy.sections.enumerated() {
      let isFallback = place == Int(taxonomy.fallback.rawValue)
      let name = isFallback ? Expectations.leftOver : section.name
      labels.append(
        Label(
          name: name, section: section.name, words: Self.words(section.name) + (name == section.name ? [] : Self.words(name))))
    }
    self.labels = labels
    keywords = taxonomy.keywords.map { keyword in
      Entry(
        words: Self.words(keyword.text), text: keyword.text, strength: keyword.strength,
        label: keyword.shelf.map { Int($0.rawValue) } ?? sections + Int(keyword.section.rawValue))
    }
  }

  /// The labels that fit a text, best first.
  ///
  /// - Complexity: O(keywords), and O(length) for each label.
  public func matches(_ text: String, limit: Int) -> [Match] {
    let wanted = Self.words(text)
    if wanted.isEmpty || limit < 1 { return [] }
    var best = labels.map { (score: Self.score(wanted, name: $0.words), keyword: String?.none) }
    for keyword in keywords {
      let score = Self.score(wanted, keyword)
      if score > best[keyword.label].score { best[keyword.label] = (score, keyword.text) }
    }
    let found = best.indices.filter { best[$0].score > 0 }.map { place in
      Match(
        label: labels[place].name, section: labels[place].section, keyword: best[place].keyword, score: best[place].score)
    }
    return Array(
      found.sorted { ($1.score, $0.label.count, $0.label) < ($0.score, $1.label.count, $1.label) }.prefix(limit))
  }

  /// A text's words in folded form, each in the singular.
  private static func words(_ text: String) -> [String] {
    Normalizer.normalize(text).split(separator: " ").map { word in
      Array(word.utf8).withUnsafeBufferPointer { String(decoding: Words.singular(ofFolded: $0), as: UTF8.self) }
    }
  }

  // MARK: Names

  /// How well words fit the words of a name; 0 where they do not.
  private static func score(_ wanted: [String], name: [String]) -> Double {
    if wanted == name { return 1.2 }
    let scores = wanted.map { word in name.map { score(word, $0) }.max() ?? 0 }
    if !scores.contains(0) {
      let unused = Double(max(0, name.count - wanted.count))
      return scores.reduce(0, +) / Double(wanted.count) - min(0.2, 0.04 * unused)
    }
    return 0.3 * scattered(Array(wanted.joined().utf8), in: name)
  }

  /// How well a word fits a word of a name: 1 for the same, at most 0.9 for its beginning, 0.4 for letters inside.
  private static func score(_ wanted: String, _ word: String) -> Double {
    if word == wanted { return 1 }
    if word.hasPrefix(wanted) { return 0.6 + 0.3 * Double(wanted.utf8.count) / Double(word.utf8.count) }
    return wanted.utf8.count >= 3 && word.contains(wanted) ? 0.4 : 0
  }

  /// How well letters that occur in a name in their order fit it, in 0…1: the share of them that begin a word or follow one another. 0
  /// where they do not occur, or the first does not begin a word.
  private static func scattered(_ letters: [UInt8], in name: [String]) -> Double {
    if letters.count < 3 { return 0 }
    return name.indices.map { first in
      var (next, good) = (0, 0)
      for word in name[first...] {
        var isAtHand = true
        for letter in word.utf8 {
          if next == letters.count { break }
          if letter == letters[next] {
            next += 1
            if isAtHand { good += 1 }
            isAtHand = true
          } else if next == 0 {
            return 0
          } else {
            isAtHand = false
          }
        }
      }
      return next == letters.count ? Double(good) / Double(letters.count) : 0
    }.max() ?? 0
  }

  // MARK: Keywords

  /// How well words fit a keyword: all of it, its beginning, or some of its words.
  private static func score(_ wanted: [String], _ keyword: Entry) -> Double {
    let words = keyword.words
    guard wanted.count <= words.count, let last = wanted.last else { return 0 }
    let weight = keyword.strength == .descriptor ? 0.6 : keyword.strength == .flavor ? 0.9 : 1
    if wanted == words { return 1.1 * weight }
    let isBeginning = words.starts(with: wanted.dropLast()) && words[wanted.count - 1].hasPrefix(last)
    if isBeginning, last.utf8.count >= 3 || wanted.count > 1 { return 0.55 * weight }
    return wanted.allSatisfy(words.contains) ? 0.5 * weight : 0
  }
}
