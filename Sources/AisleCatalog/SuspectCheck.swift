public import AisleCore
import KeywordStrategy

/// Finds lines in a store's files that are no errors but are worth a second look, since lines like them have decided what they should not.
public struct SuspectCheck {
  private let taxonomy: Taxonomy
  /// The words of each keyword, normalized.
  private let words: [[Substring]]

  /// All suspects, by location.
  public static func findings(in taxonomy: Taxonomy) -> [Finding] {
    let check = SuspectCheck(taxonomy)
    return (check.descriptionsAlone() + check.strayNames() + check.ambiguousSpellings()).sorted { $0.location < $1.location }
  }

  private init(_ taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    words = taxonomy.keywords.map { Normalizer.normalize($0.text).split(separator: " ") }
  }

  /// Keywords of several words that all only describe, like `organic whole`: they stand beside products of any section.
  private func descriptionsAlone() -> [Finding] {
    var describing = KeywordStrategy.wordsWithoutContent
    for (keyword, words) in zip(taxonomy.keywords, words) where keyword.strength == .descriptor && words.count == 1 {
      describing.insert(String(words[0]))
    }
    return zip(taxonomy.keywords, words).compactMap { keyword, words in
      guard keyword.strength != .descriptor, words.count > 1, words.allSatisfy({ describing.contains(String($0)) }) else {
        return nil
      }
      return Finding(
        keyword.location,
        "keyword `\(keyword.text)` has only descriptive words, and decides whatever product they are next to; add the product's name"
      )
    }
  }

  /// How many keywords must end with a name, and how many in a hundred of these must stand in one other section.
  private static let (leastKeywords, leastShare) = (4, 75)

  /// Bare names that stand elsewhere than most longer names which end with them: `wings` in Frozen Foods, `chicken wings` in Meat & Seafood.
  private func strayNames() -> [Finding] {
    var sections: [Substring: [SectionID: Int]] = [:]
    for (keyword, words) in zip(taxonomy.keywords, words) where words.count > 1 {
      guard let last = words.last else { continue }
      sections[Self.singular(last), default: [:]][keyword.section, default: 0] += 1
    }
    return zip(taxonomy.keywords, words).compactMap { keyword, words in
      guard keyword.strength != .descriptor, words.count == 1, let counts = sections[Self.singular(words[0])] else { return nil }
      let total = counts.values.reduce(0, +)
      guard let (section, count) = counts.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
        section != keyword.section, total >= Self.leastKeywords, count * 100 >= total * Self.leastShare
      else { return nil }
      return Finding(
        keyword.location,
        "keyword `\(keyword.text)` is in \(taxonomy[keyword.section].name), but \(count) of \(total) keywords that end with it are in "
          + "\(taxonomy[section].name); check which is meant")
    }
  }

  /// Spellings of phrases with a word that is itself a spelling of another one, and so stand for two things: where `w` is `with`,
  /// `w sauce` is `with sauce` too.
  private func ambiguousSpellings() -> [Finding] {
    var standards: [String: Spelling] = [:]
    for spelling in taxonomy.spellings where !spelling.variant.contains(" ") && !spelling.standard.contains(" ") {
      standards[Normalizer.normalize(spelling.variant)] = spelling
    }
    return taxonomy.spellings.compactMap { spelling in
      let meant = Set(Normalizer.normalize(spelling.standard).split(separator: " ").map(String.init))
      let words = Normalizer.normalize(spelling.variant).split(separator: " ").map(String.init)
      guard words.count > 1 || meant.count > 1,
        let other = words.compactMap({ standards[$0] }).first(where: { !meant.contains(Normalizer.normalize($0.standard)) })
      else { return nil }
      let read = words.map { standards[$0].map { Normalizer.normalize($0.standard) } ?? $0 }.joined(separator: " ")
      return Finding(
        spelling.location,
        "spelling `\(spelling.variant)` makes \(spelling.standard) of `\(read)` too, since `\(other.variant)` stands for "
          + "`\(other.standard)` on \(other.location.named(in: spelling.location.path)); remove one")
    }
  }

  /// A word without the `s` of its plural.
  private static func singular(_ word: Substring) -> Substring {
    word.hasSuffix("s") && !word.hasSuffix("ss") ? word.dropLast() : word
  }
}
