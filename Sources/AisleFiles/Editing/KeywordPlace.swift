import AisleCore

/// Finds where in a list of keywords a new one goes: by the alphabet in a list that follows it, else after its nearest relative.
enum KeywordPlace {
  /// The place in `keywords` of the one that the new keyword goes after; `nil` where nothing is like it.
  ///
  /// - Complexity: O(bytes of the keywords).
  static func predecessor(of keyword: String, among keywords: [String]) -> Int? {
    let new = Normalizer.normalize(keyword)
    let normalized = keywords.map { Normalizer.normalize($0) }
    if keywords.count >= 8, zip(normalized, normalized.dropFirst()).allSatisfy({ $0 <= $1 }) {
      return normalized.lastIndex { $0 <= new }
    }
    let words = new.split(separator: " ")
    var best: (score: Int, place: Int)?
    for (place, other) in normalized.enumerated() {
      let theirs = other.split(separator: " ")
      // The head comes last, so keywords that end alike are nearest; then those that share other words.
      let ending = zip(words.reversed(), theirs.reversed()).prefix { $0 == $1 }.count
      let shared = words.count { theirs.contains($0) }
      let score = 4 * ending + 2 * shared
      if score > 0, score >= best?.score ?? 0 { best = (score, place) }
    }
    return best?.place
  }
}
