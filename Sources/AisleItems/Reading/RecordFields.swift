import AisleCore

/// Reads fields of a record besides its item: of a JSON object, or of a table's row.
package struct RecordFields: Sendable {
  /// The value of a field, as it was given.
  package enum Value: Sendable, Hashable {
    /// A text.
    case text(String)
    /// Any other JSON, as it was written: a number keeps its digits.
    case json(String)
  }

  private enum Form {
    case nothing
    case json
    case table(TableDialect, columns: [String: Int])
  }

  private let form: Form

  /// Reads nothing, of records that have no fields.
  package init() { form = .nothing }

  /// Reads fields of JSON objects; dots lead into objects.
  package static let json = RecordFields(.json)

  /// Reads columns of rows, by their names or else their numbers from 1.
  package init(_ header: Header, _ dialect: TableDialect) {
    var columns: [String: Int] = [:]
    for (place, name) in header.columns.enumerated() {
      columns[name] = columns[name] ?? place
    }
    for place in header.columns.indices where columns["\(place + 1)"] == nil { columns["\(place + 1)"] = place }
    form = .table(dialect, columns: columns)
  }

  private init(_ form: Form) { self.form = form }

  /// Whether records may have a field.
  package func knows(_ name: String) -> Bool {
    switch form {
    case .nothing: false
    case .json: true
    case .table(_, let columns): columns[name] != nil
    }
  }

  /// A field of a record; `nil` where it is missing, null, or an empty column.
  package func value(_ name: String, of record: ArraySlice<UInt8>) -> Value? {
    switch form {
    case .nothing: nil
    case .json: record.withUnsafeBufferPointer { Self.value(name, of: $0) }
    case .table(let dialect, let columns): columns[name].flatMap { Self.text(of: record, column: $0, dialect) }
    }
  }

  private static func text(of record: ArraySlice<UInt8>, column: Int, _ dialect: TableDialect) -> Value? {
    let bytes = Array(record)
    let row = bytes.withUnsafeBufferPointer { CSVRow($0, start: 0, end: bytes.count, dialect: dialect) }
    guard row.fields.indices.contains(column) else { return nil }
    let field = row.fields[column]
    let value = field.decoded(bytes) ?? Array(bytes[field.start..<field.end])
    return value.isEmpty ? nil : .text(String(decoding: value, as: UTF8.self))
  }

  private static func value(_ name: String, of record: UnsafeBufferPointer<UInt8>) -> Value? {
    let bytes = UnsafeBufferPointer(rebasing: record[ByteOrderMark.length(in: record)...])
    var scanner = JSONScanner(bytes)
    scanner.skipBlanks()
    guard scanner.peek() == UInt8(ascii: "{") else { return nil }
    let start = scanner
    // A field of the object whose own name has dots goes before one in a field.
    if let own = try? value(at: [Array(name.utf8)], &scanner, bytes, depth: 1) { return own }
    scanner = start
    let path = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
    return path.count > 1 ? try? value(at: path[...], &scanner, bytes, depth: 1) : nil
  }

  private static func value(
    at path: ArraySlice<[UInt8]>, _ scanner: inout JSONScanner, _ bytes: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(JSONFault) -> Value? {
    var found: Value?
    try scanner.object { scanner, key throws(JSONFault) in
      guard let name = path.first, key.elementsEqual(name) else { return try scanner.skipValue(depth: depth) }
      let start = scanner.offset
      switch scanner.peek() {
      case UInt8(ascii: "{") where path.count > 1:
        found = try value(at: path.dropFirst(), &scanner, bytes, depth: depth + 1)
      case UInt8(ascii: "\"") where path.count == 1: found = .text(String(decoding: try scanner.string(), as: UTF8.self))
      case let first:
        try scanner.skipValue(depth: depth)
        let isNull = first == UInt8(ascii: "n")
        found = path.count > 1 || isNull ? nil : .json(String(decoding: bytes[start..<scanner.offset], as: UTF8.self))
      }
    }
    return found
  }
}
