public import AisleCore
import KeywordStrategy

/// Explains why spellings have no effect.
public struct SpellingCheck {
  private let taxonomy: Taxonomy
  /// Whether a keyword that is missing may stand on a shelf that has errors.
  private let mayLackKeywords: Bool
  private let variants: [String]
  private let standards: [String]
  private let keywords: [String]
  /// The words of keywords, singular and plural alike.
  private let words: Set<UInt64>
  private let scanner = Words()

  /// The findings on spellings without effect.
  ///
  /// - Parameters:
  ///   - spellings: The spellings that the keyword strategy could not use.
  ///   - findings: The store's other findings.
  public static func findings(on spellings: [Spelling], in taxonomy: Taxonomy, beside findings: [Finding]) -> [Finding] {
    if spellings.isEmpty { return [] }
    let check = SpellingCheck(taxonomy, findings)
    return spellings.compactMap { spelling in
      check.reason(spelling).map {
        Finding(spelling.location, "spelling `\(spelling.variant)` has no effect: \($0)")
      }
    }
  }

  private init(_ taxonomy: Taxonomy, _ findings: [Finding]) {
    self.taxonomy = taxonomy
    mayLackKeywords = findings.contains { $0.location.path.contains("/shelves/") }
    variants = taxonomy.spellings.map { Normalizer.normalize($0.variant) }
    standards = taxonomy.spellings.map { Normalizer.normalize($0.standard) }
    keywords = taxonomy.keywords.map { Normalizer.normalize($0.text) }
    words = Set(keywords.lazy.flatMap { $0.split(separator: " ") }.map { [scanner] in scanner.key(ofWord: Array($0.utf8)) })
  }

  /// Why a spelling has no effect, and what to do; `nil` where that may be since a shelf could not be read.
  private func reason(_ spelling: Spelling) -> String? {
    guard let place = taxonomy.spellings.lastIndex(of: spelling) else { return nil }
    let (variant, standard) = (variants[place], standards[place])
    let isWord = !variant.contains(" ") && !standard.contains(" ")
    if variant.isEmpty { return "it has no letter or digit; remove it" }
    if let first = variants[..<place].firstIndex(of: variant) {
      let earlier = taxonomy.spellings[first]
      return "it already stands for `\(earlier.standard)` on line \(earlier.location.line); keep one"
    }
    if isWord, variant == standard { return "it stands for itself; remove it" }
    if isWord, let first = standards[..<place].firstIndex(of: variant) {
      let earlier = taxonomy.spellings[first]
      return "`\(earlier.variant)` already stands for it on line \(earlier.location.line); keep one"
    }
    if !isWord, let keyword = keywords.firstIndex(of: variant) {
      return "it is already a keyword at \(location(keyword)); keep one"
    }
    let isKnown = isWord ? words.contains(scanner.key(ofWord: Array(standard.utf8))) : keywords.contains(standard)
    if isKnown || variants.contains(standard) { return "it already has a meaning; remove it" }
    if mayLackKeywords { return nil }
    return isWord
      ? "no keyword has the word `\(spelling.standard)`; remove it" : "`\(spelling.standard)` is not a keyword; remove it"
  }

  private func location(_ place: Int) -> String {
    let location = taxonomy.keywords[place].location
    return "\(location.path):\(location.line)"
  }
}
