import AisleCore

/// The languages of an index, laid out for reading words: their endings, links, and heads.
struct LanguageTable: Sendable {
  /// How one language is read.
  final class Reading: Sendable {
    /// The number that its keywords have: see `KeywordTable.Entry.language`.
    let number: UInt16
    let makesCompounds: Bool
    let links: [[UInt8]]
    /// The longest first.
    let endings: [(written: [UInt8], meant: [UInt8])]
    /// The endings that are cut off, the shortest first, by their last letters: those of a letter from its place in `firstEndings` on.
    private let cut: [Ending]
    private let firstEndings: [UInt16]

    init(_ language: Language, number: UInt16) {
      self.number = number
      makesCompounds = language.makesCompounds
      links = language.links.map { Array($0.utf8) }.sorted { $0.count < $1.count }
      endings = language.endings.map { (Array($0.written.utf8), Array($0.meant.utf8)) }.sorted {
        $0.written.count > $1.written.count
      }
      let letters = 0...UInt8.max
      let written = endings.reversed().filter { !$0.written.isEmpty }
      let byLetter = letters.map { letter in written.filter { $0.written.last == letter }.map(Ending.init) }
      cut = byLetter.flatMap(\.self)
      firstEndings = byLetter.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt16($1.count)) }
    }
  }

  /// An ending that is cut off.
  private struct Ending {
    /// Its letters, the last one highest.
    let letters: UInt64
    /// Where they are.
    let mask: UInt64
    let count: Int
    /// What stands in its place.
    let meant: [UInt8]

    init(written: [UInt8], meant: [UInt8]) {
      letters = written.reduce(0) { $0 &>> 8 | UInt64($1) &<< 56 }
      mask = UInt64.max &<< UInt64(64 &- 8 &* written.count)
      (count, self.meant) = (written.count, meant)
    }
  }

  /// The languages whose words change their forms by rules from files: all but English.
  let readings: [Reading]
  /// Whether the language that counts first is not English.
  let isForeign: Bool
  /// Whether in any of them the first product of a name is its head.
  let hasHeadFirst: Bool
  /// By a language's number, whether the first product of a name is its head.
  private let headFirst: FlatTable<Bool>
  /// Whether some languages come after another.
  let isMixed: Bool
  let cutsAtApostrophes: Bool

  init(_ languages: [Language]) {
    readings = languages.enumerated().compactMap { place, language in
      language.id == Language.english
        ? nil
        : Reading(language, number: UInt16(place + 1))
    }
    isForeign = languages.first.map { $0.id != Language.english } ?? false
    headFirst = FlatTable([false] + languages.map(\.isHeadFirst))
    isMixed = languages.count > 1
    hasHeadFirst = languages.contains(where: \.isHeadFirst)
    cutsAtApostrophes = languages.contains(where: \.cutsAtApostrophes)
  }

  /// Whether there is nothing to read but English.
  var isEmpty: Bool { readings.isEmpty }

  /// Whether names with a keyword of a language begin with their head.
  @inline(__always)
  func isHeadFirst(_ language: UInt16) -> Bool { Int(language) < headFirst.endIndex && headFirst.address[Int(language)] }

  /// A workspace for items and keywords of these languages.
  func makeWords() -> Words {
    let words = Words()
    words.cutsAtApostrophes = cutsAtApostrophes
    return words
  }
}

extension LanguageTable.Reading {
  /// The fewest letters that are left of a word without its ending.
  private static let shortestStem = 3
  /// The longest word whose forms are known.
  static let longestWord = 40

  /// The keys of a word's stems, the longest first: without an ending, and with each that it has cut off.
  ///
  /// - Parameter body: Answers `false` to stop.
  @inline(__always)
  func forEachStem(_ letters: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Bool) {
    guard letters.count >= Self.shortestStem, letters.count <= Self.longestWord else { return }
    if !body(key(letters, letters.count, [])) { return }
    let last = Int(letters[letters.count - 1])
    let (first, end) = (Int(firstEndings[last]), Int(firstEndings[last + 1]))
    if first == end { return }
    var tail: UInt64 = 0
    for place in max(0, letters.count - 8)..<letters.count { tail = tail &>> 8 | UInt64(letters[place]) &<< 56 }
    for place in first..<end where tail & cut[place].mask == cut[place].letters {
      let kept = letters.count - cut[place].count
      if kept <= 0 || kept + cut[place].meant.count < Self.shortestStem { continue }
      if !body(key(letters, kept, cut[place].meant)) { return }
    }
  }

  /// How many letters a word has without each of its endings that is only cut off, and with at least so many left, the most first.
  func stemLengths(_ letters: UnsafeBufferPointer<UInt8>, atLeast least: Int) -> some Sequence<Int> {
    endings.reversed().lazy.compactMap { ending in
      let kept = letters.count - ending.written.count
      let isThere = !ending.written.isEmpty && ending.meant.isEmpty && kept >= least
      return isThere && letters.suffix(ending.written.count).elementsEqual(ending.written) ? kept : nil
    }
  }

  /// The key of a word without its longest ending: equal for most forms of a word.
  func mainStem(_ letters: UnsafeBufferPointer<UInt8>) -> UInt64 {
    for ending in endings where !ending.written.isEmpty {
      let kept = letters.count - ending.written.count
      if kept > 0, kept + ending.meant.count >= Self.shortestStem,
        letters.suffix(ending.written.count).elementsEqual(ending.written)
      {
        return key(letters, kept, ending.meant)
      }
    }
    return key(letters, letters.count, [])
  }

  /// The key of the first letters and an ending. It is no word's: stems are looked up among words, and must not be taken for them.
  private func key(_ letters: UnsafeBufferPointer<UInt8>, _ count: Int, _ ending: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(number)
    for place in 0..<count { hash = (hash ^ UInt64(letters[place])) &* 0x100_0000_01B3 }
    for byte in ending { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash &>> 32) &* 0xD6E8_FEB8_6659_FD93
    return hash ^ hash &>> 29
  }
}
