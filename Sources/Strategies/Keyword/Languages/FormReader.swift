import AisleCore

/// Reads words that no keyword has as they are: as other forms of known words, and as compounds of them.
final class FormReader {
  private let index: PhraseIndex
  private let finder: PhraseIndex.Finder
  private let languages: LanguageTable
  /// A word's letters in lower case, then `Batch.padding` bytes.
  private let letters: UnsafeMutablePointer<UInt8>
  /// The parts of a compound.
  private let parts: UnsafeMutablePointer<Part>
  private let memo = WordMemo(Memory())
  /// The rows of all keywords, the first one's place.
  private let rows: UnsafePointer<KeywordTable.Entry>
  /// The words that are the first parts of compounds, a bit each: what is known of them only says which kind the last part is of.
  var modifiers: UInt64 = 0

  private static let capacity = LanguageTable.Reading.longestWord
  /// The shortest word that is split, part, and part beside one that is unknown or no keyword.
  private static var shortestCompound: Int { 6 }
  private static var shortestPart: Int { 3 }
  private static var shortestSure: Int { 4 }
  /// What words do that only say how a product is measured, cut, or kept.
  private static var handling: UInt32 { Grammar.Role([.measure, .prepares, .moves]).rawValue }
  /// The most parts before the last.
  private static let maximumParts = 3

  init(_ index: PhraseIndex, _ finder: PhraseIndex.Finder) {
    self.index = index
    self.finder = finder
    languages = index.languages
    rows = index.taxonomy.keywords.firstEntry
    letters = .allocate(capacity: Self.capacity + Batch.padding)
    letters.initialize(repeating: 0, count: Self.capacity + Batch.padding)
    parts = .allocate(capacity: Self.maximumParts + 1)
  }

  deinit {
    letters.deallocate()
    parts.deallocate()
    memo.deallocate()
  }

  /// What became of the words of an item.
  struct Change {
    /// Those that are others now, a bit each, by their places when they were read.
    var words: UInt64 = 0
    /// Whether some were split, so that later ones are not where they were.
    var splits = false
  }

  /// Reads the unknown words of an item.
  ///
  /// - Parameters:
  ///   - numbers: Each word's number, 0 for an unknown word; brought up to date.
  ///   - readsParts: Whether to read words too that are no keyword by themselves, though longer keywords have them, and compounds whose last
  ///     part is no product: for an item in which nothing else is known.
  func read(_ words: Words, _ numbers: UnsafeMutablePointer<UInt32>, readsParts: Bool = false) -> Change {
    var change = Change()
    var place = 0
    while place < words.count {
      defer { place += 1 }
      guard numbers[place] == 0 || readsParts && isPart(numbers[place]) else { continue }
      let word = recall(words, place, readsParts: readsParts)
      change.words |= (word.count > 0 ? 1 : 0) &<< UInt64(place)
      change.splits = change.splits || word.count > 1
      if word.count == 1 { numbers[place] = parts[0].number }
      if word.count > 1 { place = split(words, numbers, place, word.count, modifiers: word.modifiers) }
    }
    return change
  }

  /// How a word was read.
  private struct ReadWord {
    /// How many of `parts` it has: one for another form, none for a word that stays unknown.
    var count = 0
    /// How many of them only say which kind the others are of.
    var modifiers = 0
    /// The last part of a word that stays unknown, where that one is known.
    var unsure: Part?
  }

  /// Reads a word into `parts`.
  private func readWord(_ words: Words, _ place: Int, readsParts: Bool) -> ReadWord {
    var word = ReadWord()
    guard let length = load(words, place) else { return word }
    for reading in languages.readings {
      if let number = form(letters, length, reading, where: { !readsParts || keyword($0, reading) != nil }) {
        parts[0] = Part(start: 0, number: number)
        return ReadWord(count: 1)
      }
      guard reading.makesCompounds else { continue }
      switch compound(length, reading) {
      case .sure(let count): return ReadWord(count: count, modifiers: count - 1)
      case .unsure(let part): word.unsure = word.unsure ?? part
      case .none: break
      }
      if readsParts, let count = measured(length, reading) { return ReadWord(count: count, modifiers: count - 2) }
    }
    return word
  }

