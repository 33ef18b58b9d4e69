import AisleCore
import Yams

/// A value with its place in a file.
struct Located<Value> {
  let value: Value
  let location: SourceLocation
}

/// Reads a YAML file into nodes, and collects every mistake in it with its line and column. Anchors and aliases are refused.
struct YAMLReader {
  private(set) var findings: [Finding] = []
  private let path: String
  /// Where the format of such files is described.
  private let manual: String
  /// Whether a file that says nothing is no mistake.
  private let mayBeEmpty: Bool
  private var bytes: [UInt8] = []
  private var lineStarts: [Int] = [0]

  init(path: String, manual: String, mayBeEmpty: Bool = false) {
    self.path = path
    self.manual = manual
    self.mayBeEmpty = mayBeEmpty
  }

  /// The root of the file; `nil`, with a finding, when it is no YAML, and without one when it may be empty and is.
  mutating func read(_ bytes: [UInt8]) -> Node? {
    self.bytes = bytes
    self.bytes.removeFirst(ByteOrderMark.length(in: bytes))
    lineStarts = [0] + self.bytes.indices.filter { self.bytes[$0] == 0x0A }.map { $0 + 1 }
    return validText(self.bytes).flatMap { compose($0) }
  }

  private mutating func validText(_ bytes: [UInt8]) -> String? {
    if let finding = TextCheck.firstFault(in: bytes, path: path) {
      findings.append(finding)
      return nil
    }
    if let fault = YAMLStructure.firstFault(in: bytes) {
      report(SourceLocation(path: path, line: fault.line, column: fault.column), fault.message)
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func compose(_ text: String) -> Node? {
    do {
      let root = try Parser(yaml: text, encoding: .utf8).singleRoot()
      if mayBeEmpty { return root?.scalar?.string.isEmpty == true ? nil : root }
      if root == nil { report(SourceLocation(path: path), "the file is empty; see \(manual) for the format") }
      return root
    } catch let error as YamlError {
      report(error)
    } catch {
      report(SourceLocation(path: path), "not readable as YAML: \(error)")
    }
    return nil
  }

  private mutating func report(_ error: YamlError) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
      let place = SourceLocation(path: path, line: mark.line, column: byteColumn(mark))
      report(place, "not valid YAML: \(Self.plain(problem))\(quotingHint(at: place))")
    case .duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.map { "`\($0.description)`" }.joined(separator: ", ")
      let (line, column) = (context.mark.line, byteColumn(context.mark))
      let second = duplicates.first.flatMap { lineOfField($0.description, at: column, after: line) }
      let first = second == nil ? "" : ", first on line \(line)"
      report(SourceLocation(path: path, line: second ?? line, column: column), "field \(names) appears twice\(first); keep one")
    default: report(SourceLocation(path: path), "not valid YAML: \(error)")
    }
  }

  /// What the parser finds wrong, in words of whoever writes the file, with what to do; the parser's own for what is rare.
  private static func plain(_ problem: String) -> String {
    switch problem {
    case "mapping values are not allowed in this context":
      "`: ` inside a value, or a line that is indented too far; put quotation marks around a value with `: ` in it"
    case "found a tab character that violates indentation": "a tab at the beginning of a line; indent with spaces"
    case "found character that cannot start any token": "a character that values cannot begin with"
    case "did not find expected ',' or ']'": "the list that begins with `[` has no end, or lacks a comma; close it with `]`"
    case "did not find expected ',' or '}'": "what begins with `{` has no end, or lacks a comma; close it with `}`"
    case "did not find expected key", "did not find expected <document start>":
      "this line is not indented as those before it; line it up with the line that it belongs to"
    case "did not find expected '-' indicator": "a list goes on without `- `; begin the line with it, indented as the entry above"
    case "could not find expected ':'": "a line without `:`; write `name: value`"
    case "block sequence entries are not allowed in this context": "`- ` behind other text; begin a list on a line of its own"
    case "but found another document": "`---` begins a second document; keep one"
    default: problem
    }
  }

  /// `; quote a text that begins with …` where a character stands that YAML keeps for itself, or nothing.
  private func quotingHint(at place: SourceLocation) -> String {
    guard let first = byte(at: place), "@`%".utf8.contains(first) else { return "" }
    return "; quote text that begins with `\(first == UInt8(ascii: "`") ? "` `" : String(Unicode.Scalar(first)))`"
  }

