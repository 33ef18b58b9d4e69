import AisleCore

/// What is asked, read from its body.
struct Question {
  /// An item, and where it stands in the body.
  struct Item {
    /// The JSON string.
    let written: Range<Int>
    /// The object that it is a field of; `nil` for a text by itself.
    let record: Range<Int>?
  }

  private(set) var store: String?
  private(set) var language: String?
  private(set) var isExplained = false
  private(set) var items: [Item] = []
  /// The items' texts, one behind the other, and where each stands.
  private var text: [UInt8] = []
  private var extents: ContiguousArray<Batch.Extent> = []
  private var field = "name"

  /// The items' texts; `nil` where they are not wanted.
  func texts(_ areWanted: Bool) -> [String]? {
    areWanted ? extents.map { String(decoding: text[Int($0.start)..<Int($0.start + $0.length)], as: UTF8.self) } : nil
  }

  /// The items to be decided.
  func batch(for taxonomy: Taxonomy) -> Batch {
    var batch = Batch(taxonomy: taxonomy)
    batch.setItems(text: text, extents: extents)
    return batch
  }

  /// - Throws: `Problem`.
  init(_ body: UnsafeBufferPointer<UInt8>) throws {
    guard body.reduce(0, |) < 0x80 || String(validating: body, as: UTF8.self) != nil else {
      throw Problem(.badRequest, "the body is not UTF-8; send JSON (RFC 8259)")
    }
    do throws(JSONFault) { try read(body) } catch {
      throw Problem(error.isSound ? .unprocessableContent : .badRequest, error.message)
    }
    if items.isEmpty { throw Problem(.unprocessableContent, "`items` must have 1 to \(Limits.items) items") }
    if items.count > Limits.items {
      throw Problem(.contentTooLarge, "more than \(Limits.items) items; send them in several requests")
    }
  }

  private mutating func read(_ body: UnsafeBufferPointer<UInt8>) throws(JSONFault) {
    var scanner = JSONScanner(body)
    var list: Range<Int>?
    // The items are read last, since only then it is known which field of an object is one.
    scanner.skipBlanks()
    guard scanner.peek() == UInt8(ascii: "{") else {
      try scanner.skipValue()
      throw Self.fault("the body must be an object with `items`")
    }
    try scanner.object { scanner, key throws(JSONFault) in
      let kind = scanner.peek()
      switch String(decoding: key, as: UTF8.self) {
      case "items":
        let start = scanner.offset
        try scanner.skipValue()
        list = start..<scanner.offset
      case "store" where kind == UInt8(ascii: "\""): store = String(decoding: try scanner.string(), as: UTF8.self)
      case "language" where kind == UInt8(ascii: "\""): language = String(decoding: try scanner.string(), as: UTF8.self)
      case "field" where kind == UInt8(ascii: "\""): field = String(decoding: try scanner.string(), as: UTF8.self)
      case "explain" where kind == UInt8(ascii: "t") || kind == UInt8(ascii: "f"):
        isExplained = kind == UInt8(ascii: "t")
        try scanner.skipValue()
      case let name:
        try scanner.skipValue()
        if ["store", "language", "field", "explain"].contains(name), kind != UInt8(ascii: "n") {
          throw Self.fault("`\(name)` must be \(name == "explain" ? "true or false" : "a text")")
        }
      }
    }
    try scanner.end()
    // It would come out as it was written, which not every reader takes.
    guard !scanner.hasHalfSurrogate else {
      throw Self.fault("a text has half of a surrogate pair; write both halves, or the character itself")
    }
    guard let list else { throw Self.fault("`items` is missing") }
    guard body[list.lowerBound] == UInt8(ascii: "[") else { throw Self.fault("`items` must be an array") }
    var entries = JSONScanner(UnsafeBufferPointer(rebasing: body[list]))
    // Escapes are longer than what they stand for.
    text.reserveCapacity(list.count + Batch.padding)
    try entries.array { scanner throws(JSONFault) in try read(&scanner, from: list.lowerBound) }
    text.append(contentsOf: repeatElement(0, count: Batch.padding))
  }

  private mutating func read(_ scanner: inout JSONScanner, from start: Int) throws(JSONFault) {
    // More are not answered anyway.
    if items.count > Limits.items { return try scanner.skipValue() }
    let begin = scanner.offset
    switch scanner.peek() {
    case UInt8(ascii: "\""):
      try readText(&scanner)
      items.append(Item(written: start + begin..<start + scanner.offset, record: nil))
    case UInt8(ascii: "{"):
      var written: Range<Int>?
      try scanner.object { scanner, key throws(JSONFault) in
        let begin = scanner.offset
        if key.elementsEqual(field.utf8), scanner.peek() == UInt8(ascii: "\"") {
          // Of several, the last one counts.
          if written != nil { removeText() }
          try readText(&scanner)
          written = start + begin..<start + scanner.offset
        } else {
          try scanner.skipValue()
        }
      }
      guard let written else {
        throw Self.fault("`items[\(items.count)]` has no text in its field `\(field)`; `field` names another one")
      }
      items.append(Item(written: written, record: start + begin..<start + scanner.offset))
    default:
      try scanner.skipValue()
      throw Self.fault("`items[\(items.count)]` must be a text or an object")
    }
  }

  private mutating func readText(_ scanner: inout JSONScanner) throws(JSONFault) {
    let start = text.count
    try scanner.string { text.append(contentsOf: $0) }
    extents.append(.init(start: UInt32(start), length: UInt32(text.count - start)))
  }

  private mutating func removeText() {
    if let last = extents.popLast() { text.removeLast(Int(last.length)) }
  }

  private static func fault(_ message: String) -> JSONFault { JSONFault(message: message, isSound: true) }
}
