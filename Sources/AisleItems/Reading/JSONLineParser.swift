import AisleCore

/// One JSON object a line; the item is the text of one field.
package struct JSONLineParser: RecordParser {
  /// The field that holds the item.
  package let field: String
  /// The fields that the output adds, the section's first; a record must not have them yet.
  package let added: [String]
  /// What is said that can be done about a record's fields.
  package let remedies: FieldRemedies

  /// Makes a parser.
  package init(field: String, added: [String], remedies: FieldRemedies = FieldRemedies()) {
    self.field = field
    self.added = added
    self.remedies = remedies
  }

  package func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    var lines: [(Int, Int, UInt8)] = []
    text.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { forEachLine(base, count) { lines.append(($0, $1, $2)) } }
    }
    for (start, end, terminator) in lines {
      let place = list.records.count
      list.records.append(Record(start: UInt32(start), length: UInt32(end - start), terminator: terminator))
      if text[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        list.blanks.insert(place)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
        continue
      }
      do throws(JSONFault) {
        let item = try text.withUnsafeBufferPointer { bytes throws(JSONFault) in
          // A byte order mark stands at the start of a file, and between files that were put together.
          let mark = bytes[start..<end].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
          var scanner = JSONScanner(UnsafeBufferPointer(rebasing: bytes[start + mark..<end]))
          return try scanner.textField(named: field, without: added, remedies)
        }
        list.extents.append(appendDecoded(item, to: &text))
      } catch {
        list.faults[place] = RecordFault(line: place, message: error.message, isSound: error.isSound)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
      }
    }
    list.lineCount = lines.count
  }
}

extension JSONScanner {
  /// The text of a field of the object.
  ///
  /// - Parameters:
  ///   - absent: Fields that the object must not have: those that the output adds.
  ///   - remedies: What is said that can be done about the fields.
  /// - Throws: `JSONFault` when the bytes are no JSON object, or the field is missing or no text.
  mutating func textField(
    named name: String, without absent: [String], _ remedies: FieldRemedies
  ) throws(JSONFault) -> [UInt8] {
    var found: [UInt8]?
    var isOtherType = false
    var hasError = false
    skipBlanks()
    guard peek() == UInt8(ascii: "{") else { throw JSONFault(message: "not a JSON object; write {\"\(name)\": \"…\"}") }
    try object { scanner, key throws(JSONFault) in
      if let name = absent.first(where: { key.elementsEqual($0.utf8) }) {
        throw JSONFault(message: "there is already a field \"\(name)\"; \(remedies.remedy(for: name, among: absent))")
      }
      if key.elementsEqual("error".utf8) { hasError = true }
      guard key.elementsEqual(name.utf8) else { return try scanner.skipValue(depth: 1) }
      guard scanner.peek() == UInt8(ascii: "\"") else {
        isOtherType = true
        return try scanner.skipValue(depth: 1)
      }
      found = try scanner.string()
    }
    try end()
    if let found { return found }
    // What is wrong comes out as the field `error`, which the object may have once only.
    let isSound = !hasError
    if isOtherType {
      throw JSONFault(message: "field \"\(name)\" is not a string; write the item in double quotes", isSound: isSound)
    }
    throw JSONFault(message: "no field \"\(name)\"; \(remedies.missing)", isSound: isSound)
  }
}
