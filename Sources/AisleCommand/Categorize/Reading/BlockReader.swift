import AisleCore
import AisleItems

/// What comes next from the input.
enum Piece {
  /// A block of whole records.
  case block(Block)
  /// Part of a record that is too long for a block.
  case oversized(OversizedPart)
  /// The next input begins: its name, and its header row where it has one.
  case input(String, Header?)
  /// Nothing is there yet, and the caller did not want to wait.
  case starved
}

/// Reads inputs one after the other into blocks of whole records, in constant memory.
struct BlockReader {
  /// The bytes read at once; a record that is longer is not categorized.
  static let capacity = 256 * 1024
  /// The bytes handed out at once where they hold a record: with all that is worked out of them, they leave a core's cache to the
  /// strategies' tables.
  private static let blockSize = 64 * 1024

  var open: (String) throws -> Descriptor
  /// The parser for the input at hand; set it when an input begins.
  var parser: any RecordParser
  private let isLineBuffered: Bool
  private let hasHeader: Bool
  private var paths: ArraySlice<String>
  private var current: Descriptor?
  /// The input at hand, while its beginning has not been told.
  private var opened: String?
  /// What was read but not handed out yet: `buffer[start ..< end]`.
  private var buffer = [UInt8](repeating: 0, count: capacity)
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// Whether the input's first bytes are still to be looked at.
  private var isNew = false
  /// Where the scan for the end of an oversized record stands; `nil` outside one.
  private var oversized: RecordScan?

  /// - Parameters:
  ///   - paths: Files to read; `-` is standard input.
  ///   - hasHeader: Whether each begins with a header row.
  ///   - isLineBuffered: Whether each record makes a block of its own.
  init(paths: [String], hasHeader: Bool, isLineBuffered: Bool) {
    self.paths = paths[...]
    self.hasHeader = hasHeader
    parser = LineParser()
    self.isLineBuffered = isLineBuffered
    open = { try $0 == "-" ? .standardInput : Descriptor.open($0) }
  }

  /// The next piece, or `nil` after the last. `storage` is reused for a block's text.
  ///
  /// - Parameter mayWait: Whether to wait for input that is not there yet; else the piece is `starved`.
  /// - Throws: `StreamError` for an input that cannot be read, `CommandFailure` for one that is written to, is UTF-16 or gzip, or has no
  ///   usable header row; reading may go on with the one after it.
  mutating func next(reusing storage: consuming [UInt8], mayWait: Bool) throws -> Piece? {
    while true {
      guard let input = current else {
        guard let path = paths.popFirst() else { return nil }
        let input = try open(path)
        current = input
        (isAtEnd, isNew, oversized, start, end) = (false, true, nil, 0, 0)
        try checkOutput(input)
        opened = path
        continue
      }
      if let path = opened {
        if let length = hasHeader ? headerLength() : 0 {
          opened = nil
          defer { start += length }
          return .input(path, hasHeader ? Header(row: Array(buffer[start..<start + length])) : nil)
        }
        if end - start >= Self.capacity {
          throw CommandFailure(
            description:
              "\(input.name):1: the header row is longer than \(Self.capacity / 1024) KiB; check that the file is CSV and that every quote is closed"
          )
        }
      } else if oversized != nil {
        if let part = nextOversized() { return .oversized(part) }
      } else if let count = recordEnd() {
        return .block(take(count, into: &storage))
      } else if end - start >= Self.capacity {
        oversized = RecordScan()
        return .oversized(takePart(isFirst: true))
      } else if isAtEnd {
        if input.number != 0 { input.closeFile() }
        current = nil
        continue
      }
      if !mayWait, try !input.hasInput() { return .starved }
      try fill(input)
    }
  }

  /// Refuses a file that results or messages are written to, since they would be read back without end. One that is at its end has
  /// nothing to read, and what is written from now on is none of it.
  private mutating func checkOutput(_ input: Descriptor) throws {
    guard [.standardOutput, .standardError].contains(where: { input.isSameFile(as: $0) }) else { return }
    guard input.isAtEnd else {
      throw CommandFailure(description: "\(input.name): the input is also the output file; write the output to another file")
    }
    isAtEnd = true
  }

  /// Gives up on the input that could not be read.
  mutating func skipInput() {
    if let current, current.number != 0 { current.closeFile() }
    (current, opened) = (nil, nil)
  }

  /// The length of the header row with its line end, or `nil` when more must be read first.
  private func headerLength() -> Int? {
    var scan = RecordScan()
    return withPending { CSVParser(column: 0, columnCount: 0).firstRecordEnd($0, &scan) } ?? (isAtEnd ? end - start : nil)
  }

