import AisleCore
import AisleItems

/// What comes next from the input.
enum Piece {
  /// A block of whole records.
  case block(Block)
  /// Part of a record that is too long for a block.
  case oversized(OversizedPart)
  /// The next input begins: its name, its first row where it is a table, and how many lines stand before its first record.
  case input(String, Header?, lines: Int)
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
  /// Hears of what is no mistake, but may not be meant.
  var remark: (String) -> Void = { _ in }
  private let setup: InputSetup
  private let isLineBuffered: Bool
  private var paths: ArraySlice<String>
  private var current: Descriptor?
  /// The input at hand, while its beginning has not been told.
  private var opened: String?
  /// What was read but not handed out yet: `buffer[start ..< end]`. It has its size when something is read: a reader is copied before that.
  private var buffer: [UInt8] = []
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// Whether a line of the input has ended, or need not be looked for.
  private var hasLineEnd = false
  /// Whether the input's first bytes are still to be looked at.
  private var isNew = false
  /// Where the scan for the end of an oversized record stands; `nil` outside one.
  private var oversized: RecordScan?
  /// Whether the JSON array at hand has ended.
  private var isClosed = false
  /// How many lines of the JSON array at hand were handed out.
  private var lines = 0

  /// - Parameters:
  ///   - paths: Files to read; `-` is standard input.
  ///   - setup: How records lie in them.
  ///   - isLineBuffered: Whether each record makes a block of its own.
  init(paths: [String], setup: InputSetup, isLineBuffered: Bool) {
    self.paths = paths[...]
    self.setup = setup
    parser = LineParser()
    self.isLineBuffered = isLineBuffered
    open = { try $0 == "-" ? .standardInput : Descriptor.open($0) }
  }

