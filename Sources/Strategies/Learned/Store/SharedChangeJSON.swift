package import AisleCore

/// Changes as JSON: what `/v1/changes` of a server takes and gives.
package enum SharedChangeJSON {
  /// A change as an object. `section` is null for what was forgotten; `taught` is there where something was taught at another time than
  /// it came to be so.
  package static func write(_ change: SharedChange, to writer: JSONLineWriter) {
    let correction = change.correction
    let origin = change.origin
    writer.add([
      ("store", .text(change.store)), ("item", .text(change.item)),
      ("section", change.section.map { .text($0) } ?? .written("null")),
      ("shelf", correction?.shelf.map { .text($0) }), ("by", .text(origin.proposer)),
      ("accepted_by", correction?.origin.accepter.map { .text($0) }), ("model", correction?.origin.model.map { .text($0) }),
      ("time", .text(Timestamp.full(change.time))),
      ("taught", correction.flatMap { $0.origin.time == change.time ? nil : .text(Timestamp.full($0.origin.time)) }),
    ])
  }

  /// Reads a change; fields that it does not know are passed over.
  package static func read(_ fields: JSONFields) throws(JSONFault) -> SharedChange {
    let time = try time(fields.text("time"), "time")
    let taught = try fields.optionalText("taught")
    let section = try fields.textOrNull("section")
    let origin = Origin(
      proposer: try fields.text("by"), model: try fields.optionalText("model"), accepter: try fields.optionalText("accepted_by"),
      time: try taught.map { text throws(JSONFault) in try Self.time(text, "taught") } ?? time)
    return SharedChange(
      store: try fields.text("store"), item: try fields.text("item"), section: section, shelf: try fields.optionalText("shelf"),
      origin: origin, time: time)
  }

  private static func time(_ text: String, _ field: String) throws(JSONFault) -> Int {
    guard let time = Timestamp.milliseconds(text) else {
      throw JSONFault(message: "field `\(field)`: `\(text)` must have the form 2026-11-21T16:03:42.125Z")
    }
    return time
  }

  // MARK: Whole bodies

  /// Changes that are sent: `{"changes":[…]}`.
  package static func body(_ changes: [SharedChange]) -> [UInt8] { Array("{".utf8) + list(changes) + Array("}".utf8) }

  private static func list(_ changes: [SharedChange]) -> [UInt8] {
    var bytes = Array("\"changes\":[".utf8)
    for (place, change) in changes.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      let writer = JSONLineWriter()
      write(change, to: writer)
      bytes += writer.bytes.dropLast()
    }
    return bytes + [UInt8(ascii: "]")]
  }

  /// Reads changes that were sent.
  ///
  /// - Parameter limit: The most that there may be.
  /// - Throws: `JSONFault`, also for more than `limit`; its message names the change.
  package static func readBody(_ bytes: [UInt8], limit: Int = .max) throws(JSONFault) -> [SharedChange] {
    try readAnswer(bytes, limit: limit).changes
  }

  /// A page: `{"changes":[…],"next":"…","more":false}`, with `"anew":true` where others were asked for.
  package static func body(_ page: ChangePage) -> [UInt8] {
    let rest = JSONLineWriter()
    rest.add([
      ("next", .text(page.next)), ("more", .flag(page.hasMore)), ("anew", page.isAnew ? .flag(true) : nil),
    ])
    return Array("{".utf8) + list(page.changes) + [UInt8(ascii: ",")] + rest.bytes.dropFirst().dropLast()
  }

  /// Reads a page.
  ///
  /// - Throws: `JSONFault`.
  package static func readPage(_ bytes: [UInt8]) throws(JSONFault) -> ChangePage {
    let answer = try readAnswer(bytes, limit: .max)
    guard let next = answer.next, let more = answer.more else {
      throw JSONFault(message: "field `\(answer.next == nil ? "next" : "more")` is missing")
    }
    return ChangePage(changes: answer.changes, next: next, hasMore: more, isAnew: answer.anew ?? false)
  }

  /// What merging did: `{"added":1,"replaced":0,"unchanged":2,"before":"…","next":"…"}`.
  package static func body(_ merge: CorrectionStore.Merge) -> [UInt8] {
    let writer = JSONLineWriter()
    writer.add([
      ("added", .whole(merge.outcome.added)), ("replaced", .whole(merge.outcome.replaced)),
      ("unchanged", .whole(merge.outcome.unchanged)), ("before", .text(merge.before)), ("next", .text(merge.next)),
    ])
    return Array(writer.bytes.dropLast())
  }

  /// Reads what merging did.
  ///
  /// - Throws: `JSONFault`.
  package static func readReceipt(_ bytes: [UInt8]) throws(JSONFault) -> ChangeReceipt {
    let value = try JSONValue(bytes)
    guard let added = value["added"]?.count, let replaced = value["replaced"]?.count, let unchanged = value["unchanged"]?.count
    else {
      throw JSONFault(message: "a count is missing")
    }
    var outcome = CorrectionStore.Outcome()
    (outcome.added, outcome.replaced, outcome.unchanged) = (added, replaced, unchanged)
    return ChangeReceipt(outcome: outcome, before: value["before"]?.string, next: value["next"]?.string)
  }

  // MARK: Reading

  private struct Answer {
    var changes: [SharedChange] = []
    var isThere = false
    var next: String?
    var more: Bool?
    var anew: Bool?
  }

  private static func readAnswer(_ bytes: [UInt8], limit: Int) throws(JSONFault) -> Answer {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONFault) in
      var scanner = JSONScanner(buffer)
      var answer = Answer()
      try scanner.object { scanner, key throws(JSONFault) in
        switch String(decoding: key, as: UTF8.self) {
        case "changes":
          (answer.changes, answer.isThere) = ([], true)
          try scanner.array { scanner throws(JSONFault) in
            let start = scanner.offset
            try scanner.skipValue()
            if answer.changes.count == limit { throw JSONFault(message: "more than \(limit) changes; send fewer at once") }
            answer.changes.append(try change(bytes[start..<scanner.offset], answer.changes.count + 1))
          }
        case "next" where scanner.peek() == UInt8(ascii: "\""):
          answer.next = String(decoding: try scanner.string(), as: UTF8.self)
        case "more": answer.more = try flag(&scanner)
        case "anew": answer.anew = try flag(&scanner)
        default: try scanner.skipValue()
        }
      }
      try scanner.end()
      if !answer.isThere { throw JSONFault(message: "field `changes` is missing", isSound: true) }
      return answer
    }
  }

  private static func change(_ bytes: ArraySlice<UInt8>, _ number: Int) throws(JSONFault) -> SharedChange {
    do { return try read(JSONFields(bytes)) } catch {
      throw JSONFault(message: "change \(number): \(error.placeless)", isSound: true)
    }
  }

  private static func flag(_ scanner: inout JSONScanner) throws(JSONFault) -> Bool? {
    let byte = scanner.peek()
    try scanner.skipValue()
    return byte == UInt8(ascii: "t") ? true : byte == UInt8(ascii: "f") ? false : nil
  }
}

/// What a server says of changes that were sent to it.
package struct ChangeReceipt: Sendable, Hashable {
  /// What they did there.
  package var outcome: CorrectionStore.Outcome
  /// The place in the server's changes that was the last before them; `nil` where it does not say.
  package var before: String?
  /// A place in the server's changes that it has reached with them; `nil` where it does not say.
  package var next: String?

  package init(outcome: CorrectionStore.Outcome, before: String?, next: String?) {
    (self.outcome, self.before, self.next) = (outcome, before, next)
  }
}
