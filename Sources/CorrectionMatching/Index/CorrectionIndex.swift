package import AisleCore

/// All corrections in the form that they are looked up in: flat tables, built in memory or mapped from a file.
///
/// Whatever the tables hold, reading them is safe: places are checked. A row counts only when its own checksum holds, and what was found
/// only where `isDamaged` says afterwards that all that was read was sound.
package final class CorrectionIndex: Sendable {
  /// A correction as stored.
  package struct Row: BitwiseCopyable, Sendable {
    /// Its number in the database.
    var id: Int64
    var time: Int64
    /// Where its key, and then the item if it differs, begin in the texts.
    var text: UInt32
    var keyLength: UInt16
    /// 0 where the item is its own key.
    var itemLength: UInt16
    /// Numbers of names; `UInt32.max` for none.
    var store: UInt32
    var section: UInt32
    var shelf: UInt32
    var proposer: UInt32
    var model: UInt32
    var check: UInt32
  }

  /// A row spelled out.
  package struct Entry {
    package let id: Int64
    package let key: String
    package let correction: Correction
  }

  /// The words of all corrections.
  let vocabulary: NumberFilter
  /// Corrections by the set of their words.
  let whole: NumberTable
  /// Corrections by the set of their words without the first, and without the first two: those may be a brand.
  let trimmed: NumberTable
  /// Corrections by their words where one of them counts with its beginning or its end only.
  let slip: NumberTable
  private let rows: PagedTable<Row>
  private let text: PagedTable<UInt8>
  private let nameStarts: PagedTable<UInt32>
  private let names: PagedTable<UInt8>
  private let pages: PageMap

  /// How many blocks the tables are.
  package static let blockCount = 14

  /// The number of corrections.
  package var count: Int { rows.count }

  /// Whether a part of the index that was needed proved damaged: what was found in it may be wrong.
  package var isDamaged: Bool { pages.isDamaged }

  /// Takes up tables; `nil` when they cannot be one index.
  package init?(_ pages: PageMap, _ blocks: [Range<Int>]) {
    guard blocks.count == Self.blockCount, pages.memory.holds(blocks) else { return nil }
    func table<Element>(_ block: Int, _ type: Element.Type) -> PagedTable<Element> { PagedTable(pages, blocks[block]) }
    func numbers(_ block: Int) -> NumberTable? {
      NumberTable(
        filter: table(block, UInt64.self), starts: table(block + 1, UInt32.self), entries: table(block + 2, UInt64.self))
    }
    guard let vocabulary = NumberFilter(table(0, UInt64.self)), let whole = numbers(1), let trimmed = numbers(4),
      let slip = numbers(7)
    else { return nil }
    self.vocabulary = vocabulary
    self.whole = whole
    self.trimmed = trimmed
    self.slip = slip
    rows = table(10, Row.self)
    text = table(11, UInt8.self)
    nameStarts = table(12, UInt32.self)
    names = table(13, UInt8.self)
    self.pages = pages
  }

  /// Takes up tables that were just built.
  package convenience init?(_ blocks: [FlatBlock]) {
    var bytes = ContiguousArray<UInt8>()
    var places: [Range<Int>] = []
    bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.count + 16 })
    for block in blocks {
      places.append(bytes.count..<bytes.count + block.count)
      bytes.append(contentsOf: block.bytes)
      bytes.append(contentsOf: repeatElement(0, count: (16 - block.count % 16) % 16))
    }
    self.init(PageMap(FlatMemory(copying: bytes)), places)
  }

  /// A row with its key and its item; `nil` when there is none of that number. Whether it is sound is for `isSound` to say.
  @inline(__always)
  func row(_ number: Int) -> (row: Row, key: UnsafeBufferPointer<UInt8>, item: UnsafeBufferPointer<UInt8>)? {
    guard number < rows.count else { return nil }
    let row = rows[number]
    let (start, keyEnd) = (Int(row.text), Int(row.text) + Int(row.keyLength))
    let end = keyEnd + Int(row.itemLength)
    guard end <= text.count else { return nil }
    let key = text[start..<keyEnd]
    return (row, key, row.itemLength == 0 ? key : text[keyEnd..<end])
  }

  /// Reads where rows and their texts lie, all at once, so that they are at hand when they are read in turn.
  func fetch(_ numbers: some Sequence<Int>) -> UInt64 {
    var sum: UInt64 = 0
    for number in numbers where number < rows.count {
      let start = Int(rows[number].text)
      if start < text.count { sum &+= UInt64(text[start]) }
    }
    return sum
  }

  /// Whether a row's checksum holds.
  func isSound(_ row: Row) -> Bool {
    let start = Int(row.text)
    let end = start + Int(row.keyLength) + Int(row.itemLength)
    return end <= text.count && row.check == Self.check(row, text[start..<end])
  }

  /// A row spelled out; `nil` when there is none of that number, or it is damaged.
  package func entry(_ number: Int) -> Entry? {
    guard let (row, key, item) = row(number), isSound(row), let store = name(row.store), let section = name(row.section),
      let proposer = name(row.proposer)
    else { return nil }
    return Entry(
      id: row.id, key: String(decoding: key, as: UTF8.self),
      correction: Correction(
        store: store, item: String(decoding: item, as: UTF8.self), section: section, shelf: name(row.shelf),
        origin: Origin(proposer: proposer, model: name(row.model), time: Int(row.time))))
  }

  /// How many names there are.
  var nameCount: Int { max(0, nameStarts.count - 1) }

  /// The name of a number; `nil` where there is none.
  func name(_ number: UInt32) -> String? {
    guard Int(number) + 1 < nameStarts.count else { return nil }
    let (start, end) = (Int(nameStarts[Int(number)]), Int(nameStarts[Int(number) + 1]))
    guard start <= end, end <= names.count else { return nil }
    return String(decoding: names[start..<end], as: UTF8.self)
  }

  /// A checksum of a row and its text. It finds accidents, not forgeries.
  static func check(_ row: Row, _ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var row = row
    row.check = 0
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B1_85EB_CA87
      sum ^= sum &>> 29
    }
    withUnsafeBytes(of: row) { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 8) { add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }
    let bytes = UnsafeRawBufferPointer(text)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    while offset < bytes.count {
      add(UInt64(bytes[offset]))
      offset &+= 1
    }
    return UInt32(truncatingIfNeeded: sum ^ sum &>> 32)
  }
}
