/// An item cut into words, each reduced to a 64-bit key: the workspace that matchers reuse from item to item.
///
/// A word is a run of letters and digits. Case, diacritics and width are folded, an apostrophe inside a word and the dots between
/// initials are dropped, `&` reads as `and`, and a plural's key is its singular's. Up to `capacity` words and the first
/// `maximumBytes` bytes of an item are read: what comes after is no part of an item's name.
///
/// Scanning works on eight bytes at a time and allocates nothing; about 5 ns a word on plain ASCII.
public final class Words {
  /// The most words that are read of an item.
  public static let capacity = 64
  /// The most bytes that are read of an item.
  public static let maximumBytes = 2048
  /// The most bytes of a word that was joined or split.
  private static let maximumJoinedBytes = 64

  /// What is known of a word beside its key.
  @frozen public struct Marks: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes marks from bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The key is that of the singular.
    @inlinable public static var plural: Marks { Marks(rawValue: 1) }
    /// The word begins with a digit.
    @inlinable public static var digit: Marks { Marks(rawValue: 2) }
  }

  /// How many words the item has.
  @inlinable public internal(set) var count: Int {
    get { state.pointee.count }
    set { state.pointee.count = newValue }
  }
  /// Each word's key: equal for words that fold to the same singular.
  public let keys: UnsafeMutablePointer<UInt64>
  /// Each word's marks.
  public let marks: UnsafeMutablePointer<Marks>
  /// Where each word begins and ends, in turn, in the text that was scanned.
  public let bounds: UnsafeMutablePointer<UInt32>
  /// The number of commas, parentheses, semicolons, dashes between blanks and the like before each word; set only when `hasBreaks`.
  public let segments: UnsafeMutablePointer<UInt8>
  /// Whether any such mark stands in the item.
  @inlinable public internal(set) var hasBreaks: Bool {
    get { state.pointee.hasBreaks }
    set { state.pointee.hasBreaks = newValue }
  }
  /// The text that `bounds` refers to: the item itself, or its folded form.
  @inlinable public internal(set) var text: UnsafePointer<UInt8> {
    get { state.pointee.text }
    set { state.pointee.text = newValue }
  }

  private let breaks: UnsafeMutablePointer<UInt32>
  private var breakCount: Int {
    get { state.pointee.breakCount }
    set { state.pointee.breakCount = newValue }
  }
  @usableFromInline let folded: UnsafeMutablePointer<UInt8>
  private let origins: UnsafeMutablePointer<UInt32>
  private var isFolded: Bool {
    get { state.pointee.isFolded }
    set { state.pointee.isFolded = newValue }
  }

  /// What changes with each item. It stands behind a pointer since reading a class's variable from another module costs a check.
  @usableFromInline struct State {
    @usableFromInline var count = 0
    @usableFromInline var hasBreaks = false
    @usableFromInline var text: UnsafePointer<UInt8>
    var breakCount = 0
    var isFolded = false
  }

  @usableFromInline let state: UnsafeMutablePointer<State>

  private static let foldedCapacity = 3 * maximumBytes + 64

  /// Makes a workspace of about 45 KB.
  public init() {
    keys = .allocate(capacity: Words.capacity)
    marks = .allocate(capacity: Words.capacity)
    bounds = .allocate(capacity: 2 * Words.capacity + 2 * 64)
    segments = .allocate(capacity: Words.capacity)
    breaks = .allocate(capacity: Words.capacity)
    folded = .allocate(capacity: Words.foldedCapacity + Batch.padding)
    origins = .allocate(capacity: Words.foldedCapacity + 1)
    state = .allocate(capacity: 1)
    state.initialize(to: State(text: UnsafePointer(folded)))
  }

  deinit {
    state.deallocate()
    keys.deallocate()
    marks.deallocate()
    bounds.deallocate()
    segments.deallocate()
    breaks.deallocate()
    folded.deallocate()
    origins.deallocate()
  }

  /// Cuts an item into words. `Batch.padding` bytes past its end must be readable.
  public func scan(_ item: UnsafePointer<UInt8>, count length: Int) {
    let length = min(length, Words.maximumBytes)
    isFolded = false
    text = item
    if findBounds(item, length, isFolded: false) {
      readKeys(caseBits: 0x2020_2020_2020_2020)
    } else {
      let foldedLength = fold(item, length)
      isFolded = true
      text = UnsafePointer(folded)
      _ = findBounds(text, foldedLength, isFolded: true)
      readKeys(caseBits: 0)
    }
  }

  /// The bytes of the item, as it was given, that the words from `first` to `last` cover.
  public func span(first: Int, last: Int) -> Range<Int> {
    let start = Int(bounds[2 * first])
    let end = Int(bounds[2 * last + 1])
    return isFolded ? Int(origins[start])..<Int(origins[end]) : start..<end
  }

  /// The key that a single folded word would get; 0 for an empty one.
  public func key(ofWord word: [UInt8]) -> UInt64 {
    if word.isEmpty { return 0 }
    return (word + [UInt8](repeating: 0, count: Batch.padding)).withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return WordKey.key(base, word.count, caseBits: 0).key
    }
  }

  /// The bytes of a folded word's singular, e.g. for comparing its letters.
  public static func singular(ofFolded word: UnsafeBufferPointer<UInt8>) -> [UInt8] { WordKey.singular(ofFolded: word) }

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
        if after &- begin == 1, dot > 0, item[dot] == UInt8(ascii: "."), Separator.joinsInitials(dot, of: item, count: length) {
          return false
        }
        let (word, wordLength) = (item + first + begin, after &- begin)
        let isDigit = word[0] &- 0x30 < 10
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
      if before &- 0x30 < 10 || (before | 0x20) &- 0x61 < 26 { joining |= 1 &<< UInt64(place) }
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
    func zeros(_ bytes: UInt64) -> UInt64 { (bytes &- 0x0101_0101_0101_0101) & ~bytes }
    return
      (eight | zeros(eight ^ 0x2727_2727_2727_2727) | zeros(eight ^ 0x2626_2626_2626_2626)
      | zeros(eight ^ 0x6060_6060_6060_6060)) & 0x8080_8080_8080_8080
  }

  // MARK: Other readings

  /// Reads words that stand side by side as one.
  package func join(_ places: ClosedRange<Int>) {
    bounds[2 * places.lowerBound + 1] = bounds[2 * places.upperBound + 1]
    let removed = places.count - 1
    for place in places.lowerBound + 1..<max(count - removed, places.lowerBound + 1) { copy(place + removed, to: place) }
    count -= removed
    readKey(places.lowerBound)
  }

  /// Reads a word as two, the second from a byte of it on; `false` when the item has as many words as are read.
  package func split(_ place: Int, at offset: Int) -> Bool {
    guard count < Words.capacity else { return false }
    for later in stride(from: count, to: place, by: -1) { copy(later - 1, to: later) }
    count += 1
    let middle = bounds[2 * place] + UInt32(offset)
    bounds[2 * place + 1] = middle
    bounds[2 * place + 2] = middle
    readKey(place)
    readKey(place + 1)
    return true
  }

  private func copy(_ from: Int, to: Int) {
    (keys[to], marks[to], segments[to]) = (keys[from], marks[from], segments[from])
    (bounds[2 * to], bounds[2 * to + 1]) = (bounds[2 * from], bounds[2 * from + 1])
  }

  // MARK: Finding words

  /// Finds where words begin and end. Answers `false` when the text needs folding first.
  private func findBounds(_ item: UnsafePointer<UInt8>, _ length: Int, isFolded: Bool) -> Bool {
    var boundCount = 0
    var carry: UInt64 = 0
    var offset = 0
    breakCount = 0
    while offset < length, boundCount < 2 * Words.capacity {
      var letters: UInt64 = 0
      var blanks: UInt64 = 0
      let remaining = min(length &- offset, 64)
      var chunk = 0
      while chunk < remaining {
        let eight = UnsafeRawPointer(item + offset + chunk).loadUnaligned(as: UInt64.self)
        letters |= Words.bits(ofLetters: eight, isFolded: isFolded) &<< UInt64(chunk)
        blanks |= Words.bits(ofBlanks: eight) &<< UInt64(chunk)
        chunk &+= 8
      }
      let valid: UInt64 = remaining == 64 ? .max : (1 &<< UInt64(remaining)) &- 1
      letters &= valid
      var others = ~(letters | blanks) & valid
      while others != 0 {
        let place = offset &+ others.trailingZeroBitCount
        switch Separator.at(place, of: item, count: length) {
        case .needsFolding where !isFolded: return false
        case .breaks where breakCount < Words.capacity:
          breaks[breakCount] = UInt32(truncatingIfNeeded: place)
          breakCount &+= 1
        default: break
        }
        others &= others &- 1
      }
      var edges = letters ^ (letters &<< 1 | carry)
      carry = letters &>> 63
      while edges != 0 {
        bounds[boundCount] = UInt32(truncatingIfNeeded: offset &+ edges.trailingZeroBitCount)
        boundCount &+= 1
        edges &= edges &- 1
      }
      offset &+= 64
    }
    if boundCount & 1 == 1 {
      bounds[boundCount] = UInt32(truncatingIfNeeded: length)
      boundCount &+= 1
    }
    count = min(boundCount / 2, Words.capacity)
    hasBreaks = breakCount > 0
    if hasBreaks { numberSegments() }
    return true
  }

  private func numberSegments() {
    var seen = 0
    for word in 0..<count {
      while seen < breakCount, breaks[seen] < bounds[2 * word] { seen += 1 }
      segments[word] = UInt8(truncatingIfNeeded: seen)
    }
  }

  /// A bit for each of the eight bytes that belongs to a word: an ASCII letter or digit, in folded text also any byte beyond ASCII.
  @inlinable @inline(__always)
  static func bits(ofLetters eight: UInt64, isFolded: Bool) -> UInt64 {
    let seven = eight & 0x7F7F_7F7F_7F7F_7F7F
    let lower = seven | 0x2020_2020_2020_2020
    let letters = (lower &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lower &+ 0x0505_0505_0505_0505)
    let digits = (seven &+ 0x5050_5050_5050_5050) & ~(seven &+ 0x4646_4646_4646_4646)
    let ascii = (letters | digits) & ~eight
    return gather(isFolded ? ascii | eight : ascii)
  }

  @inline(__always)
  private static func bits(ofBlanks eight: UInt64) -> UInt64 {
    let differs = eight ^ 0x2020_2020_2020_2020
    return gather(~(((differs & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | differs))
  }

  /// The top bits of eight bytes, side by side.
  @inlinable @inline(__always)
  static func gather(_ eight: UInt64) -> UInt64 {
    ((eight & 0x8080_8080_8080_8080) &>> 7 &* 0x0102_0408_1020_4080) &>> 56
  }

  // MARK: Keys

  private func readKeys(caseBits: UInt64) {
    let text = text
    for word in 0..<count {
      let start = Int(bounds[2 &* word])
      let (key, isPlural) = WordKey.key(text + start, Int(bounds[2 &* word &+ 1]) &- start, caseBits: caseBits)
      keys[word] = key
      let isDigit = text[start] &- 0x30 < 10
      marks[word] = Marks(rawValue: (isPlural ? 1 : 0) | (isDigit ? 2 : 0))
    }
  }

  /// Reads the key of a word whose bounds have changed; of one with blanks inside, as if they were not there.
  private func readKey(_ word: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Words.maximumJoinedBytes + Batch.padding) { letters in
      letters.initialize(repeating: 0)
      var length = 0
      for place in Int(bounds[2 * word])..<Int(bounds[2 * word + 1]) where length < Words.maximumJoinedBytes {
        let byte = text[place]
        if byte == 0x20 { continue }
        letters[length] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        length += 1
      }
      guard length > 0, let base = letters.baseAddress else { return }
      let (key, isPlural) = WordKey.key(base, length, caseBits: 0)
      keys[word] = key
      marks[word] = Marks(rawValue: (isPlural ? 1 : 0) | (letters[0] &- 0x30 < 10 ? 2 : 0))
    }
  }

  // MARK: Folding

  /// Writes the item's folded form to `folded` and where each byte came from to `origins`; gives its length.
  private func fold(_ item: UnsafePointer<UInt8>, _ length: Int) -> Int {
    var count = 0
    let limit = Words.foldedCapacity - 16
    var decoder = ScalarReader(item, length)
    var previousIsLetter = false
    func put(_ byte: UInt8, from origin: Int) {
      folded[count] = byte
      origins[count] = UInt32(truncatingIfNeeded: origin)
      count += 1
    }
    /// What stands for a dash: a break where blanks are on both sides.
    func dash(from start: Int, to end: Int) -> UInt8 {
      Separator.isApart(start..<end, in: item, count: length) ? UInt8(ascii: "|") : 0x20
    }
    while count < limit, let (scalar, origin) = decoder.next() {
      switch scalar.map(Folding.usualWidth) {
      case .some(let value) where value < 0x80:
        var byte = UInt8(truncatingIfNeeded: value)
        if byte &- 0x41 < 26 { byte |= 0x20 }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") {
          if !previousIsLetter { put(0x20, from: origin) }
          continue
        }
        if byte == UInt8(ascii: "."), Separator.joinsInitials(origin, of: item, count: length) { continue }
        if byte == UInt8(ascii: "-") { byte = dash(from: origin, to: decoder.offset) }
        if byte == UInt8(ascii: "&") {
          for byte in [0x20, UInt8(ascii: "a"), UInt8(ascii: "n"), UInt8(ascii: "d")] { put(byte, from: origin) }
          put(0x20, from: decoder.offset)
        } else {
          put(byte, from: origin)
        }
        previousIsLetter = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
      case 0x2018, 0x2019, 0x2BC, 0x2032:
        if !previousIsLetter { put(0x20, from: origin) }
      case .some:
        guard let scalar else { continue }  // Cannot be: the value is the scalar's.
        let isWord = Folding.shared.fold(scalar) { Words.encode($0) { put($0, from: origin) } }
        let isDash = scalar.value == 0x2013 || scalar.value == 0x2014
        if !isWord { put(isDash ? dash(from: origin, to: decoder.offset) : 0x20, from: origin) }
        previousIsLetter = isWord
      case .none:
        put(0x20, from: origin)
        previousIsLetter = false
      }
    }
    origins[count] = UInt32(truncatingIfNeeded: decoder.offset)
    for padding in 0..<Batch.padding { folded[count + padding] = 0 }
    return count
  }

  private static func encode(_ value: UInt32, put: (UInt8) -> Void) {
    switch value {
    case ..<0x80: put(UInt8(value))
    case ..<0x800:
      put(UInt8(0xC0 | value >> 6))
      put(UInt8(0x80 | value & 0x3F))
    case ..<0x10000:
      put(UInt8(0xE0 | value >> 12))
      put(UInt8(0x80 | value >> 6 & 0x3F))
      put(UInt8(0x80 | value & 0x3F))
    default:
      put(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
      put(UInt8(0x80 | value >> 12 & 0x3F))
      put(UInt8(0x80 | value >> 6 & 0x3F))
      put(UInt8(0x80 | value & 0x3F))
    }
  }
}
