/// All keywords of a taxonomy in packed form: their texts in one block of bytes, and 20 bytes for the rest of each.
public struct KeywordTable: Sendable, RandomAccessCollection {
  /// A keyword as stored: its text is `bytes[start ..< start + length]`.
  public struct Entry: BitwiseCopyable, Sendable {
    /// Where the text begins in `bytes`.
    public let start: UInt32
    /// Its line, from 1.
    public let line: UInt32
    /// How long the text is, in bytes.
    public let length: UInt16
    /// The shelf's number, or `UInt16.max` for a section's own keyword.
    public let shelf: UInt16
    /// The number of the file in `KeywordTable.paths`.
    public let source: UInt16
    /// The column of the text in bytes, from 1.
    public let column: UInt16
    /// The section's number.
    public let section: UInt8
    /// The strength's raw value.
    public let strength: UInt8
    /// The number of its language among the taxonomy's, from 1; 0 where the taxonomy names none, and for the store's own keywords.
    public let language: UInt16

    init(
      start: Int, line: Int, length: Int, shelf: UInt16, source: UInt16, column: Int, section: UInt8, strength: UInt8,
      language: UInt16
    ) {
      self.start = UInt32(start)
      self.line = UInt32(clamping: line)
      self.length = UInt16(length)
      self.shelf = shelf
      self.source = source
      self.column = UInt16(clamping: column)
      self.section = section
      self.strength = strength
      self.language = language
    }

    /// The same keyword on another shelf and in another section.
    @inline(__always)
    init(_ other: Entry, shelf: UInt16, section: UInt8) {
      (start, line, length) = (other.start, other.line, other.length)
      (source, column, strength) = (other.source, other.column, other.strength)
      (self.shelf, self.section, language) = (shelf, section, other.language)
    }

    /// The shelf it is on; `nil` for a section's own keyword.
    public var shelfID: ShelfID? { shelf == .max ? nil : ShelfID(rawValue: shelf) }
  }

  /// The most keywords that a taxonomy may have.
  public static let maximumCount = 300_000
  /// The most bytes that all keyword texts together may have.
  public static let maximumBytes = 15 << 20

  /// The most files that they may stand in.
  static let maximumPathCount = 65_535

  /// The texts, back to back, followed by `Batch.padding` zeros.
  public let bytes: FlatTable<UInt8>
  /// The files that contain the keywords.
  public let paths: [String]
  private let rows: KeywordRows

  init(bytes: FlatTable<UInt8>, rows: KeywordRows, paths: [String]) {
    self.bytes = bytes
    self.rows = rows
    self.paths = paths
  }

  init(bytes: FlatTable<UInt8>, entries: FlatTable<Entry>, paths: [String]) {
    self.init(bytes: bytes, rows: KeywordRows(entries), paths: paths)
  }

  /// One row per keyword.
  public var entries: FlatTable<Entry> { rows.table }

  /// The first row, to look at one without holding on to all.
  package var firstEntry: UnsafePointer<Entry> { rows.start }

  /// Whether every row refers to what is there: for tables from elsewhere.
  ///
  /// - Complexity: O(keywords); about 1 ns a keyword.
  func isSound(sectionCount: Int, shelfCount: Int) -> Bool {
    guard entries.count <= Self.maximumCount else { return false }
    var (end, source, section, shelf): (UInt64, UInt16, UInt8, UInt16) = (0, 0, 0, 0)
    for entry in entries.elements {
      end = Swift.max(end, UInt64(entry.start) &+ UInt64(entry.length))
      source = Swift.max(source, entry.source)
      section = Swift.max(section, entry.section)
      shelf = Swift.max(shelf, entry.shelf &+ 1)  // 0 for no shelf.
    }
    return entries.isEmpty
      || end <= bytes.count - Batch.padding && source < paths.count && section < sectionCount && shelf <= shelfCount
  }

  /// Where the keywords of each section begin, in a table that has them in the order of the sections, and where the last ones end.
  package func starts(sectionCount: Int) -> ContiguousArray<UInt32> {
    var starts = ContiguousArray<UInt32>(repeating: 0, count: sectionCount + 1)
    for entry in entries.elements { starts[Int(entry.section) + 1] += 1 }
    for section in 0..<sectionCount { starts[section + 1] += starts[section] }
    return starts
  }