  /// What a word was read as lately.
  private struct Memory: BitwiseCopyable {
    var count: UInt8 = 0
    var modifiers: UInt8 = 0
    var starts = SIMD4<UInt8>()
    var numbers = SIMD4<UInt32>()
    /// The last part of a word that stays unknown; it begins at 0 where there is none.
    var unsure = Part(start: 0, number: 0)
  }

  /// Reads a word as `readWord` does, or as it did lately.
  private func recall(_ words: Words, _ place: Int, readsParts: Bool = false) -> ReadWord {
    // By its parts a word is another one, under a key of its own.
    let memory = memo.value(of: readsParts ? ~words.formKey(place) : words.formKey(place)) {
      let word = readWord(words, place, readsParts: readsParts)
      var memory = Memory(count: UInt8(word.count), modifiers: UInt8(word.modifiers))
      for part in 0..<word.count { (memory.starts[part], memory.numbers[part]) = (parts[part].start, parts[part].number) }
      if let unsure = word.unsure { memory.unsure = unsure }
      return memory
    }
    let count = Int(memory.count)
    for part in 0..<count { parts[part] = Part(start: memory.starts[part], number: memory.numbers[part]) }
    return ReadWord(count: count, modifiers: Int(memory.modifiers), unsure: memory.unsure.start == 0 ? nil : memory.unsure)
  }

  /// Whether a known word does nothing and is no keyword by itself.
  private func isPart(_ number: UInt32) -> Bool {
    finder.roles(number) == 0 && finder.ending(finder.row(number), isPlural: false) == .none
  }

  /// Splits an unknown word behind an unknown part; gives the place of the last part.
  func splitUnsure(_ words: Words, _ numbers: UnsafeMutablePointer<UInt32>, _ place: Int) -> Int? {
    guard let unsure = recall(words, place).unsure else { return nil }
    parts[0] = Part(start: 0, number: 0)
    parts[1] = unsure
    return split(words, numbers, place, 2, modifiers: 1)
  }

  /// Puts a word's letters into `letters`; `nil` for one that is too long or too short, or has digits.
  private func load(_ words: Words, _ place: Int) -> Int? {
    let (start, end) = (Int(words.bounds[2 * place]), Int(words.bounds[2 * place + 1]))
    guard (Self.shortestPart...Self.capacity).contains(end - start) else { return nil }
    for byte in start..<end {
      let letter = words.text[byte].lowercasedASCII
      if letter.isASCIIDigit { return nil }
      letters[byte - start] = letter
    }
    return end - start
  }

  /// The number of the word that letters are a form of, the first one that may be it.
  @inline(__always)
  private func form(
    _ letters: UnsafeMutablePointer<UInt8>, _ count: Int, _ reading: LanguageTable.Reading,
    where mayBe: (UInt32) -> Bool = { _ in true }
  ) -> UInt32? {
    var found: UInt32 = 0
    reading.forEachStem(UnsafeBufferPointer(start: letters, count: count)) { stem in
      found = finder.word(stem)
      if found != 0, !mayBe(found) { found = 0 }
      return found == 0
    }
    return found == 0 ? nil : found
  }

  // MARK: Compounds

  /// A part of a word: where it begins, and its number, 0 for an unknown one.
  private struct Part: BitwiseCopyable {
    var start: UInt8
    var number: UInt32

    init(start: UInt8, number: UInt32) { (self.start, self.number) = (start, number) }
    init(start: Int, number: UInt32) { self.init(start: UInt8(truncatingIfNeeded: start), number: number) }
  }

  /// How a word was split.
  private enum Compound {
    case none
    /// A keyword behind known parts: how many parts with it.
    case sure(Int)
    /// A keyword behind one unknown part.
    case unsure(Part)
  }

  /// Splits the loaded word into `parts`: the longest last part that is a keyword behind known ones; else behind something unknown. None
  /// where two ways to split it lead to different sections.
  private func compound(_ length: Int, _ reading: LanguageTable.Reading) -> Compound {
    guard length >= Self.shortestCompound else { return .none }
    var best: (count: Int, section: UInt8)?
    var unsure: Part?
    for start in Self.shortestPart...length - Self.shortestPart {
      guard let number = known(start, length, reading), let ending = keyword(number, reading) else { continue }
      if let best {
        if ending.section != best.section, word(0, start) != 0 { return .none }
      } else if let count = splitKnown(0, start, reading, into: 0) {
        parts[count] = Part(start: start, number: number)
        best = (count + 1, ending.section)
      } else if unsure == nil, length - start >= Self.shortestSure {
        unsure = Part(start: start, number: number)
      }
    }
    if let best { return .sure(best.count) }
    return unsure.map(Compound.unsure) ?? .none
  }