  /// The next piece, or `nil` after the last. `storage` is reused for a block's text.
  ///
  /// - Parameter mayWait: Whether to wait for input that is not there yet; else the piece is `starved`.
  /// - Throws: `StreamError` for an input that cannot be read, `CommandFailure` for one that is written to, is no UTF-8 text, has no
  ///   usable header row, or is no whole JSON array; reading may go on with the one after it.
  mutating func next(reusing storage: consuming [UInt8], mayWait: Bool) throws -> Piece? {
    while true {
      guard let input = current else {
        guard let path = paths.popFirst() else { return nil }
        let input = try open(path)
        current = input
        (isAtEnd, isNew, oversized, start, end) = (false, true, nil, 0, 0)
        (isClosed, lines, hasLineEnd) = (false, 0, false)
        if !setup.isFormatNamed, let fault = InputMark.fault(ofName: path) { throw CommandFailure(description: fault) }
        try checkOutput(input)
        opened = path
        continue
      }
      if let path = opened {
        if let beginning = try beginning(of: input) {
          opened = nil
          return .input(path, beginning.header, lines: beginning.lines)
        }
      } else if oversized != nil {
        if let part = nextOversized() { return .oversized(part) }
      } else if isClosed {
        try passBlanks(of: input)
        if isAtEnd {
          leave(input)
          continue
        }
      } else if let count = recordEnd() {
        isClosed = setup.format == .json && closesArray(count)
        return .block(take(count, into: &storage))
      } else if end - start >= Self.capacity {
        oversized = RecordScan()
        return .oversized(takePart(isFirst: true))
      } else if isAtEnd {
        if setup.format == .json {
          throw CommandFailure(
            description: "\(input.name):\(lines + 1): the array is not closed; the file may be cut off, or `]` is missing")
        }
        leave(input)
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
    if let current { leave(current) }
    opened = nil
  }

  private mutating func leave(_ input: Descriptor) {
    if input.number != 0 { input.closeFile() }
    current = nil
  }

  /// Passes over what stands before the first record of an input; `nil` when more must be read first.
  ///
  /// - Returns: The first row of a table, which is passed over only where it is a header, and how many lines were.
  private mutating func beginning(of input: Descriptor) throws(CommandFailure) -> (header: Header?, lines: Int)? {
    switch setup.format {
    case .lines, .jsonl: return (nil, 0)
    case .csv, .tsv:
      let rows = CSVParser(column: 0, columnCount: 0, dialect: setup.dialect, hasHeader: setup.hasHeader)
      if let row = withPending({ rows.firstRow($0) ?? (isAtEnd ? 0..<$0.count : nil) }) {
        let bytes = Array(buffer[start + row.lowerBound..<start + row.upperBound])
        let header = Header(row: bytes, dialect: setup.dialect, isRecord: !setup.hasHeader)
        if setup.hasHeader {
          start += row.count
          return (header, header?.lines ?? 0)
        }
        start += header.map { Header.mark(of: $0.bytes).count } ?? 0
        return (header, 0)
      }
    case .json:
      switch withPending(JSONArrayParser.opening) {
      case .array(let length, let isClosed):
        self.isClosed = isClosed
        pass(length)
        return (nil, lines)
      case .unfinished where !isAtEnd && end - start < Self.capacity: return nil
      case .unfinished where withPending({ $0.contains(UInt8(ascii: "[")) }):
        pass(end - start)
        return (nil, lines)
      case .unfinished, .other:
        let what = end == start ? "the file is empty" : "no JSON array"
        throw CommandFailure(
          description:
            "\(input.name):1: \(what); write [{\"\(setup.field)\": \"…\"}, …], or add --input-format jsonl for one object per line"
        )
      }
    }
    guard end - start >= Self.capacity else { return nil }
    throw CommandFailure(
      description:
        "\(input.name):1: the \(setup.hasHeader ? "header" : "first") row is longer than \(Self.capacity / 1024) KiB; check that the file is "
        + "\(setup.format.rawValue.uppercased())\(setup.dialect.hasQuotes ? " and that every quote is closed" : "")")
  }

  /// Passes over what stands after a JSON array.
  private mutating func passBlanks(of input: Descriptor) throws(CommandFailure) {
    pass(withPending { $0.prefix { JSONArrayParser.isBlank($0) }.count })
    if end > start {
      throw CommandFailure(description: "\(input.name):\(lines + 1): text after the array; write one array a file")
    }
  }

  /// Passes over the first bytes that are pending.
  private mutating func pass(_ count: Int) {
    if setup.format == .json { lines += buffer[start..<start + count].count { $0 == 0x0A } }
    start += count
    isNew = false
    if start == end { (start, end) = (0, 0) }
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

  /// Whether records that are pending end with the bracket that closes the array.
  private func closesArray(_ count: Int) -> Bool {
    guard buffer[start + count - 1] == UInt8(ascii: "]") else { return false }
    return withPending { parser.lastRecordEnd(UnsafeBufferPointer(rebasing: $0[..<count]), limit: count) == count }
  }

  private mutating func fill(_ input: Descriptor) throws {
    if buffer.isEmpty {
      // Its pages cost a run on one item time only when something is read into them.
      buffer = [UInt8](unsafeUninitializedCapacity: Self.capacity) { $1 = $0.count }
    }
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
      let first = buffer[..<min(end, 256)]
      if start == 0, let fault = InputMark.fault(of: first, in: input.name) { throw CommandFailure(description: fault) }
      if start == 0, setup.format == .lines, !setup.isFormatNamed {
        if let format = InputMark.format(ofJSON: first) {
          remark("\(input.name) looks like JSON; --input-format \(format) reads its fields")
        } else if let options = InputMark.options(ofTable: first) {
          remark("\(input.name) looks like a table; \(options) reads its column")
        }
      }
    }
    if !hasLineEnd, oversized == nil, setup.format != .json {
      hasLineEnd = buffer[place..<end].contains(0x0A)
      if !hasLineEnd, isAtEnd || end - start == Self.capacity {
        if buffer[start..<end].count(where: { $0 == 0x0D }) > 1 {
          remark(
            "\(input.name): the lines end with carriage returns, as on old Macs, and are read as one; convert them first: tr '\\r' '\\n'"
          )
        }
        hasLineEnd = true
      }
    }
  }

  /// Copies the first bytes that are pending to a block.
  private mutating func take(_ count: Int, into storage: inout [UInt8]) -> Block {
    storage.removeAll(keepingCapacity: true)
    storage.append(contentsOf: buffer[start..<start + count])
    storage.append(contentsOf: repeatElement(0, count: Batch.padding))
    pass(count)
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
      if setup.format == .json {
        isClosed = length != nil && content.last == UInt8(ascii: "]")
        if length != nil { content.removeLast() }
        while let last = content.last, JSONArrayParser.isBlank(last) { content.removeLast() }
      } else {
        if content.last == 0x0A { content.removeLast() }
        if length != nil, content.last == 0x0D {
          content.removeLast()
          part.lineEnd = "\r\n"
        }
      }
      part.bytes = Array(content)
      oversized = nil
    } else {
      count = OversizedPart.wholeCharacters(buffer[start..<end])
      // What is held back is scanned again with what follows it.
      scan = oversized ?? scan
      _ = withPending { parser.firstRecordEnd(UnsafeBufferPointer(rebasing: $0[..<count]), &scan) }
      part.bytes = Array(buffer[start..<start + count])
      part.linesBeforeQuote = scan.isQuoted ? scan.linesBeforeQuote : nil
      oversized = scan
    }
    if isFirst, setup.format == .json {
      let blanks = part.bytes.prefix { JSONArrayParser.isBlank($0) }
      part.linesBefore = blanks.count { $0 == 0x0A }
      part.bytes.removeFirst(blanks.count)
    }
    pass(count)
    return part
  }
}
