public import AisleCore

/// Labeled items from corpus files, with one `item <TAB> label[|label] <TAB> tags` per line.
///
/// A million items take about 70 MB: the bytes of the files as read, and 32 bytes per entry.
public struct Corpus: Sendable {
  /// A labeled item.
  public struct Entry: Sendable {
    /// The location of the item's bytes in `Corpus.text`.
    public let item: Batch.Extent
    /// Its labels: an index into `Corpus.labels`.
    public let labels: UInt32
    /// Its tags: an index into `Corpus.tags`.
    public let tags: UInt32
    /// Its line, from 1.
    public let line: UInt32
    /// Its file: an index into `Corpus.files`.
    public let file: UInt16
    /// The part of the corpus that it is in.
    public let split: Split
  }

  /// A part of the corpus, chosen by a hash of the item: for tuning, or held out to check the result of tuning.
  public enum Split: UInt8, Sendable, CaseIterable {
    case tune, holdout

    /// The split's name, as `--split` takes it.
    public var name: String { self == .tune ? "tune" : "holdout" }
  }

  /// The files, in the order they were read.
  public internal(set) var files: [String] = []
  /// The bytes of all files, back to back, followed by `Batch.padding` zeros.
  public internal(set) var text: [UInt8] = []
  /// The items, in the order of the files.
  public internal(set) var entries: ContiguousArray<Entry> = []
  /// The distinct lists of labels, best label first.
  public internal(set) var labels: [[String]] = []
  /// The distinct lists of tags.
  public internal(set) var tags: [[String]] = []

  init() {}

  /// The number of items.
  public var count: Int { entries.count }

  /// An item's bytes.
  public func bytes(_ entry: Entry) -> ArraySlice<UInt8> {
    text[Int(entry.item.start)..<Int(entry.item.start) + Int(entry.item.length)]
  }

  /// An item as text.
  public func item(_ entry: Entry) -> String { String(decoding: bytes(entry), as: UTF8.self) }

  /// A key that is equal for items that differ only in the case of their ASCII letters, so that a corpus has only one of them.
  public static func key(of item: some Sequence<UInt8>) -> [UInt8] { item.map { $0.lowercasedASCII } }

  /// The location of an item.
  public func location(_ entry: Entry) -> SourceLocation {
    SourceLocation(path: files[Int(entry.file)], line: Int(entry.line))
  }

  /// A fingerprint of the items with their labels and tags, independent of files and order.
  ///
  /// - Complexity: O(bytes).
  public var fingerprint: UInt64 {
    let labelHashes = labels.map { FNV1a.hash($0.joined(separator: "|").utf8) }
    let tagHashes = tags.map { FNV1a.hash($0.joined(separator: ",").utf8) }
    return text.withUnsafeBufferPointer { text in
      entries.reduce(0) { sum, entry in
        let bytes = text[Int(entry.item.start)..<Int(entry.item.start) + Int(entry.item.length)]
        let row = FNV1a.hash(bytes) ^ labelHashes[Int(entry.labels)] &* 3 ^ tagHashes[Int(entry.tags)] &* 5
        return sum &+ (row ^ row >> 29) &* 0xBF58_476D_1CE4_E5B9
      }
    }
  }
}

extension Corpus.Split {
  /// The share of items in `holdout`, in percent.
  public static let holdoutPercent: UInt64 = 40

  /// The split that an item belongs to, which never changes. It is a hash of the item's words that ignores their order, case, plural
  /// `s`, numbers, units, trademark signs, and other words of one or two letters, so that two spellings of an item are in the
  /// same split.
  ///
  /// - Complexity: O(bytes), without allocation.
  public init(of item: some Sequence<UInt8>) {
    var sum: UInt64 = 0
    var word = Word()
    /// Of an item that has nothing but short words.
    var short: UInt64 = 0
    func end() {
      let (hash, isShort) = word.end()
      if isShort { short &+= hash } else { sum &+= hash }
    }
    /// The word before the character beyond ASCII that is being read, and that character's bytes.
    var (before, character) = (word, UInt32(0))
    for byte in item {
      if byte >= 0x80 {
        if byte >= 0xC0 { (before, character) = (word, 0) }
        character = character &<< 8 | UInt32(byte)
        word.add(byte)
        if Self.marks.contains(character) { word = before }
      } else if byte.isASCIILetter {
        word.add(byte | 0x20)
      } else if byte.isASCIIDigit {
        word.addDigit(byte)
      } else if byte != UInt8(ascii: "'") {
        end()
      }
    }
    end()
    if sum == 0 { sum = short }
    let mixed = (sum ^ sum >> 30) &* 0xBF58_476D_1CE4_E5B9
    self = (mixed ^ mixed >> 27) >> 32 % 100 < Self.holdoutPercent ? .holdout : .tune
  }

  /// ®, © and ™ in UTF-8: they say nothing of the good.
  private static let marks: [UInt32] = [0xC2AE, 0xC2A9, 0xE284A2]

  /// A word being hashed.
  private struct Word {
    private static let empty: UInt64 = 0xCBF2_9CE4_8422_2325
    private var hash = empty
    /// The hash without the last letter.
    private var stem = empty
    private var last: UInt8 = 0
    private var length = 0
    private var isNumber = false
    /// The hash of `and`, which `&` stands for as well.
    private static let conjunction = Word(of: "and").hash

    init() {}

    private init(of text: String) { for byte in text.utf8 { add(byte) } }

    mutating func add(_ byte: UInt8) {
      stem = hash
      last = byte
      length &+= 1
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    mutating func addDigit(_ byte: UInt8) {
      if length == 0 { isNumber = true }
      add(byte)
    }

    /// The word's share of the sum: the singular's hash for a plural; and whether it is too short, or a number, to tell items apart.
    mutating func end() -> (hash: UInt64, isShort: Bool) {
      defer { self = Word() }
      if length == 0 { return (0, true) }
      let isPlural = last == UInt8(ascii: "s")
      let kept = isPlural && length > 3 ? stem : hash
      let isShort = length < (isPlural ? 4 : 3)
      return ((kept ^ kept >> 31) &* 0x9E37_79B9_7F4A_7C15, isShort || isNumber || hash == Self.conjunction)
    }
  }
}