  /// Splits the loaded word into `parts` where the last one only measures, cuts, or moves the keyword before it: `Korianderzweige`.
  ///
  /// - Returns: How many parts there are.
  private func measured(_ length: Int, _ reading: LanguageTable.Reading) -> Int? {
    guard length >= Self.shortestPart + Self.shortestSure else { return nil }
    for start in Self.shortestPart...length - Self.shortestSure {
      let number = word(start, length)
      guard number != 0, finder.roles(number) & Self.handling != 0, let count = splitKnown(0, start, reading, into: 0),
        keyword(parts[count - 1].number, reading) != nil
      else { continue }
      parts[count] = Part(start: start, number: number)
      return count + 1
    }
    return nil
  }

  /// Splits letters into as few known words as there are, each perhaps with a link behind it.
  ///
  /// - Parameter count: How many parts stand before them.
  /// - Returns: How many there are then.
  private func splitKnown(_ start: Int, _ end: Int, _ reading: LanguageTable.Reading, into count: Int) -> Int? {
    if count == Self.maximumParts { return nil }
    if let number = knownWithLink(start, end, reading) {
      parts[count] = Part(start: start, number: number)
      return count + 1
    }
    for middle in stride(from: end - Self.shortestPart, through: start + Self.shortestPart, by: -1) {
      guard let number = knownWithLink(start, middle, reading), let all = splitKnown(middle, end, reading, into: count + 1) else {
        continue
      }
      parts[count] = Part(start: start, number: number)
      return all
    }
    return nil
  }

  private func knownWithLink(_ start: Int, _ end: Int, _ reading: LanguageTable.Reading) -> UInt32? {
    if let number = known(start, end, reading) { return number }
    for link in reading.links where end - start - link.count >= Self.shortestPart {
      let isThere = link.indices.allSatisfy { letters[end - link.count + $0] == link[$0] }
      if isThere, let number = known(start, end - link.count, reading) { return number }
    }
    return nil
  }

  /// The number of a part; a short one must be a keyword of the language.
  private func known(_ start: Int, _ end: Int, _ reading: LanguageTable.Reading) -> UInt32? {
    guard end - start >= Self.shortestPart else { return nil }
    var number = word(start, end)
    if number == 0, end - start > Self.shortestSure {
      number = form(letters + start, end - start, reading) ?? 0
    }
    if number == 0 || end - start < Self.shortestSure && keyword(number, reading) == nil { return nil }
    return number
  }

  private func word(_ start: Int, _ end: Int) -> UInt32 {
    finder.word(WordKey.key(letters + start, end - start, caseBits: 0).key)
  }

  /// What a word alone is in a language, if it is a keyword and no mere description.
  private func keyword(_ number: UInt32, _ reading: LanguageTable.Reading) -> PhraseIndex.Ending? {
    let ending = finder.ending(finder.row(number), isPlural: false)
    guard ending != .none, index.holds(ending), ending.strength > Keyword.Strength.descriptor.rawValue else { return nil }
    let language = language(of: ending.keyword)
    return language == reading.number || language == 0 ? ending : nil
  }

  /// The number of a keyword's language: see `KeywordTable.Entry.language`.
  @inline(__always)
  func language(of keyword: KeywordID) -> UInt16 { rows[Int(keyword.rawValue)].language }

  /// Splits a word of an item at its `parts`, the first of which are modifiers; gives the place of the last one.
  private func split(
    _ words: Words, _ numbers: UnsafeMutablePointer<UInt32>, _ place: Int, _ count: Int, modifiers modifierCount: Int
  ) -> Int {
    let added = count - 1
    guard words.count + added <= Words.capacity else { return place }
    for later in stride(from: words.count - 1, to: place, by: -1) { numbers[later + added] = numbers[later] }
    for part in (1..<count).reversed() { _ = words.split(place, at: Int(parts[part].start)) }
    for part in 0..<count { numbers[place + part] = parts[part].number }
    modifiers |= (1 &<< UInt64(modifierCount) &- 1) &<< UInt64(place)
    return place + added
  }
}
