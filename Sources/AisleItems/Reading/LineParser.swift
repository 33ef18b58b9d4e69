import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One item a line; LF or CR-LF ends it.
package struct LineParser: RecordParser {
  /// Makes a parser.
  package init() {}

  package var maximumRecords: Int { 16 * 1024 }

  package func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    text.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      forEachLine(base, count) { start, end, terminator in
        list.records.append(Record(start: UInt32(start), length: UInt32(end - start), terminator: terminator))
        list.extents.append(Batch.Extent(start: UInt32(start), length: UInt32(end - start)))
      }
    }
    list.lineCount = list.records.count
  }
}

/// Walks the lines of a block: start, end without the line end, and the line end's length.
@inline(__always)
func forEachLine(_ base: UnsafePointer<UInt8>, _ count: Int, _ body: (Int, Int, UInt8) -> Void) {
  var start = 0
  while start < count {
    let found = memchr(base + start, 0x0A, count &- start)
    let newline = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? count
    let hasReturn = newline < count && newline > start && base[newline &- 1] == 0x0D
    body(start, hasReturn ? newline &- 1 : newline, newline == count ? 0 : hasReturn ? 2 : 1)
    start = newline &+ 1
  }
}
