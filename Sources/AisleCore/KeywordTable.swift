/// All keywords of a taxonomy, packed: their text in one block of bytes, the rest in 16 bytes each.
///
/// Thousands of keywords load in well under a millisecond this way, and a run on one item does little else.
public struct KeywordTable: Sendable, RandomAccessCollection {
  /// A keyword as stored: `text` is `bytes[start ..< start + length]`.
  public struct Entry: Sendable {
    /// Where the text begins in `bytes`.
    public let start: UInt32
    /// The line it stands on, from 1.
    public let line: UInt32
    /// How long the text is, in bytes.
    public let length: UInt16
    /// The shelf's number, or `UInt16.max` for a section's own keyword.
    public let shelf: UInt16
    /// The number of the file in `KeywordTable.paths`.
    public let source: UInt16
    /// The section's number.
    public let section: UInt8
    /// The strength's raw value.
    public let strength: UInt8
    /// The column of the text in bytes, from 1.
    public let column: UInt16

    /// The shelf it stands on; `nil` when it is a section's own.
    public var shelfID: ShelfID? { shelf == .max ? nil : ShelfID(rawValue: shelf) }
  }

  /// The texts, one after the other, followed by at least `Batch.padding` zeros.
  public private(set) var bytes: [UInt8] = []
  /// A row a keyword.
  public private(set) var entries: ContiguousArray<Entry> = []
  /// The files that the keywords stand in.
  public private(set) var paths: [String] = []

  init() {}

  /// The number before the first keyword: 0.
  public var startIndex: Int { 0 }
  /// The number of keywords.
  public var endIndex: Int { entries.count }

  /// The keyword with a number.
  public subscript(position: Int) -> Keyword {
    let entry = entries[position]
    let text = bytes[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
    return Keyword(
      text: String(decoding: text, as: UTF8.self), strength: Keyword.Strength(rawValue: entry.strength) ?? .good,
      shelf: entry.shelfID, section: SectionID(rawValue: UInt16(entry.section)),
      location: SourceLocation(path: paths[Int(entry.source)], line: Int(entry.line), column: Int(entry.column)))
  }

  /// The keyword with an id.
  public subscript(id: KeywordID) -> Keyword { self[Int(id.rawValue)] }

  mutating func addPath(_ path: String) -> UInt16 {
    paths.append(path)
    return UInt16(paths.count - 1)
  }

  mutating func reserve(bytes byteCount: Int, keywords: Int) {
    bytes.reserveCapacity(byteCount)
    entries.reserveCapacity(keywords)
  }

  /// Adds a keyword whose first byte may be a strength sign; an empty one is not added and answers `false`.
  mutating func add(
    _ written: UnsafeBufferPointer<UInt8>, shelf: UInt16, section: UInt8, source: UInt16, line: Int, column: Int
  ) -> Bool {
    var text = written[...]
    var strength = Keyword.Strength.good
    switch text.first {
    case UInt8(ascii: "~"): strength = .flavor
    case UInt8(ascii: "!"): strength = .decisive
    case UInt8(ascii: "?"): strength = .descriptor
    default: break
    }
    if strength != .good { text = text.dropFirst() }
    while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
    guard !text.isEmpty, text.count <= Int(UInt16.max) else { return false }
    entries.append(
      Entry(
        start: UInt32(bytes.count), line: UInt32(line), length: UInt16(text.count), shelf: shelf, source: source, section: section,
        strength: strength.rawValue, column: UInt16(clamping: column + (written.count - text.count))))
    bytes.append(contentsOf: text)
    return true
  }

  mutating func seal() { bytes.append(contentsOf: repeatElement(0, count: Batch.padding)) }
}
