/// Decides when two texts mean the same item.
public enum Normalizer {
  /// A text's words in folded form, separated by single spaces. Case, diacritics, width, punctuation, and apostrophes are folded, and
  /// `&` reads as `and`. Plurals stay as they are.
  ///
  /// `normalize("Crème Fraîche, 8oz")` is `creme fraiche 8oz`.
  ///
  /// - Complexity: O(length). At most `Words.maximumBytes` bytes and `Words.capacity` words are read.
  public static func normalize(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let length = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Batch.padding))
    let words = Words()
    return bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return "" }
      words.scan(base, count: length)
      var normalized: [UInt8] = []
      for word in 0..<words.count {
        if word > 0 { normalized.append(0x20) }
        for offset in Int(words.bounds[2 * word])..<Int(words.bounds[2 * word + 1]) {
          let byte = words.text[offset]
          normalized.append(byte.lowercasedASCII)
        }
      }
      return String(decoding: normalized, as: UTF8.self)
    }
  }
}
