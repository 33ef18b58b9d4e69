import AisleCore

/// All corrections in the form that they are looked up in: flat tables, built in memory or mapped from a file.
///
/// Whatever the tables hold, reading them is safe: places are checked, and a row counts only when its own checksum holds.
struct CorrectionIndex: Sendable {
  /// A correction as stored.
  struct Row: BitwiseCopyable, Sendable {
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
  struct Entry {
    let id: Int64
    let key: String
    let correction: Correction
  }

  /// The words of all corrections.
  let vocabulary: NumberFilter
  /// Corrections by the set of their words.
  let whole: NumberTable
  /// Corrections by the set of their words without the first, and without the first two: those may be a brand.
  let trimmed: NumberTable
  /// Corrections by their words where one of them counts with its beginning or its end only.
  let slip: NumberTable
  private let rows: FlatTable<Row>
  private let text: FlatTable<UInt8>
  private let nameStarts: FlatTable<UInt32>
  private let names: FlatTable<UInt8>

  /// How many blocks the tables are.
  static let blockCount = 14

  /// The number of corrections.
  var count: Int { rows.count }

  /// Takes up tables; `nil` when they cannot be one index.
  init?(_ memory: FlatMemory, _ blocks: [Range<Int>]) {
    guard blocks.count == Self.blockCount, memory.holds(blocks) else { return nil }
    func table<Element>(_ block: Int, _ type: Element.Type) -> FlatTable<Element> {
      FlatTable(memory, at: blocks[block].lowerBound, count: blocks[block].count / MemoryLayout<Element>.stride)
    }
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
  }

  /// Takes up tables that were just built.
  init?(_ blocks: [FlatBlock]) {
    var bytes = ContiguousArray<UInt8>()
    var places: [Range<Int>] = []
    bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.count + 16 })
    for block in blocks {
      places.append(bytes.count..<bytes.count + block.count)
      bytes.append(contentsOf: block.bytes)
      bytes.append(contentsOf: repeatElement(0, count: (16 - block.count % 16) % 16))
    }
    self.init(FlatMemory(copying: bytes), places)
  }

  /// A row; `nil` when there is none of that number, or it is damaged.
  func entry(_ number: Int) -> Entry? {
    guard number < rows.count else { return nil }
    let row = rows.address[number]
    let (start, keyEnd) = (Int(row.text), Int(row.text) + Int(row.keyLength))
    let end = keyEnd + Int(row.itemLength)
    guard end <= text.count else { return nil }
    let bytes = UnsafeBufferPointer(rebasing: text.elements[start..<end])
    guard row.check == Self.check(row, bytes), let store = name(row.store), let section = name(row.section),
      let proposer = name(row.proposer)
    else { return nil }
    let key = String(decoding: text.elements[start..<keyEnd], as: UTF8.self)
    let item = row.itemLength == 0 ? key : String(decoding: text.elements[keyEnd..<end], as: UTF8.self)
    return Entry(
      id: row.id, key: key,
      correction: Correction(
        store: store, item: item, section: section, shelf: name(row.shelf),
        origin: Origin(proposer: proposer, model: name(row.model), time: Int(row.time))))
  }

  private func name(_ number: UInt32) -> String? {
    guard Int(number) + 1 < nameStarts.count else { return nil }
    let (start, end) = (Int(nameStarts[Int(number)]), Int(nameStarts[Int(number) + 1]))
    guard start <= end, end <= names.count else { return nil }
    return String(decoding: names.elements[start..<end], as: UTF8.self)
  }

  /// A checksum of a row and its text. It finds accidents, not forgeries.
  static func check(_ row: Row, _ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var row = row
    row.check = 0
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    withUnsafeBytes(of: row) { for byte in $0 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    for byte in text { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return UInt32(truncatingIfNeeded: sum ^ sum &>> 32)
  }
}
