import AisleCore

/// Where the item stands in a JSON object, and which fields the object must not have.
package struct ItemField: Sendable {
  /// The field's name; with dots it also names a field of an object in a field.
  let name: String
  /// The names from the outermost object in, of a name that has dots; else empty.
  private let path: [[UInt8]]
  private let bytes: [UInt8]
  /// The fields that the output adds, the section's first; an object must not have them yet.
  let added: [String]

  init(_ name: String, added: [String]) {
    self.name = name
    bytes = Array(name.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    path = parts.count > 1 ? parts.map(Array.init) : []
    self.added = added
  }

  /// What to do about a name that is there already, of those that are added, the section's first.
  package static func remedy(for name: String, among added: [String]) -> String {
    name == added.first ? "choose another name with --as" : "rename it, or drop --explain, which adds one"
  }

  /// Says that a field is there which the output adds.
  func fault(taken name: String) -> JSONFault {
    JSONFault(message: "there is already a field \"\(name)\"; \(Self.remedy(for: name, among: added))")
  }

  /// What was found of a field.
  private struct Finding {
    var text: [UInt8]?
    /// What stands in place of a text.
    var other: UInt8?

    mutating func take(_ scanner: inout JSONScanner, depth: Int) throws(JSONFault) {
      guard let first = scanner.peek(), first == UInt8(ascii: "\"") else {
        other = scanner.peek()
        return try scanner.skipValue(depth: depth)
      }
      text = try scanner.string()
    }

    /// Goes down a path of names.
    mutating func take(_ scanner: inout JSONScanner, at path: ArraySlice<[UInt8]>, depth: Int) throws(JSONFault) {
      guard let name = path.first else { return try take(&scanner, depth: depth) }
      guard scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue(depth: depth) }
      try scanner.object { scanner, key throws(JSONFault) in
        if key.elementsEqual(name) {
          try take(&scanner, at: path.dropFirst(), depth: depth + 1)
        } else {
          try scanner.skipValue(depth: depth + 1)
        }
      }
    }
  }

  /// The text of the field in the object that the scanner is at. A field of the object whose own name has dots goes before one in a
  /// field.
  ///
  /// - Throws: `JSONFault` when the bytes are no JSON object, or the field is missing or no text.
  func text(_ scanner: inout JSONScanner) throws(JSONFault) -> [UInt8] {
    var (own, inner) = (Finding(), Finding())
    var hasError = false
    scanner.skipBlanks()
    let start = scanner
    guard scanner.peek() == UInt8(ascii: "{") else { throw JSONFault(message: "not a JSON object; write {\"\(name)\": \"…\"}") }
    try scanner.object { scanner, key throws(JSONFault) in
      if let name = added.first(where: { key.elementsEqual($0.utf8) }) { throw fault(taken: name) }
      if key.elementsEqual("error".utf8) { hasError = true }
      if key.elementsEqual(bytes) {
        try own.take(&scanner, depth: 1)
      } else if let first = path.first, key.elementsEqual(first) {
        try inner.take(&scanner, at: path.dropFirst(), depth: 1)
      } else {
        try scanner.skipValue(depth: 1)
      }
    }
    try scanner.end()
    let finding = own.text == nil && own.other == nil ? inner : own
    if let text = finding.text { return text }
    // What is wrong comes out as the field `error`, which the object may have once only.
    let isSound = !hasError
    switch finding.other {
    case UInt8(ascii: "{"):
      let example = Self.textFields(start).first { $0.hasPrefix("\(name).") } ?? "\(name).name"
      let message = "field \"\(name)\" is not a string but an object; name a field in it, such as \(example)"
      throw JSONFault(message: message, isSound: isSound)
    case nil:
      let others = Self.textFields(start).prefix(Self.mostNames).joined(separator: ", ")
      let message = "no field \"\(name)\"; name the item's field with --field\(others.isEmpty ? "" : ": \(others)")"
      throw JSONFault(message: message, isSound: isSound)
    default:
      throw JSONFault(message: "field \"\(name)\" is not a string; write the item in double quotes", isSound: isSound)
    }
  }

  /// The most fields that a message names.
  private static let mostNames = 8
  /// How deep in objects fields are looked for that a message may name.
  private static let mostDepth = 4

  /// The names of the fields that hold texts in the object that a scanner is at, with dots where they are in objects.
  private static func textFields(_ start: JSONScanner) -> [String] {
    var names: [String] = []
    func add(_ scanner: inout JSONScanner, below prefix: String, depth: Int) throws(JSONFault) {
      try scanner.object { scanner, key throws(JSONFault) in
        let name = prefix + String(decoding: key, as: UTF8.self)
        switch scanner.peek() {
        case UInt8(ascii: "{") where depth < mostDepth: return try add(&scanner, below: "\(name).", depth: depth + 1)
        case UInt8(ascii: "\""): names.append(name)
        default: break
        }
        try scanner.skipValue(depth: depth)
      }
    }
    var scanner = start
    // The object has been read before, so there is nothing that can be wrong.
    try? add(&scanner, below: "", depth: 1)
    return names
  }
}
