import AisleCore

/// Finds JSON in what a model wrote: models put fences around it, and words before and after.
enum AnswerText {
  /// The JSON values of a text; none where it has none.
  static func values(in text: String) -> [JSONValue] {
    if let whole = value(text) { return [whole] }
    let fenced = text.components(between: "```").compactMap { block in
      value(block) ?? block.firstIndex(where: \.isNewline).flatMap { value(block[$0...]) }
    }
    if !fenced.isEmpty { return fenced }
    guard let start = text.firstIndex(where: { "{[".contains($0) }), let end = text.lastIndex(where: { "}]".contains($0) }),
      start < end
    else { return [] }
    return value(text[start...end]).map { [$0] } ?? []
  }

  /// An object or array that is all of a text.
  private static func value(_ text: some StringProtocol) -> JSONValue? {
    switch try? JSONValue(Array(text.utf8)) {
    case let value? where value.elements != nil || value.names != nil: value
    default: nil
    }
  }
}

extension String {
  /// What stands between a mark and the next, and so on.
  fileprivate func components(between mark: String) -> [Substring] {
    let parts = split(separator: mark, omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
  }
}
