/// Items read from their end.
extension Words {
  /// Reads an item's words from the last one back, as `scan` reads them, as long as it is asked for more: a third of the work, where
  /// the last words tell enough. An `and` that is written `&` is left out.
  ///
  /// - Parameter visit: Is given each word's key, 0 for one that begins with a digit; gives `false` to end.
  /// - Returns: `true` when all words were read; `false` when `visit` ended it, or the item must be read in full.
  @inlinable
  package func scanBack(
    _ item: UnsafePointer<UInt8>, count length: Int, _ visit: (_ key: UInt64) -> Bool
  ) -> Bool {
    // Words that many bytes cannot have more than are read.
    guard length <= 2 * Words.capacity else { return false }
    // The bytes before `start` were not looked at, and of those behind `end` all words were read.
    var (start, end) = (length, length)
    while end > 0 {
      // Eight bytes more at a time, up to where the last word that is not read begins.
      var (letters, apostrophes, width) = (UInt64(0), UInt64(0), 0)
      start = end
      while true {
        let step = min(8, start)
        if step == 0 { break }
        start &-= step
        var eight = UnsafeRawPointer(item + start).loadUnaligned(as: UInt64.self)
        if step < 8 { eight &= (1 &<< UInt64(8 &* step)) &- 1 }
        var more = Words.bits(ofLetters: eight, isFolded: false)
        apostrophes = apostrophes &<< UInt64(step)
        if Words.needingFolding(eight) != 0 {
          guard let joining = Words.joiningApostrophes(eight, more, item, start, length) else { return false }
          more |= joining
          apostrophes |= joining
        }
        letters = letters &<< UInt64(step) | more
        width &+= step
        // The first byte of these is no letter's, and there is a word behind it.
        if letters != 0, letters & 1 == 0 { break }
        if width > 48 { return false }
      }
      if letters == 0 { return true }
      let first = start
      var after = 0
      while letters != 0 {
        after = 64 &- letters.leadingZeroBitCount
        let before = ~letters & ((1 &<< UInt64(after)) &- 1)
        let begin = 64 &- before.leadingZeroBitCount
        let dot = first &+ begin &- 1
        if dot > 0, item[dot] == UInt8(ascii: "."), Separator.joinsInitials(dot, of: item, count: length) {
          return false
        }
        let (word, wordLength) = (item + first + begin, after &- begin)
        let isDigit = word[0].isASCIIDigit
        let hasApostrophe = apostrophes &>> UInt64(begin) & ((1 &<< UInt64(wordLength)) &- 1) != 0
        let key =
          isDigit
          ? 0
          : hasApostrophe
            ? keyWithoutApostrophes(word, wordLength) : WordKey.key(word, wordLength, caseBits: 0x2020_2020_2020_2020).key
        if !visit(key) { return false }
        letters &= (1 &<< UInt64(begin)) &- 1
      }
      end = first
    }
    return true
  }

  /// The apostrophes among eight bytes that join what is beside them, a bit each: those behind a letter. The others keep apart, and so
  /// does `&`.
  ///
  /// - Returns: `nil` where the item must be read in full.
  @usableFromInline
  static func joiningApostrophes(
    _ eight: UInt64, _ letters: UInt64, _ item: UnsafePointer<UInt8>, _ start: Int, _ length: Int
  ) -> UInt64? {
    var joining: UInt64 = 0
    for place in 0..<min(8, length - start) {
      let byte = UInt8(truncatingIfNeeded: eight &>> UInt64(8 * place))
      if byte >= 0x80 { return nil }
      // More words than bytes, where there are many.
      if byte == UInt8(ascii: "&"), length > capacity { return nil }
      guard byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`"), start + place > 0 else { continue }
      let before = item[start + place - 1]
      if before >= 0x80 || before == UInt8(ascii: "'") || before == UInt8(ascii: "`") { return nil }
      if before.isASCIIDigit || before.isASCIILetter { joining |= 1 &<< UInt64(place) }
    }
    return joining
  }

  /// The key of a word with apostrophes in it, which are no part of it.
  @usableFromInline
  func keyWithoutApostrophes(_ word: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    var count = 0
    for place in 0..<length where word[place] != UInt8(ascii: "'") && word[place] != UInt8(ascii: "`") {
      folded[count] = word[place]
      count += 1
    }
    return WordKey.key(folded, count, caseBits: 0x2020_2020_2020_2020).key
  }

  /// Not 0 where one of eight bytes is not ASCII, an apostrophe or `&`.
  @inlinable @inline(__always)
  static func needingFolding(_ eight: UInt64) -> UInt64 {
    eight & 0x8080_8080_8080_8080 | places(of: UInt8(ascii: "'"), in: eight) | places(of: UInt8(ascii: "&"), in: eight)
      | places(of: UInt8(ascii: "`"), in: eight)
  }

  /// The highest bit of each of eight bytes that is `byte`, up to the first at least: behind one, a byte that differs in its lowest bit
  /// alone may be taken for it.
  @inlinable @inline(__always)
  static func places(of byte: UInt8, in eight: UInt64) -> UInt64 {
    let differences = eight ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
  }
}
