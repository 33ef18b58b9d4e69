import AisleCore

/// The elements of one JSON array: objects, where the item is the text of one field, and strings, which are items.
///
/// A record ends with the comma after its element, or with the bracket that closes the array; what stands before the first one is the
/// array's `Opening`. Brackets and quotes alone say where an element ends, so that one that is no JSON costs no other.
package struct JSONArrayParser: RecordParser {
  /// The field of the output that holds an element which is a string.
  package static let itemField = "item"

  private let field: ItemField

  /// Makes a parser.
  ///
  /// - Parameters:
  ///   - field: The field that holds the item of an object; dots lead into objects.
  ///   - added: The fields that the output adds, the section's first; an object must not have them yet.
  package init(field: String, added: [String]) {
    self.field = ItemField(field, added: added)
  }

  /// What a text begins with.
  package enum Opening: Equatable {
    /// An array of which so many bytes stand before its first element, or are all of it.
    case array(length: Int, isClosed: Bool)
    /// More must be read to say.
    case unfinished
    /// Something else.
    case other
  }

  /// Looks at the beginning of a text.
  package static func opening(of bytes: UnsafeBufferPointer<UInt8>) -> Opening {
    var offset = ByteOrderMark.length(in: bytes)
    if bytes.count < ByteOrderMark.bytes.count, ByteOrderMark.bytes.starts(with: bytes) { return .unfinished }
    func passBlanks() { while offset < bytes.count, isBlank(bytes[offset]) { offset += 1 } }
    passBlanks()
    guard offset < bytes.count else { return .unfinished }
    guard bytes[offset] == UInt8(ascii: "[") else { return .other }
    offset += 1
    passBlanks()
    guard offset < bytes.count else { return .unfinished }
    let isClosed = bytes[offset] == UInt8(ascii: "]")
    return .array(length: isClosed ? offset + 1 : offset, isClosed: isClosed)
  }

  /// Whether a byte may stand between JSON's values.
  package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  package func lastRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
    var end = 0
    var seen = 0
    var scan = RecordScan()
    while seen < limit, let next = firstRecordEnd(UnsafeBufferPointer(rebasing: bytes[end...]), &scan) {
      end += next
      seen += 1
      if bytes[end - 1] == UInt8(ascii: "]") { break }
      scan = RecordScan()
    }
    return end
  }

  package func firstRecordEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: inout RecordScan) -> Int? {
    var (isQuoted, isEscaped, depth, lines) = (scan.isQuoted, scan.isEscaped, scan.depth, scan.lines)
    defer { (scan.isQuoted, scan.isEscaped, scan.depth, scan.lines) = (isQuoted, isEscaped, depth, lines) }
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset &+= 1
      if byte == 0x0A { lines &+= 1 }
      if isQuoted {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        }
        continue
      }
      // Of the bytes that matter here, only two are less than a letter.
      if byte < UInt8(ascii: "["), byte != UInt8(ascii: "\""), byte != UInt8(ascii: ",") { continue }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: ","), UInt8(ascii: "]"):
        if depth == 0 { return offset }
        if byte == UInt8(ascii: "]") { depth &-= 1 }
      case UInt8(ascii: "}"): depth = max(0, depth - 1)
      default: break
      }
    }
    return nil
  }

  package func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    var start = 0
    while start < count {
      let piece = text.withUnsafeBufferPointer { Piece(UnsafeBufferPointer(rebasing: $0[start..<count]), self) }
      // Only the end of a text has an element without what ends it, or blanks without an element.
      if !piece.isEnded, piece.element.isEmpty {
        list.lineCount += piece.lines
        return
      }
      let element = start + piece.element.lowerBound..<start + piece.element.upperBound
      add(element, line: list.lineCount + piece.linesBefore, &text, to: &list)
      list.lineCount += piece.lines
      start += piece.length
    }
  }

  /// A record's bytes.
  private struct Piece {
    let length: Int
    /// Where the element lies, without blanks around it.
    let element: Range<Int>
    /// Whether a comma or the closing bracket ends it.
    let isEnded: Bool
    let linesBefore: Int
    let lines: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ parser: JSONArrayParser) {
      var scan = RecordScan()
      let end = parser.firstRecordEnd(bytes, &scan)
      (length, isEnded, lines) = (end ?? bytes.count, end != nil, scan.lines)
      var (lower, upper) = (0, end.map { $0 - 1 } ?? bytes.count)
      while lower < upper, isBlank(bytes[lower]) { lower += 1 }
      while lower < upper, isBlank(bytes[upper - 1]) { upper -= 1 }
      element = lower..<upper
      linesBefore = bytes[..<lower].count { $0 == 0x0A }
    }
  }

  private func add(_ element: Range<Int>, line: Int, _ text: inout [UInt8], to list: inout RecordList) {
    let place = list.records.count
    let result = text.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONFault) in try item(UnsafeBufferPointer(rebasing: bytes[element])) }
    }
    var end = element.upperBound
    switch result {
    case .success(let item):
      end = Self.joinLines(&text, element)
      list.extents.append(appendDecoded(item, to: &text))
    case .failure(let fault):
      let linesBefore = text[element].prefix(fault.offset).count { $0 == 0x0A }
      let isSyntax = fault.message != fault.placeless
      let message = isSyntax ? "\(fault.placeless) (byte \(fault.offset + 1) of the element)" : fault.message
      list.faults[place] = RecordFault(line: line + linesBefore, message: message, isSound: fault.isSound)
      if fault.isSound { end = Self.joinLines(&text, element) }
      list.extents.append(Batch.Extent(start: UInt32(element.lowerBound), length: 0))
    }
    list.records.append(
      Record(start: UInt32(element.lowerBound), length: UInt32(end - element.lowerBound), terminator: 0))
  }

  /// The item of an element.
  private func item(_ element: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> [UInt8] {
    var scanner = JSONScanner(element)
    switch scanner.peek() {
    case nil: throw JSONFault(message: "an element is missing; take out the extra comma")
    case UInt8(ascii: "{"): return try field.text(&scanner)
    case UInt8(ascii: "\""):
      let item = try scanner.string()
      try scanner.end()
      if field.added.contains(Self.itemField) { throw field.fault(taken: Self.itemField) }
      return item
    default:
      try scanner.skipValue()
      try scanner.end()
      throw JSONFault(message: "neither an object nor a string; write {\"\(field.name)\": \"…\"} or \"…\"")
    }
  }

  /// Takes the line breaks out of an element, each with the blanks after it: they mean nothing, and whoever reads lines wants a record in
  /// one.
  ///
  /// - Returns: The element's new end.
  private static func joinLines(_ text: inout [UInt8], _ element: Range<Int>) -> Int {
    guard let first = text[element].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return element.upperBound }
    return text.withUnsafeMutableBufferPointer { bytes in
      var (end, isBreak) = (first, false)
      for place in first..<element.upperBound {
        let byte = bytes[place]
        // No string of sound JSON has a line break.
        if byte == 0x0A || byte == 0x0D { isBreak = true } else if byte != 0x20 && byte != 0x09 { isBreak = false }
        if isBreak { continue }
        bytes[end] = byte
        end += 1
      }
      return end
    }
  }
}
