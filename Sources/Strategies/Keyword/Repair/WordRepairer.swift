import AisleCore

/// Reads words that are unknown as written as the known ones that were meant: split or joined by the wrong blank, with a digit or
/// another letter that looks alike, with one slip of the hand, or without vowels.
///
/// It is asked only about items whose known words leave the product open, or may be a part of its name.
struct WordRepairer {
  private let index: PhraseIndex
  private let finder: PhraseIndex.Finder
  /// A word's letters in lower case, then `Batch.padding` bytes.
  private let letters: UnsafeMutablePointer<UInt8>
  /// Another reading of them.
  private let other: UnsafeMutablePointer<UInt8>
  /// The numbers that unknown words were read as, 0 for what stays unknown.
  private let memo = WordMemo(UInt32(0))

  /// The longest word that is read otherwise.
  private static let capacity = 32
  /// The most words that are joined to one, and that one is split into.
  private static let maximumParts = 4
  /// The shortest word in another language than English in which a slip is looked for: no list of its real words says what is none.
  private static let shortestForeign = 6
  /// Letters that look like others, as scanners and tired eyes read them.
  private static let lookAlikes: [(written: [UInt8], meant: [UInt8])] = [
    ("rn", "m"), ("vv", "w"), ("cl", "d"), ("m", "rn"), ("ii", "u"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  init(_ index: PhraseIndex, _ finder: PhraseIndex.Finder) {
    self.index = index
    self.finder = finder
    letters = .allocate(capacity: Self.capacity + Batch.padding)
    other = .allocate(capacity: Self.capacity + Batch.padding)
    letters.initialize(repeating: 0, count: Self.capacity + Batch.padding)
    other.initialize(repeating: 0, count: Self.capacity + Batch.padding)
  }

  func deallocate() {
    letters.deallocate()
    other.deallocate()
    memo.deallocate()
  }

  /// Reads unknown words otherwise where that makes them known.
  ///
  /// - Parameters:
  ///   - numbers: Each word's number, 0 for an unknown word; brought up to date.
  ///   - item: The item as it was written.
  ///   - segment: Words after this segment are left as they are: "softened" in "cream cheese, softened" names no good.
  ///   - forms: What splits compounds with an unknown part, in languages that make some.
  /// - Returns: whether anything is read otherwise, and the words that were one word in lower case, a bit each.
  func repair(
    _ words: Words, of item: UnsafePointer<UInt8>, _ numbers: UnsafeMutablePointer<UInt32>, upTo segment: UInt8,
    _ forms: FormReader?
  ) -> (isRepaired: Bool, split: UInt64) {
    var (isRepaired, splitWords) = (false, UInt64(0))
    var place = 0
    while place < words.count {
      defer { place += 1 }
      guard numbers[place] == 0 else { continue }
      if words.hasBreaks, words.segments[place] > segment { break }
      if let joined = joined(words, place) {
        words.join(joined)
        let removed = joined.count - 1
        for later in joined.lowerBound + 1..<max(words.count, joined.lowerBound + 1) { numbers[later] = numbers[later + removed] }
        place = joined.lowerBound
        splitWords &= (1 &<< UInt64(place)) &- 1
        numbers[place] = finder.word(words.keys[place])
        isRepaired = true
      } else if let length = load(words, place) {
        let isShouted = isShouted(words, item, place)
        // Words in capitals are read otherwise, and so are others under their keys.
        let found = memo.value(of: isShouted ? ~words.formKey(place) : words.formKey(place)) {
          read(length, isShouted: isShouted) ?? 0
        }
        if found != 0 {
          numbers[place] = found
          isRepaired = true
        } else if let last = split(words, numbers, place, length) {
          if !isShouted, !hasDigits(length) {
            for part in place...last { splitWords |= 1 &<< UInt64(part) }
          }
          place = last
          isRepaired = true
        } else if let last = forms?.splitUnsure(words, numbers, place) {
          place = last
          isRepaired = true
        }
      }
    }
    return (isRepaired, splitWords)
  }

  // MARK: Joining

  /// The longest row of words around an unknown one that one word is when the blanks are left out.
  private func joined(_ words: Words, _ place: Int) -> ClosedRange<Int>? {
    var best: (range: ClosedRange<Int>, length: Int)?
    for first in max(0, place - 2)...place {
      var length = 0
      var shortest = Int.max
      for last in first..<min(first + Self.maximumParts, words.count) {
        let (start, end) = (Int(words.bounds[2 * last]), Int(words.bounds[2 * last + 1]))
        guard length + end - start <= Self.capacity, !words.marks[last].contains(.digit) else { break }
        if last > first, start != Int(words.bounds[2 * last - 1]) + 1 || words.text[start - 1] != 0x20 { break }
        for byte in start..<end {
          letters[length] = words.text[byte].lowercasedASCII
          length += 1
        }
        shortest = min(shortest, end - start)
        guard last > first, last >= place, length >= 5 || length == 4 && shortest <= 2, length > best?.length ?? 0 else {
          continue
        }
        if known(letters, length) != nil { best = (first...last, length) }
      }
    }
    return best?.range
  }

  // MARK: Reading a word otherwise

  private var slips: SlipTable { index.tables.slips.with { SlipTable($0, words: index.tables.words) } }

  /// Whether a word is written in capitals only, as on receipts.
  private func isShouted(_ words: Words, _ item: UnsafePointer<UInt8>, _ place: Int) -> Bool {
    // Folded words are in lower case; an apostrophe and letters beyond ASCII say nothing.
    words.span(first: place, last: place).allSatisfy { !item[$0].isLowercaseASCII && !item[$0].isASCIIDigit }
  }

  /// Puts a word's letters into `letters`; `nil` for one that is too long or too short.
  private func load(_ words: Words, _ place: Int) -> Int? {
    let (start, end) = (Int(words.bounds[2 * place]), Int(words.bounds[2 * place + 1]))
    guard 3...Self.capacity ~= end - start else { return nil }
    for byte in start..<end { letters[byte - start] = words.text[byte].lowercasedASCII }
    return end - start
  }

  private func hasDigits(_ length: Int) -> Bool { (0..<length).contains { letters[$0].isASCIIDigit } }

  /// The number of the word that the loaded letters were meant to be.
  private func read(_ length: Int, isShouted: Bool) -> UInt32? {
    let word = UnsafeBufferPointer(start: letters, count: length)
    let digits = word.count { $0.isASCIIDigit }
    if digits > 0 { return readDigits(length, digits) }
    if let found = readLookAlikes(length) { return found }
    guard word.allSatisfy({ $0.isLowercaseASCII }) else { return nil }
    if index.languages.isForeign { return length >= Self.shortestForeign ? foreignSlip(word) : nil }
    let isBare = !word.dropFirst().contains(where: SlipTable.isVowel)
    if isBare || isShouted, let found = slips.word(ofSkeleton: word) { return found }
    let (singular, endsInY) = singular(length)
    if SlipTable.slipLengths.contains(length), let found = slip(singular, endsInY) { return found }
    return isBare || isShouted ? slips.word(ofSkeleton: singular) : nil
  }

  /// The number of the word of another language that a word, or its stem, is one slip away from.
  private func foreignSlip(_ word: UnsafeBufferPointer<UInt8>) -> UInt32? {
    if let found = slips.slip(singular(word.count).letters) { return found.number }
    guard let reading = index.languages.readings.first(where: { $0.number == 1 }) else { return nil }
    for length in reading.stemLengths(word, atLeast: Self.shortestForeign - 1) {
      if let found = slips.slip(UnsafeBufferPointer(rebasing: word[..<length])) { return found.number }
    }
    return nil
  }

  /// A word with digits among its letters: "c0rn", "garl1c". A number with its unit is left alone.
  private func readDigits(_ length: Int, _ digits: Int) -> UInt32? {
    guard length - digits >= 2, !letters[0].isASCIIDigit || !letters[1].isASCIIDigit else { return nil }
    for one in [UInt8(ascii: "l"), UInt8(ascii: "i")] {
      for place in 0..<length {
        other[place] =
          switch letters[place] {
          case UInt8(ascii: "0"): UInt8(ascii: "o")
          case UInt8(ascii: "1"): one
          case UInt8(ascii: "3"): UInt8(ascii: "e")
          case UInt8(ascii: "4"): UInt8(ascii: "a")
          case UInt8(ascii: "5"): UInt8(ascii: "s")
          case UInt8(ascii: "8"): UInt8(ascii: "b")
          default: letters[place]
          }
      }
      if let found = known(other, length) { return found }
    }
    return nil
  }

  private func readLookAlikes(_ length: Int) -> UInt32? {
    guard length >= 4 else { return nil }
    for (written, meant) in Self.lookAlikes {
      for place in 0...length - written.count where (0..<written.count).allSatisfy({ letters[place + $0] == written[$0] }) {
        let changed = length - written.count + meant.count
        guard 4...Self.capacity ~= changed else { continue }
        for byte in 0..<place { other[byte] = letters[byte] }
        for (byte, letter) in meant.enumerated() { other[place + byte] = letter }
        for byte in place + written.count..<max(length, place + written.count) {
          other[byte - written.count + meant.count] = letters[byte]
        }
        if let found = known(other, changed) { return found }
      }
    }
    return nil
  }

  /// The number of the word that a singular is one slip away from; "olvies" may come from "olvy" or "olvie".
  private func slip(_ singular: UnsafeBufferPointer<UInt8>, _ endsInY: Bool) -> UInt32? {
    let found = slips.slip(singular)
    guard endsInY else { return found?.number }
    (other[singular.count - 1], other[singular.count]) = (UInt8(ascii: "i"), UInt8(ascii: "e"))
    defer { other[singular.count - 1] = UInt8(ascii: "y") }
    guard let second = slips.slip(UnsafeBufferPointer(start: other, count: singular.count + 1)) else { return found?.number }
    return found.map { $0.likelihood >= second.likelihood ? $0.number : second.number } ?? second.number
  }

  private func singular(_ length: Int) -> (letters: UnsafeBufferPointer<UInt8>, endsInY: Bool) {
    let singular = WordKey.singular(letters, length, caseBit: 0)
    for place in 0..<singular.length { other[place] = letters[place] }
    if singular.endsInY { other[singular.length - 1] = UInt8(ascii: "y") }
    return (UnsafeBufferPointer(start: other, count: singular.length), singular.endsInY)
  }

  // MARK: Splitting

  /// Splits the loaded word into the fewest known ones and numbers, each of three letters or more; gives the place of the last.
  private func split(_ words: Words, _ numbers: UnsafeMutablePointer<UInt32>, _ place: Int, _ length: Int) -> Int? {
    guard length >= 7, !index.languages.isForeign || hasDigits(length) else {
      return nil
    }
    // How many parts the first letters make at least, and where the last of those begins.
    return withUnsafeTemporaryAllocation(of: (parts: UInt8, start: UInt8).self, capacity: length + 1) { best in
      best.initialize(repeating: (.max, 0))
      best[0] = (0, 0)
      for end in 2...length {
        for start in 0..<end where best[start].parts < Self.maximumParts && best[start].parts + 1 < best[end].parts {
          if isPart(start, end) { best[end] = (best[start].parts + 1, UInt8(start)) }
        }
      }
      guard best[length].parts != .max, best[length].parts > 1 else { return nil }
      let parts = Int(best[length].parts)
      guard words.count + parts - 1 <= Words.capacity else { return nil }
      for later in stride(from: words.count - 1, to: place, by: -1) { numbers[later + parts - 1] = numbers[later] }
      var end = length
      for _ in 1..<parts {
        end = Int(best[end].start)
        _ = words.split(place, at: end)
      }
      for part in place..<place + parts { numbers[part] = finder.word(words.keys[part]) }
      return place + parts - 1
    }
  }

  /// Whether some of the loaded letters are a number or a known word.
  private func isPart(_ start: Int, _ end: Int) -> Bool {
    let part = UnsafeBufferPointer(start: letters + start, count: end - start)
    if part.allSatisfy({ $0.isASCIIDigit }) { return true }
    // A unit after a number may be short.
    let isUnit = start > 0 && letters[start - 1].isASCIIDigit
    guard part.count >= (isUnit ? 2 : 3), part.allSatisfy({ !$0.isASCIIDigit }) else { return false }
    for place in 0..<part.count { other[place] = part[place] }
    return known(other, part.count) != nil
  }

  // MARK: Looking up

  /// The number of a word in lower case, or `nil` for an unknown one.
  private func known(_ word: UnsafeMutablePointer<UInt8>, _ length: Int) -> UInt32? {
    let number = finder.word(WordKey.key(word, length, caseBits: 0).key)
    return number == 0 ? nil : number
  }
}