  private func withPending<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
  }

  /// The length of the records that can be handed out now, or `nil` when more must be read first.
  private func recordEnd() -> Int? {
    guard end > start else { return nil }
    if isLineBuffered {
      var scan = RecordScan()
      if let first = withPending({ parser.firstRecordEnd($0, &scan) }) { return first }
    } else {
      let pending = end - start
      for size in pending <= Self.blockSize ? [pending] : [Self.blockSize, pending] {
        let last = withPending { pending in
          parser.lastRecordEnd(UnsafeBufferPointer(rebasing: pending[..<size]), limit: parser.maximumRecords)
        }
        if last > 0 { return last }
      }
    }
    return isAtEnd ? end - start : nil
  }

  private mutating func fill(_ input: Descriptor) throws {
    if end == Self.capacity {
      buffer.withUnsafeMutableBytes { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
      (start, end) = (0, end - start)
    }
    let place = end
    let received = try buffer.withUnsafeMutableBytes { bytes in
      try bytes.baseAddress.map { try input.read(into: $0 + place, count: Self.capacity - place) } ?? 0
    }
    end += received
    if received == 0 { isAtEnd = true }
    if isNew, end >= 4 {
      isNew = false
      if start == 0, Self.isUTF16(buffer[..<min(end, 256)]) {
        throw CommandFailure(description: "\(input.name):1: the text is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8")
      }
      if start == 0, buffer.starts(with: Self.gzipMark) {
        throw CommandFailure(
          description: "\(input.name): the file is compressed with gzip; unpack it first: zcat FILE | aisle categorize")
      }
    }
  }

  /// What a gzip file begins with: its mark, and the one method there is (RFC 1952).
  private static let gzipMark: [UInt8] = [0x1F, 0x8B, 8]

  /// Whether bytes begin as UTF-16 does: with its mark, and NUL bytes among what follows, as of every line end.
  private static func isUTF16(_ bytes: ArraySlice<UInt8>) -> Bool {
    (bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])) && bytes.contains(0)
  }

  /// Copies the first bytes that are pending to a block.
  private mutating func take(_ count: Int, into storage: inout [UInt8]) -> Block {
    storage.removeAll(keepingCapacity: true)
    storage.append(contentsOf: buffer[start..<start + count])
    storage.append(contentsOf: repeatElement(0, count: Batch.padding))
    start += count
    if start == end { (start, end) = (0, 0) }
    return Block(text: storage, count: count)
  }

  /// What is pending of an oversized record, up to its end; `nil` when more must be read first.
  private mutating func nextOversized() -> OversizedPart? {
    if end == start && !isAtEnd { return nil }
    let part = takePart(isFirst: false)
    return part.bytes.isEmpty && !part.isLast ? nil : part
  }

  /// Takes the record's bytes that are pending. A return and an unfinished character at their end wait for what follows.
  private mutating func takePart(isFirst: Bool) -> OversizedPart {
    guard var scan = oversized else { return OversizedPart(bytes: [], isFirst: isFirst, isLast: true) }
    let length = withPending { parser.firstRecordEnd($0, &scan) }
    var count = length ?? end - start
    let isLast = length != nil || isAtEnd
    var part = OversizedPart(bytes: [], isFirst: isFirst, isLast: isLast, lines: scan.lines)
    if isLast {
      var content = buffer[start..<start + count]
      if content.last == 0x0A { content.removeLast() }
      if length != nil, content.last == 0x0D {
        content.removeLast()
        part.lineEnd = "\r\n"
      }
      part.bytes = Array(content)
      oversized = nil
    } else {
      count = Self.wholeCharacters(buffer[start..<end])
      // What is held back is scanned again with what follows it.
      scan = oversized ?? scan
      _ = withPending { parser.firstRecordEnd(UnsafeBufferPointer(rebasing: $0[..<count]), &scan) }
      part.bytes = Array(buffer[start..<start + count])
      oversized = scan
    }
    start += count
    if start == end { (start, end) = (0, 0) }
    return part
  }

  /// The length of `bytes` without a return or an unfinished UTF-8 sequence at their end.
  private static func wholeCharacters(_ bytes: ArraySlice<UInt8>) -> Int {
    if bytes.last == 0x0D { return bytes.count - 1 }
    for (back, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > back + 1 ? bytes.count - back - 1 : bytes.count
    }
    return bytes.count
  }
}
