import AisleCore

extension StoreParts {
  /// Takes a keyword away from the shelves of all languages, or from one of them; gives what was there.
  ///
  /// - Parameter bare: The keyword in its bare form.
  /// - Complexity: O(keywords of the languages) the first time.
  mutating func silence(_ bare: String, on shelf: String?) -> [Located<String>] {
    let known = spoken ?? spokenKeywords()
    spoken = known
    let found = (known[bare] ?? []).filter { shelf == nil || $0.shelf == shelf }.map(\.keyword)
    return found.filter { silenced.insert($0.location).inserted }
  }

  private func spokenKeywords() -> [String: [(shelf: String, keyword: Located<String>)]] {
    var known: [String: [(shelf: String, keyword: Located<String>)]] = [:]
    for language in languages {
      for (shelf, text) in language.shelves {
        text.bytes.withUnsafeBufferPointer { bytes in
          forEachLine(of: bytes) { line, column, written in
            let value = String(decoding: written, as: UTF8.self)
            let location = SourceLocation(path: text.path, line: line, column: column)
            known[Self.bare(value), default: []].append((shelf, Located(value: value, location: location)))
          }
        }
      }
    }
    return known
  }
}
