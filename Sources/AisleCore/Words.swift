/// An item cut into words, each reduced to a 64-bit key: the workspace that matchers reuse from item to item.
///
/// A word is a run of letters and digits. Case, diacritics, and width are folded; an apostrophe inside a word and the dots between
/// initials are dropped; `&` reads as `and`; and a plural has the same key as its singular. Only the first `capacity` words and
/// `maximumBytes` bytes of an item are read.
///
/// Scanning works on 16 bytes at a time and allocates nothing; plain ASCII takes about 5 ns per word.
public final class Words {
  /// The most words of an item that are read.
  public static let capacity = 64
  /// The most bytes of an item that are read.
  public static let maximumBytes = 2048
  /// The most bytes of a word that was joined or split.
  private static let maximumJoinedBytes = 64

  /// What is known about a word besides its key.
  @frozen public struct Marks: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes marks from bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The key is the singular's.
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
  /// The number of commas, parentheses, semicolons, dashes between spaces, and so on before each word; set only if `hasBreaks`.
  public let segments: UnsafeMutablePointer<UInt8>
  /// Whether the item has any such mark.
  @inlinable public internal(set) var hasBreaks: Bool {
    get { state.pointee.hasBreaks }
    set { state.pointee.hasBreaks = newValue }
  }
  /// The text that `bounds` refers to: the item itself, or its folded form.
  @inlinable public internal(set) var text: UnsafePointer<UInt8> {
    get { state.pointee.text }
    set { state.pointee.text = newValue }
  }

  /// The marks that break, a bit each, by 64 bytes of the text, and how many come before those bytes; set only when `hasBreaks`.
  let breaks: UnsafeMutablePointer<UInt64>
  let breaksBefore: UnsafeMutablePointer<Int>
  @usableFromInline let folded: UnsafeMutablePointer<UInt8>
  /// Where each byte of `folded` came from, in the item's bytes.
  let origins: UnsafeMutablePointer<UInt32>
  var isFolded: Bool {
    get { state.pointee.isFolded }
    set { state.pointee.isFolded = newValue }
  }

  /// What changes with each item. It stands behind a pointer since reading a class's variable from another module costs a check.
  @usableFromInline struct State {
    @usableFromInline var count = 0
    @usableFromInline var hasBreaks = false
    @usableFromInline var text: UnsafePointer<UInt8>
    var isFolded = false
    var cutsAtApostrophes = false
  }

  /// Whether an apostrophe ends a word, as in `d'oliva`; else it is dropped.
  package var cutsAtApostrophes: Bool {
    get { state.pointee.cutsAtApostrophes }
    set { state.pointee.cutsAtApostrophes = newValue }
  }

  @usableFromInline let state: UnsafeMutablePointer<State>

  static let foldedCapacity = 3 * maximumBytes + 64

  /// Makes a workspace of about 35 KB.
  public init() {
    keys = .allocate(capacity: Words.capacity)
    marks = .allocate(capacity: Words.capacity)
    bounds = .allocate(capacity: 2 * Words.capacity + 2 * 64)
    segments = .allocate(capacity: Words.capacity + 1)
    breaks = .allocate(capacity: Words.foldedCapacity / 64 + 1)
    breaksBefore = .allocate(capacity: Words.foldedCapacity / 64 + 1)
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
    breaksBefore.deallocate()
    folded.deallocate()
    origins.deallocate()
  }

  /// Cuts an item into words. `Batch.padding` bytes past its end must be readable.
  public func scan(_ item: UnsafePointer<UInt8>, count length: Int) {
    let length = min(length, Words.maximumBytes)
    isFolded = false
    text = item
    if cut(item, length, isFolded: false) {
      readKeys(caseBits: 0x2020_2020_2020_2020)
    } else {
      let foldedLength = fold(item, length)
      isFolded = true
      text = UnsafePointer(folded)
      _ = cut(text, foldedLength, isFolded: true)
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

  /// Reads the key of a word whose bounds have changed; of one with blanks inside, as if they were not there.
  private func readKey(_ word: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Words.maximumJoinedBytes + Batch.padding) { letters in
      letters.initialize(repeating: 0)
      var length = 0
      for place in Int(bounds[2 * word])..<Int(bounds[2 * word + 1]) where length < Words.maximumJoinedBytes {
        let byte = text[place]
        if byte == 0x20 { continue }
        letters[length] = byte.lowercasedASCII
        length += 1
      }
      guard length > 0, let base = letters.baseAddress else { return }
      let (key, isPlural) = WordKey.key(base, length, caseBits: 0)
      keys[word] = key
      marks[word] = Marks(rawValue: (isPlural ? 1 : 0) | (letters[0].isASCIIDigit ? 2 : 0))
    }
  }
}
