/// Says which of several languages a list is in, by how often the list's words occur in each language's keywords: a word that only one
/// language has says most, and one that all have says nothing.
///
/// This is naive Bayes on words, each counted once. A list is in the first language unless another is likelier by far: a list in English
/// has words from abroad, and a few words tell little.
public struct LanguageDetector: Sendable {
  /// The ids of the languages; the first is for lists that are in none of the others.
  public let languages: [String]
  /// Where the counts of a word begin, by its key.
  private var places: [UInt64: Int] = [:]
  /// How often each language has each word.
  private var counts: [UInt16] = []
  /// How many words each language has, repeated ones too.
  private var totals: [Int]
  /// The logarithms of small counts, with what is added to them.
  private let logarithms: [Float]

  /// How much of a list is looked at, in bytes.
  package static let mostBytes = 64 * 1024
  /// The shortest word that counts: single letters are parts of too many things.
  private static let shortestWord = 2
  /// What is added to each count, so that a word that a language lacks rules nothing out.
  private static let least: Float = 0.1
  /// How much likelier than the first language another must be, as a logarithm. With 4, all lists of 10 to 40 items in eight languages are
  /// found, 99 of 100 of 3 to 8 items, and as many in English.
  private static let lead: Float = 4

  /// Knows no words yet.
  ///
  /// - Parameter languages: Their ids, each once.
  package init(_ languages: [String]) {
    self.languages = languages
    totals = [Int](repeating: 0, count: languages.count)
    logarithms = (0..<256).map { Exponential.logarithm(Float($0) + Self.least) }
  }

  /// A workspace for texts that are added.
  package static func makeWords() -> Words {
    let words = Words()
    words.cutsAtApostrophes = true
    return words
  }

  /// Adds the words of a text.
  ///
  /// - Parameters:
  ///   - text: `Batch.padding` bytes past its end must be readable.
  ///   - language: The place of a language in `languages`.
  ///   - times: How often each of its words counts.
  package mutating func add(
    _ text: UnsafePointer<UInt8>, count: Int, to language: Int, times: Int = 1, with scanner: Words
  ) {
    scanner.scan(text, count: count)
    Self.forEachWord(of: scanner) { key in
      let place = places[key] ?? counts.count
      if place == counts.count {
        places[key] = place
        counts += repeatElement(0, count: languages.count)
      }
      counts[place + language] = UInt16(clamping: Int(counts[place + language]) + times)
      totals[language] += times
    }
  }

  /// Adds the words of a text.
  package mutating func add(_ text: String, to language: Int, times: Int = 1, with scanner: Words) {
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: Batch.padding)
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      add(base, count: buffer.count - Batch.padding, to: language, times: times, with: scanner)
    }
  }

  /// The id of the language that a list is in.
  public func language(of items: [String]) -> String {
    var text: [UInt8] = []
    var extents: ContiguousArray<Batch.Extent> = []
    for item in items {
      extents.append(Batch.Extent(start: UInt32(text.count), length: UInt32(item.utf8.count)))
      text += Array(item.utf8)
    }
    return language(of: text + [UInt8](repeating: 0, count: Batch.padding), extents)
  }

  /// The id of the language that a list is in.
  ///
  /// - Parameters:
  ///   - text: What the items are in; it ends in `Batch.padding` zeros.
  ///   - extents: The items.
  /// - Complexity: O(bytes of the items), of which the first 64 KiB are looked at.
  package func language(of text: [UInt8], _ extents: ContiguousArray<Batch.Extent>) -> String {
    let scanner = Self.makeWords()
    let sizes = totals.map { Exponential.logarithm(Float(max($0, 1))) }
    var seen: Set<Int> = []
    var likelihoods = [Float](repeating: 0, count: languages.count)
    var bytes = 0
    text.withUnsafeBufferPointer { text in
      guard let base = text.baseAddress else { return }
      for extent in extents where bytes < Self.mostBytes {
        bytes += Int(extent.length)
        scanner.scan(base + Int(extent.start), count: Int(extent.length))
        Self.forEachWord(of: scanner) { key in
          // A word counts once, however often it stands on the list.
          guard let place = places[key], seen.insert(place).inserted else { return }
          for language in languages.indices {
            likelihoods[language] += logarithms[min(Int(counts[place + language]), 255)] - sizes[language]
          }
        }
      }
    }
    guard let most = likelihoods.max(), let best = likelihoods.firstIndex(of: most) else { return Language.english }
    return languages[most > likelihoods[0] + Self.lead ? best : 0]
  }

  private static func forEachWord(of scanner: Words, _ body: (UInt64) -> Void) {
    for word in 0..<scanner.count where !scanner.marks[word].contains(.digit) {
      if Int(scanner.bounds[2 * word + 1]) - Int(scanner.bounds[2 * word]) >= shortestWord { body(scanner.keys[word]) }
    }
  }
}