  private func byte(at place: SourceLocation) -> UInt8? {
    guard lineStarts.indices.contains(place.line - 1), place.column > 0 else { return nil }
    let offset = lineStarts[place.line - 1] + place.column - 1
    return bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// The next line after one where a field begins at a column: the parser tells only where a field stands first that stands twice.
  /// `nil` where the fields do not stand on lines of their own.
  private func lineOfField(_ name: String, at column: Int, after line: Int) -> Int? {
    (line..<max(line, lineStarts.count)).first { place in
      let start = lineStarts[place]
      let text = bytes[start...].prefix { $0 != 0x0A }
      guard text.count >= column, text.prefix(column - 1).allSatisfy({ $0 == 0x20 }) else { return false }
      let rest = String(decoding: text.dropFirst(column - 1), as: UTF8.self)
      return [name, "\"\(name)\"", "'\(name)'"].contains { spelled in
        rest.hasPrefix(spelled) && rest.dropFirst(spelled.count).drop { $0 == " " }.first == ":"
      }
    }.map { $0 + 1 }
  }

  func location(_ node: Node) -> SourceLocation {
    SourceLocation(path: path, line: node.mark?.line ?? 0, column: node.mark.map { byteColumn($0) } ?? 0)
  }

  /// The column in bytes of a mark, which counts characters.
  private func byteColumn(_ mark: Mark) -> Int {
    guard lineStarts.indices.contains(mark.line - 1) else { return mark.column }
    let start = lineStarts[mark.line - 1]
    var offset = start
    for _ in 1..<max(mark.column, 1) {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset - start + 1
  }

  /// Control characters, which YAML can escape, are not shown raw.
  mutating func report(_ location: SourceLocation, _ message: String) {
    let shown = message.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0) }
    findings.append(Finding(location, String(shown)))
  }

  mutating func mapping(_ node: Node, of what: String, allowed: [String]) -> [String: Node]? {
    guard isPlain(node) else { return nil }
    guard let mapping = node.mapping else {
      report(location(node), "\(what) must be `field: value` lines (\(allowed.joined(separator: ", ")))")
      return nil
    }
    var fields: [String: Node] = [:]
    var misspelled: [String: Node] = [:]
    for (key, value) in mapping {
      guard let name = string(key) else { continue }
      if allowed.contains(name.value) {
        fields[name.value] = value
      } else {
        let hint = DidYouMean.hint(name.value, among: allowed)
        report(
          name.location, "unknown field `\(name.value)`\(hint.isEmpty ? "; known: \(allowed.joined(separator: ", "))" : hint)")
        if let meant = DidYouMean.nearest(to: name.value, among: allowed) { misspelled[meant] = value }
      }
    }
    // What is said of a name is not said again of the field that is missing for it.
    return fields.merging(misspelled) { written, _ in written }
  }

  mutating func required(_ name: String, in fields: [String: Node], at node: Node) -> Node? {
    if fields[name] == nil { report(location(node), "missing field `\(name)`") }
    return fields[name]
  }

  mutating func string(_ node: Node) -> Located<String>? {
    guard isPlain(node) else { return nil }
    guard let scalar = node.scalar else {
      // `?word` begins a field's name to YAML, within brackets.
      if let pair = node.mapping?.first, node.mapping?.count == 1, byte(at: location(node)) == UInt8(ascii: "?"),
        let name = pair.key.scalar?.string, pair.value.scalar?.string.isEmpty == true
      {
        report(location(node), "`?` inside brackets means a field name in YAML, not text; quote it: \"?\(name)\"")
        return nil
      }
      report(location(node), "expected a single value here, not a list or fields")
      return nil
    }
    // `!word` is a tag to YAML, which makes the text empty or cuts off its first word; `!!str` and the like change nothing.
    let tag = scalar.tag.rawValue
    if tag.hasPrefix("!") {
      let written = scalar.string.isEmpty ? tag : "\(tag) \(scalar.string)"
      report(location(node), "`\(tag)` is a YAML tag, not text; quote it: \"\(written)\"")
      return nil
    }
    return .init(value: scalar.string, location: location(node))
  }

  mutating func strings(_ node: Node) -> [Located<String>] {
    guard isPlain(node) else { return [] }
    guard let sequence = node.sequence else {
      if node.scalar?.string.isEmpty == true { return [] }
      report(location(node), "expected a list; write one `- entry` per line")
      return []
    }
    return sequence.compactMap { string($0) }
  }

  /// Anchors and aliases are refused: a few lines of them expand to gigabytes, and no taxonomy needs one.
  private mutating func isPlain(_ node: Node) -> Bool {
    if case .alias = node {
      report(location(node), "YAML aliases (`*name`) are not allowed; write the value out")
      return false
    }
    if node.anchor != nil {
      report(location(node), "YAML anchors (`&name`) are not allowed; write the value out where it is used")
      return false
    }
    return true
  }
}