  /// Whether another table has the same keywords under the same numbers.
  ///
  /// - Complexity: O(1) where they share their memory, else O(bytes).
  func isSame(as other: KeywordTable) -> Bool {
    func isSame<Element>(_ one: FlatTable<Element>, _ two: FlatTable<Element>) -> Bool {
      one.count == two.count && (one.address == two.address || one.block == two.block)
    }
    return (rows === other.rows || isSame(entries, other.entries)) && isSame(bytes, other.bytes) && paths == other.paths
  }

  /// The keyword with an id; `nil` for an id from elsewhere.
  public func keyword(_ id: KeywordID) -> Keyword? { id.rawValue < count ? self[Int(id.rawValue)] : nil }

  /// The number before the first keyword: 0.
  public var startIndex: Int { 0 }
  /// The number of keywords.
  public var endIndex: Int { rows.count }

  /// The keyword with a number.
  public subscript(position: Int) -> Keyword {
    let entry = entries[position]
    // A mapped file may change after it was found sound, before that is noticed.
    let start = Swift.min(Int(entry.start), bytes.count)
    let text = UnsafeBufferPointer(rebasing: bytes.elements[start..<Swift.min(start + Int(entry.length), bytes.count)])
    let path = Int(entry.source) < paths.count ? paths[Int(entry.source)] : ""
    return Keyword(
      text: String(decoding: text, as: UTF8.self), strength: Keyword.Strength(rawValue: entry.strength) ?? .good,
      shelf: entry.shelfID, section: SectionID(rawValue: UInt16(entry.section)),
      location: SourceLocation(path: path, line: Int(entry.line), column: Int(entry.column)))
  }

  /// The keyword with an id.
  public subscript(id: KeywordID) -> Keyword { self[Int(id.rawValue)] }
}

/// Collects keywords.
struct KeywordTableBuilder {
  private var bytes: ContiguousArray<UInt8> = []
  private var entries: ContiguousArray<KeywordTable.Entry> = []
  private(set) var paths: [String] = []

  init() {
    bytes.reserveCapacity(1 << 20)
    entries.reserveCapacity(1 << 16)
  }

  /// The number of a file that keywords stand in; `nil` when there are too many.
  mutating func addPath(_ path: String) -> UInt16? {
    if paths.count == KeywordTable.maximumPathCount { return nil }
    paths.append(path)
    return UInt16(paths.count - 1)
  }

  /// Adds a keyword whose first byte may be a strength sign.
  ///
  /// - Returns: What is wrong with it; such a keyword is not added.
  mutating func add(
    _ written: UnsafeBufferPointer<UInt8>, shelf: UInt16, section: UInt8, source: UInt16, line: Int, column: Int,
    language: UInt16
  ) -> String? {
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
    if strength != .good, let next = text.first, "~!?".utf8.contains(next) { return "two strength signs; keep one" }
    if text.isEmpty { return "the keyword is missing; write a word or remove the entry" }
    if let fault = Self.mistakenSign(text) { return fault }
    if text.count > 200 { return "the keyword has \(text.count) bytes; shorten it to at most 200" }
    if entries.count == KeywordTable.maximumCount || bytes.count > KeywordTable.maximumBytes {
      return
        "more than \(KeywordTable.maximumCount) keywords or \(ByteSize.text(KeywordTable.maximumBytes)) of keyword text; remove some"
    }
    entries.append(
      KeywordTable.Entry(
        start: bytes.count, line: line, length: text.count, shelf: shelf, source: source,
        column: column + (written.count - text.count), section: section, strength: strength.rawValue,
        language: language))
    bytes.append(contentsOf: text)
    return nil
  }

  /// What is wrong with a keyword that begins as a removal does, or a list's entry.
  private static func mistakenSign(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    guard let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "*"), let next = text.dropFirst().first,
      next == 0x20 || sign == UInt8(ascii: "-") && next.isASCIILetter
    else { return nil }
    let name = String(decoding: text.dropFirst().drop { $0 == 0x20 }, as: UTF8.self)
    return sign == UInt8(ascii: "-")
      ? "`-` removes a keyword only where a store extends another; to remove `\(name)` here, delete its line"
      : "a keyword has no `*` before it; write `\(name)`"
  }

  consuming func build() -> KeywordTable {
    bytes.append(contentsOf: repeatElement(0, count: Batch.padding))
    return KeywordTable(bytes: FlatTable(bytes), entries: FlatTable(entries), paths: paths)
  }
}
