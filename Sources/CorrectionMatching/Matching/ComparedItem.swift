import AisleCore

/// An item's words, for comparing it with a correction: a workspace that is read into again and again.
final class ComparedItem {
  /// All words.
  let words = Words()
  /// The places of the words that say what it is; of all words where each says only how much.
  @exclusivity(unchecked) private(set) var content: ContiguousArray<Int> = []

  private static let capacity = Words.maximumBytes
  private let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Batch.padding)

  init() {
    scratch.initialize(repeating: 0, count: Self.capacity + Batch.padding)
    content.reserveCapacity(Words.capacity)
  }

  deinit { scratch.deallocate() }

  /// Reads an item, copying it.
  func read(_ item: UnsafeBufferPointer<UInt8>) {
    let count = min(item.count, Self.capacity)
    if let base = item.baseAddress { scratch.update(from: base, count: count) }
    (scratch + count).update(repeating: 0, count: Batch.padding)
    words.scan(scratch, count: count)
    content.removeAll(keepingCapacity: true)
    for word in 0..<words.count where !isMeasure(word) { content.append(word) }
    if content.isEmpty { content.append(contentsOf: 0..<words.count) }
  }

  /// The key of a word that says what it is.
  func key(_ place: Int) -> UInt64 { words.keys[content[place]] }

  /// The keys of some of the words that say what it is.
  func keys(_ places: Range<Int>) -> ArraySlice<UInt64> { places.map(key)[...] }

  private func isMeasure(_ word: Int) -> Bool { MeasureWords.shared.contains(word, of: words) }

  /// Whether both have the same words, letter by letter, in the same order.
  func hasSameWords(as other: ComparedItem) -> Bool {
    words.count == other.words.count && (0..<words.count).allSatisfy { isSameWord($0, other, $0) }
  }

  /// Whether both say the same of how much.
  func hasSameMeasures(as other: ComparedItem) -> Bool {
    var place = 0
    for word in 0..<words.count where isMeasure(word) {
      while place < other.words.count, !other.isMeasure(place) { place += 1 }
      if place == other.words.count || !isSameWord(word, other, place) { return false }
      place += 1
    }
    while place < other.words.count, !other.isMeasure(place) { place += 1 }
    return place == other.words.count
  }

  private func isSameWord(_ word: Int, _ other: ComparedItem, _ place: Int) -> Bool {
    if words.keys[word] != other.words.keys[place] { return false }
    let (left, right) = (letters(word), other.letters(place))
    guard left.count == right.count else { return false }
    for offset in 0..<left.count where left[offset].lowercasedASCII != right[offset].lowercasedASCII { return false }
    return true
  }

  private func letters(_ word: Int) -> UnsafeBufferPointer<UInt8> {
    let start = Int(words.bounds[2 * word])
    return UnsafeBufferPointer(start: words.text + start, count: Int(words.bounds[2 * word + 1]) - start)
  }

  /// A word that says what it is, folded as in normalized form.
  func text(_ place: Int) -> [UInt8] { letters(content[place]).map(\.lowercasedASCII) }

  /// Whether both are the same words, in whatever order.
  func hasSameContent(as other: ComparedItem) -> Bool {
    let count = content.count
    guard count == other.content.count else { return false }
    for place in 0..<count {
      let key = key(place)
      var balance = 0
      for index in 0..<count { balance += (self.key(index) == key ? 1 : 0) - (other.key(index) == key ? 1 : 0) }
      if balance != 0 { return false }
    }
    return true
  }

  /// Whether both say what it is with the same words in the same order.
  func hasSameName(as other: ComparedItem) -> Bool {
    content.count == other.content.count && (0..<content.count).allSatisfy { key($0) == other.key($0) }
  }
}
