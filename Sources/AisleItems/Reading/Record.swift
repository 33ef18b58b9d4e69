package import AisleCore

/// A record of the input: a line, a JSON object or a row.
package struct Record {
  /// Where the record lies in the block, without its line end.
  package var start: UInt32
  package var length: UInt32
  /// The bytes of its line end: 0, 1 or 2.
  package var terminator: UInt8
}

/// The records of a block, and what was wrong with some.
package struct RecordList {
  package var records: ContiguousArray<Record> = []
  package var extents: ContiguousArray<Batch.Extent> = []
  /// The line of a bad record, counted from the block's first, and what is wrong with it, by the record's place.
  package var faults: [Int: RecordFault] = [:]
  /// The places of blank lines among JSON or CSV, which come out as they are.
  package var blanks: Set<Int> = []
  /// How many fields a CSV row lacks at its end, by the row's place.
  package var missingFields: [Int: Int] = [:]
  /// The lines in the block.
  package var lineCount = 0

  /// Whether a record is a blank line, of whatever input.
  package func isBlank(_ place: Int) -> Bool { records[place].length == 0 || blanks.contains(place) }

  /// Makes an empty list.
  package init() {}

  package mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    extents.removeAll(keepingCapacity: true)
    faults.removeAll()
    blanks.removeAll()
    missingFields.removeAll()
    lineCount = 0
  }
}

package struct RecordFault {
  package let line: Int
  package let message: String
  /// Whether the record is sound but for its item, so that fields can be added to it: the section's, and the `error`.
  package var isSound = false
}

/// Where a scan for record ends stands, so that it can go on with the next bytes.
package struct RecordScan {
  /// Whether the scan is inside a quoted CSV field or a JSON string.
  package var isQuoted = false
  /// Whether the last byte was a quotation mark in such a field: it ends the field, or the next byte makes it part of the text.
  package var pendingQuote = false
  /// Whether a CSV field begins here.
  package var beginsField = true
  /// Whether the last byte was a backslash in a JSON string, which makes the next one part of it.
  package var isEscaped = false
  /// How many objects and arrays of JSON the scan is inside of, below the array of all elements.
  package var depth = 0
  /// How many line ends were passed.
  package var lines = 0
  /// How many were passed before the quoted CSV field that the scan is or was in.
  package var linesBeforeQuote: Int?

  /// Makes a scan that begins at a record's start.
  package init() {}
}

/// Cuts blocks into records and finds the item in each.
package protocol RecordParser: Sendable {
  /// The most records of a block, since each costs memory, however short it is.
  var maximumRecords: Int { get }

  /// The end of the last whole record in `bytes`, or 0; of the last of the first `limit` ones, when there are more. The bytes begin at
  /// a record's start.
  func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int

  /// The end of the first record in `bytes`, or `nil` when it goes on. The scan may have begun in bytes before.
  func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int?

  /// Fills in the records of a block of `count` bytes. Items that need decoding are added to `text` behind the block, before its padding.
  func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList)
}

extension RecordParser {
  /// Fewer than of lines: a record that is wrong costs more, and answers to it are longer.
  package var maximumRecords: Int { 4 * 1024 }

  package func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
    lineEnd(bytes, after: limit) ?? (bytes.lastIndex(of: 0x0A) ?? -1) + 1
  }

  package func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int? {
    guard let newline = bytes.firstIndex(of: 0x0A) else { return nil }
    scan.lines += 1
    return newline + 1
  }
}

/// The end of the line that is the `limit`th, or `nil` when there are fewer.
private func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, after limit: Int) -> Int? {
  guard bytes.count >= limit, let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
  // Newlines are counted eight bytes at a time, a count a byte, and one at a time in the stretch that has the line.
  let stretch = 1024
  let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  var seen = 0
  var offset = 0
  while offset &+ stretch <= bytes.count {
    var counts: UInt64 = 0
    var place = offset
    while place < offset &+ stretch {
      let differs = base.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
      counts &+= ~(((differs & low) &+ low) | differs | low) &>> 7
      place &+= 8
    }
    let pairs = (counts & 0x00FF_00FF_00FF_00FF) &+ (counts &>> 8 & 0x00FF_00FF_00FF_00FF)
    let found = Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
    if seen &+ found >= limit { break }
    seen &+= found
    offset &+= stretch
  }
  while offset < bytes.count {
    if bytes[offset] == 0x0A { seen &+= 1 }
    offset &+= 1
    if seen == limit { return offset }
  }
  return nil
}

/// Adds a decoded item behind the block and gives its place.
func appendDecoded(_ item: [UInt8], to text: inout [UInt8]) -> Batch.Extent {
  let start = text.count - Batch.padding
  text.replaceSubrange(start..., with: item)
  text.append(contentsOf: repeatElement(0, count: Batch.padding))
  return Batch.Extent(start: UInt32(start), length: UInt32(item.count))
}
