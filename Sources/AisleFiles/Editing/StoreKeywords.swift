import AisleCore
import Yams

/// The sections' own keywords in a store's YAML file, while they are changed line by line.
struct StoreKeywords {
  let path: String
  let bytes: [UInt8]
  /// The store's sections in walking order, where the file need not list them all.
  var sections: [String] = []

  /// What the file would be with a section's keywords changed, and the lines of the added ones.
  func edited(
    _ section: String, removing: [KeywordFile.Entry], adding: [(written: String, inPlaceOf: KeywordFile.Entry?)]
  ) throws(FileError) -> (bytes: [UInt8], lines: [Int]) {
    var reader = YAMLReader(path: path, manual: "taxonomies/README.md")
    let root = reader.read(bytes)?.mapping
    let listed = root?["sections"]?.sequence
    guard let mapping = listed?.lazy.compactMap(\.mapping).first(where: { $0["name"]?.scalar?.string == section }) else {
      let list = root.map { SectionList(path: path, root: $0, sections: sections) }
      if let listing = try list?.listing(section, adding.map(\.written), in: bytes) { return listing }
      throw FileError(
        path: path,
        reason:
          "has no section `\(section)`; list it in `sections` first, as `- name: \(section)`, or try again if the file was changed in the meantime"
      )
    }
    var edits = LineEdits(bytes)
    if Self.begins(with: "{", mapping.mark, edits) {
      throw FileError(path: path, reason: "section `\(section)` is written in braces; write it with one field per line first")
    }
    let list = mapping["keywords"]?.sequence
    let entries =
      list?.compactMap { node in
        node.scalar.map { KeywordFile.Entry(written: KeywordFile.canonical($0.string), line: node.mark?.line ?? 0) }
      } ?? []
    // The lines as they are now: the file may have been changed further up.
    if let lost = removing.first(where: { entry in !entries.contains { $0.written == entry.written } }) {
      throw FileError(
        path: path,
        reason: "section `\(section)` no longer has `\(lost.written)`: the file was changed in the meantime; try again")
    }
    func here(_ entry: KeywordFile.Entry) -> KeywordFile.Entry { entries.first { $0.written == entry.written } ?? entry }
    let removed = removing.map(here)
    let added = adding.map { (written: $0.written, inPlaceOf: $0.inPlaceOf.map(here)) }
    if let list, Self.begins(with: "[", list.mark, edits) {
      return try flow(list, mapping["keywords"]?.mark?.line ?? 0, mapping["keywords"]?.mark?.column ?? 0, removed, added, &edits)
    }
    for entry in removed where !added.contains(where: { $0.inPlaceOf == entry }) { edits.remove(entry.line) }
    let kept = entries.filter { !removed.contains($0) }
    let keyLine = mapping.first { $0.key.scalar?.string == "keywords" }?.key.mark?.line
    let field = String(repeating: " ", count: max((mapping.first?.key.mark?.column ?? 1) - 1, 0))
    var lead = Array((field + "  - ").utf8)
    if let first = entries.first {
      // As the others of the list are indented.
      let line = edits.line(first.line)
      if let dash = line.firstIndex(of: UInt8(ascii: "-")) { lead = Array(line[..<dash]) + Array("- ".utf8) }
    } else if keyLine == nil, !added.isEmpty {
      edits.insert(Array((field + "keywords:").utf8), after: Self.lastFieldLine(mapping, edits))
    }
    if let keyLine, kept.isEmpty, added.isEmpty { edits.remove(keyLine) }
    let end = entries.last?.line ?? keyLine ?? Self.lastFieldLine(mapping, edits)
    var counts = entries.isEmpty && keyLine == nil ? [end: 1] : [:]
    var places: [(after: Int, count: Int)?] = []
    for (written, replaced) in added {
      if let replaced {
        let line = edits.line(replaced.line)
        edits.replace(replaced.line, with: Self.replacing(replaced.written, with: written, in: line))
        places.append(nil)
        continue
      }
      let texts = kept.map { KeywordFile.text($0.written) }
      let after = KeywordPlace.predecessor(of: KeywordFile.text(written), among: texts).map { kept[$0].line } ?? end
      edits.insert(lead + Array(Self.scalar(written).utf8), after: after)
      places.append((after, counts[after, default: 0]))
      counts[after, default: 0] += 1
    }
    let lines = zip(added, places).map { added, place in
      place.map { edits.number(ofAdded: $0.count, after: $0.after) } ?? edits.number(of: added.inPlaceOf?.line ?? 0)
    }
    return (edits.bytes, lines)
  }

