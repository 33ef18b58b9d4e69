import AisleCore

/// An item's words, for comparing it with a correction: slower to make than a signature, and made only where those agree.
struct ItemWords {
  struct Word {
    /// Folded, as in normalized form.
    let text: [UInt8]
    /// That of the singular.
    let key: UInt64
    let isMeasure: Bool
  }

  /// All words.
  let all: [Word]
  /// The words that say what it is; all of them where each says only how much.
  let content: [Word]
  /// Whether a comma or the like stands in it.
  let hasBreaks: Bool

  init(_ item: some Collection<UInt8>, _ words: Words = Words()) {
    let bytes = Array(item) + [UInt8](repeating: 0, count: Batch.padding)
    let count = item.count
    let measures = MeasureWords.shared
    all = bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return [] }
      words.scan(base, count: count)
      return (0..<words.count).map { word in
        let range = Int(words.bounds[2 * word])..<Int(words.bounds[2 * word + 1])
        return Word(
          text: range.map { words.text[$0] &- 0x41 < 26 ? words.text[$0] | 0x20 : words.text[$0] }, key: words.keys[word],
          isMeasure: words.marks[word].contains(.digit) || measures.contains(words.keys[word]))
      }
    }
    hasBreaks = words.hasBreaks
    let content = all.filter { !$0.isMeasure }
    self.content = content.isEmpty ? all : content
  }
}
