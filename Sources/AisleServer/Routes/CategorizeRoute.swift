import AisleCore
import AisleKit
import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `POST /v1/categorize`: where items belong. Texts go in and come out as they were written.
struct CategorizeRoute: Sendable {
  let stores: StoreRoom
  let metrics: ServerMetrics

  func answer(_ request: Request) async throws -> Response {
    let body = try await request.bytes()
    let question = try body.withUnsafeReadableBytes { try Question($0.bindMemory(to: UInt8.self)) }
    let store = try stores.store(question.store, in: question.language, for: question.texts(stores.asksLists(question.language)))
    var batch = Batch(taxonomy: store.taxonomy)
    for item in question.items { batch.append(item.text) }
    try await store.chain.ask(&batch)
    metrics.add(items: batch.count)
    return Response(json: try write(question, batch, store, body))
  }

  /// The answer to a body where nothing has to be waited for, or opened; `nil` where it does, or is no sound question.
  func answerAtOnce(_ body: ByteBuffer) -> ByteBuffer? {
    let question = try? body.withUnsafeReadableBytes { try Question($0.bindMemory(to: UInt8.self)) }
    guard let question else { return nil }
    let list = question.texts(stores.asksLists(question.language))
    guard let store = stores.known(question.store, in: question.language, for: list), let chain = store.local else { return nil }
    var batch = Batch(taxonomy: store.taxonomy)
    for item in question.items { batch.append(item.text) }
    chain.decide(&batch)
    guard let answer = try? write(question, batch, store, body) else { return nil }
    metrics.add(items: batch.count)
    return answer
  }

  // MARK: Writing

  private func write(_ question: Question, _ batch: Batch, _ store: ServedStore, _ body: ByteBuffer) throws -> ByteBuffer {
    var output = ByteBuffer()
    output.reserveCapacity(batch.count * 160 + 64)
    output.writeString("{\"store\":\"\(store.id)\",\"results\":[")
    let encoder = JSONEncoder.answers
    try body.withUnsafeReadableBytes { body in
      for (index, item) in question.items.enumerated() {
        if index > 0 { output.writeStaticString(",") }
        if question.isExplained {
          let answer = Answer(index, in: batch, sections: store.sections, strategies: store.strategies)
          output.writeBytes(try encoder.encode(answer).dropLast())
        } else {
          write(item, batch.decisions[index], store, body, to: &output)
        }
        if let record = item.record {
          output.writeStaticString(",\"record\":")
          output.writeBytes(body[record])
        }
        output.writeStaticString("}")
      }
    }
    output.writeStaticString("]}")
    return output
  }

  private func write(
    _ item: Question.Item, _ decision: Decision?, _ store: ServedStore, _ body: UnsafeRawBufferPointer,
    to output: inout ByteBuffer
  ) {
    output.writeStaticString("{\"item\":")
    output.writeBytes(body[item.written])
    output.writeStaticString(",")
    output.writeBytes(store.fields[store.place(of: decision)])
    output.writeStaticString(",\"confidence\":")
    output.writeString(Explanation.hundredths(decision?.confidence ?? 0))
    output.writeStaticString(",\"strategy\":\"")
    output.writeString(decision?.strategy.map { store.strategies[Int($0.rawValue)].id } ?? "none")
    output.writeStaticString("\"")
  }
}

/// What is asked, read from its body.
struct Question {
  /// An item, and where it stands in the body.
  struct Item {
    let text: [UInt8]
    /// The JSON string.
    let written: Range<Int>
    /// The object that it is a field of; `nil` for a text by itself.
    let record: Range<Int>?
  }

  private(set) var store: String?
  private(set) var language: String?
  private(set) var isExplained = false
  private(set) var items: [Item] = []
  private var field = "name"

  /// The items' texts; `nil` where they are not wanted.
  func texts(_ areWanted: Bool) -> [String]? {
    areWanted ? items.map { String(decoding: $0.text, as: UTF8.self) } : nil
  }

  /// - Throws: `Problem`.
  init(_ body: UnsafeBufferPointer<UInt8>) throws {
    guard String(validating: body, as: UTF8.self) != nil else {
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
    try entries.array { scanner throws(JSONFault) in try read(&scanner, from: list.lowerBound) }
  }

  private mutating func read(_ scanner: inout JSONScanner, from start: Int) throws(JSONFault) {
    // More are not answered anyway.
    if items.count > Limits.items { return try scanner.skipValue() }
    let begin = scanner.offset
    switch scanner.peek() {
    case UInt8(ascii: "\""):
      let text = try scanner.string()
      items.append(Item(text: text, written: start + begin..<start + scanner.offset, record: nil))
    case UInt8(ascii: "{"):
      var text: [UInt8]?
      var written = 0..<0
      try scanner.object { [field] scanner, key throws(JSONFault) in
        let begin = scanner.offset
        if key.elementsEqual(field.utf8), scanner.peek() == UInt8(ascii: "\"") {
          text = try scanner.string()
          written = start + begin..<start + scanner.offset
        } else {
          try scanner.skipValue()
        }
      }
      guard let text else {
        throw Self.fault("`items[\(items.count)]` has no text in its field `\(field)`; `field` names another one")
      }
      items.append(Item(text: text, written: written, record: start + begin..<start + scanner.offset))
    default:
      try scanner.skipValue()
      throw Self.fault("`items[\(items.count)]` must be a text or an object")
    }
  }

  private static func fault(_ message: String) -> JSONFault { JSONFault(message: message, isSound: true) }
}