  /// Writes a list in brackets anew, on its line.
  private func flow(
    _ list: Node.Sequence, _ number: Int, _ column: Int, _ removed: [KeywordFile.Entry],
    _ added: [(written: String, inPlaceOf: KeywordFile.Entry?)], _ edits: inout LineEdits
  ) throws(FileError) -> (bytes: [UInt8], lines: [Int]) {
    let line = String(decoding: edits.line(number), as: UTF8.self)
    var keywords = list.compactMap { $0.scalar.map { KeywordFile.canonical($0.string) } }
    for entry in removed { if let place = keywords.firstIndex(of: entry.written) { keywords.remove(at: place) } }
    keywords += added.map(\.written)
    let start = line.index(line.startIndex, offsetBy: column - 1, limitedBy: line.endIndex) ?? line.endIndex
    guard start < line.endIndex, line[start] == "[", let end = Self.bracketEnd(line[start...]) else {
      throw FileError(
        path: path, reason: "line \(number): the list spans several lines; write it with one `- keyword` per line first")
    }
    // A question mark that begins an entry in brackets would make it a key.
    let text = "[" + keywords.map { Self.scalar($0, isQuoted: $0.hasPrefix("?")) }.joined(separator: ", ") + "]"
    edits.replace(number, with: Array((line[..<start] + text + line[line.index(after: end)...]).utf8))
    return (edits.bytes, added.map { _ in number })
  }

  /// Whether a character stands at a mark: the parser does not tell lists in brackets from others.
  static func begins(with character: Character, _ mark: Mark?, _ edits: LineEdits) -> Bool {
    guard let mark else { return false }
    return String(decoding: edits.line(mark.line), as: UTF8.self).dropFirst(mark.column - 1).first == character
  }

  /// The bracket that ends a list on the same line, which begins with one.
  static func bracketEnd(_ text: Substring) -> Substring.Index? {
    var quote: Character?
    // An apostrophe inside a word quotes nothing.
    var isStart = true
    var isEscaped = false
    for place in text.indices {
      let character = text[place]
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if open == "\"", character == "\\" {
          isEscaped = true
        } else if character == open {
          quote = nil
        }
        continue
      }
      if character == "]" { return place }
      if isStart, character == "\"" || character == "'" { quote = character }
      isStart = character == "[" || character == "," || isStart && character == " "
    }
    return nil
  }

  private static func replacing(_ old: String, with new: String, in line: [UInt8]) -> [UInt8] {
    for spelled in [scalar(old), "'" + old + "'", "\"" + old + "\"", old] {
      if String(decoding: line, as: UTF8.self).holds(spelled) {
        return KeywordFile.replacing(spelled, with: scalar(new), in: line)
      }
    }
    return line
  }

  /// The line after which a field of the section can be added: that of its last shelf where they stand one a line, else its name's.
  private static func lastFieldLine(_ mapping: Node.Mapping, _ edits: LineEdits) -> Int {
    if let shelves = mapping["shelves"]?.sequence, !begins(with: "[", shelves.mark, edits), let last = shelves.last?.mark?.line {
      return last
    }
    return mapping["name"]?.mark?.line ?? 0
  }

  /// A keyword as YAML: in quotes where it could be read as something else.
  ///
  /// - Parameter isQuoted: Whether it gets quotes in any case.
  static func scalar(_ text: String, isQuoted: Bool = false) -> String {
    let scalars = Array(text.unicodeScalars)
    func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
    let first = scalars.first == "~" || scalars.first == "?" ? scalars.dropFirst().first : scalars.first
    let isPlain =
      first.map(isWord) ?? false && scalars.last != " "
      && scalars.dropFirst().allSatisfy { isWord($0) || " -'&./%".unicodeScalars.contains($0) }
    if isPlain, !isQuoted { return text }
    return "\"" + text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}

extension String {
  fileprivate func holds(_ part: String) -> Bool {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) { return true }
      start = index(after: start)
    }
    return part.isEmpty
  }
}
