import AisleCore

/// A stretch of one input that holds whole records, followed by the padding that matchers need.
struct Block {
  var text: [UInt8]
  /// How many bytes of `text` are input.
  var count: Int
}

/// What comes next from the input.
enum Piece {
  /// A block of whole records.
  case block(Block)
  /// Part of a record that is too long for a block, without its line end.
  case oversized([UInt8], isFirst: Bool, isLast: Bool)
  /// The next input begins: its name, and its header row where it has one.
  case input(String, Header?)
}

/// Reads inputs one after the other into blocks of whole records, in constant memory.
struct BlockReader {
  /// The bytes read at once; a record that is longer is not categorized.
  static let capacity = 256 * 1024

  private let open: (String) throws -> Descriptor
  /// The parser for the input at hand; set it when an input begins.
  var parser: any RecordParser
  private let isLineBuffered: Bool
  private let hasHeader: Bool
  private var paths: ArraySlice<String>
  private var current: Descriptor?
  /// What was read but not handed out yet.
  private var pending: [UInt8] = []
  private var isAtEnd = false
  private var isInOversized = false

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
    pending.reserveCapacity(Self.capacity)
  }

  /// Whether the next piece needs no waiting.
  func isReady() throws -> Bool {
    guard let current, !isAtEnd else { return true }
    return try current.hasInput()
  }

  /// The next piece, or `nil` after the last. `storage` is reused for a block's text.
  ///
  /// - Throws: `StreamError` for an input that cannot be read; reading may go on with the one after it.
  mutating func next(reusing storage: consuming [UInt8]) throws -> Piece? {
    while true {
      guard let input = current else {
        guard let path = paths.popFirst() else { return nil }
        current = try open(path)
        (isAtEnd, isInOversized) = (false, false)
        pending.removeAll(keepingCapacity: true)
        return .input(path, hasHeader ? try readHeader() : nil)
      }
      if isInOversized {
        if let piece = nextOversized() { return piece }
      } else if let end = recordEnd() {
        return .block(take(end, into: &storage))
      } else if pending.count >= Self.capacity {
        isInOversized = true
        return .oversized(takePending(), isFirst: true, isLast: false)
      } else if isAtEnd {
        if input.number != 0 { input.closeFile() }
        current = nil
        continue
      }
      try fill(input)
    }
  }

  /// Gives up on the input that could not be read.
  mutating func skipInput() {
    if let current, current.number != 0 { current.closeFile() }
    current = nil
  }

  private mutating func readHeader() throws -> Header? {
    let rows = CSVParser(column: 0, columnCount: 0)
    while let input = current {
      if let end = pending.withUnsafeBufferPointer({ rows.firstRecordEnd($0) }) ?? (isAtEnd ? pending.count : nil) {
        defer { pending.removeFirst(end) }
        return Header(row: Array(pending[..<end]))
      }
      if pending.count >= Self.capacity { return nil }
      try fill(input)
    }
    return nil
  }

  /// The end of the records that can be handed out now, or `nil` when more must be read first.
  private func recordEnd() -> Int? {
    guard !pending.isEmpty else { return nil }
    if isLineBuffered, let newline = pending.firstIndex(of: 0x0A) { return newline + 1 }
    let end = pending.withUnsafeBufferPointer { parser.lastRecordEnd($0) }
    if end > 0 { return end }
    return isAtEnd ? pending.count : nil
  }

  private mutating func fill(_ input: Descriptor) throws {
    let room = Self.capacity - pending.count
    if room == 0 { return }
    let start = pending.count
    pending.append(contentsOf: repeatElement(0, count: room))
    var received = 0
    defer { pending.removeLast(room - received) }
    received = try pending.withUnsafeMutableBytes { buffer in
      try buffer.baseAddress.map { try input.read(into: $0 + start, count: room) } ?? 0
    }
    if received == 0 { isAtEnd = true }
  }

  /// Moves the first bytes of `pending` to a block.
  private mutating func take(_ end: Int, into storage: inout [UInt8]) -> Block {
    storage.removeAll(keepingCapacity: true)
    storage.append(contentsOf: pending[..<end])
    storage.append(contentsOf: repeatElement(0, count: Batch.padding))
    pending.removeFirst(end)
    return Block(text: storage, count: end)
  }

  private mutating func takePending() -> [UInt8] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  private mutating func nextOversized() -> Piece? {
    if let newline = pending.firstIndex(of: 0x0A) {
      var last = Array(pending[..<newline])
      if last.last == 0x0D { last.removeLast() }
      pending.removeFirst(newline + 1)
      isInOversized = false
      return .oversized(last, isFirst: false, isLast: true)
    }
    if isAtEnd {
      isInOversized = false
      return .oversized(takePending(), isFirst: false, isLast: true)
    }
    return pending.isEmpty ? nil : .oversized(takePending(), isFirst: false, isLast: false)
  }
}
