import AisleCore

/// A record of the input: a line, a JSON line or a CSV row.
struct Record {
  /// Where the record lies in the block, without its line end.
  var start: UInt32
  var length: UInt32
  /// The bytes of its line end: 0, 1 or 2.
  var terminator: UInt8
  /// The lines it takes.
  var lines: UInt32 = 1
}

/// The records of a block, and what was wrong with some.
struct RecordList {
  var records: ContiguousArray<Record> = []
  var extents: ContiguousArray<Batch.Extent> = []
  /// The line of a bad record, counted from the block's first, and what is wrong with it, by the record's place.
  var faults: [Int: RecordFault] = [:]
  /// The places of blank lines among JSON or CSV, which come out as they are.
  var blanks: Set<Int> = []
  /// The lines in the block.
  var lineCount = 0

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    extents.removeAll(keepingCapacity: true)
    faults.removeAll()
    blanks.removeAll()
    lineCount = 0
  }
}

struct RecordFault {
  let line: Int
  let message: String
  /// Whether the record is sound but for its item, so that fields can be added to it.
  var isSound = false
  /// How many fields a CSV row lacks.
  var missingFields = 0
}

/// How records lie in the input.
enum InputFormat: String, CaseIterable, Sendable {
  case lines, jsonl, csv
}

/// Where a scan for record ends stands, so that it can go on with the next bytes.
struct RecordScan {
  /// Whether the scan is inside a quoted CSV field.
  var isQuoted = false
  /// Whether a CSV field begins here.
  var beginsField = true
  /// How many line ends were passed.
  var lines = 0
}

/// Cuts blocks into records and finds the item in each.
protocol RecordParser: Sendable {
  /// The end of the last whole record in `bytes`, or 0. The bytes begin at a record's start.
  func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Int

  /// The end of the first record in `bytes`, or `nil` when it goes on. The scan may have begun in bytes before.
  func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int?

  /// Fills in the records of a block of `count` bytes. Items that need decoding are added to `text` behind the block, before its padding.
  func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList)
}

extension RecordParser {
  func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    (bytes.lastIndex(of: 0x0A) ?? -1) + 1
  }

  func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int? {
    guard let newline = bytes.firstIndex(of: 0x0A) else { return nil }
    scan.lines += 1
    return newline + 1
  }
}

/// Adds a decoded item behind the block and gives its place.
func appendDecoded(_ item: [UInt8], to text: inout [UInt8]) -> Batch.Extent {
  let start = text.count - Batch.padding
  text.replaceSubrange(start..., with: item)
  text.append(contentsOf: repeatElement(0, count: Batch.padding))
  return Batch.Extent(start: UInt32(start), length: UInt32(item.count))
}
