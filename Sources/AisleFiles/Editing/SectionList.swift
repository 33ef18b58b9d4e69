import AisleCore
import Yams

/// The sections that a store's YAML file lists, and where the lines of another one go.
struct SectionList {
  private let path: String
  private let root: Node.Mapping
  private let sections: [String]
  private let entries: [Node]

  /// - Parameters:
  ///   - path: The file's path, as named.
  ///   - root: What the file says.
  ///   - sections: The store's sections in walking order, also those that it takes from the one that it extends.
  init(path: String, root: Node.Mapping, sections: [String]) {
    (self.path, self.sections, self.root) = (path, sections, root)
    entries = root["sections"]?.sequence.map(Array.init) ?? []
  }

  /// What the file would be with a section and its own keywords listed, and the lines of those. `nil` where the file must list all
  /// sections anyway.
  func listing(_ section: String, _ keywords: [String], in bytes: [UInt8]) throws(FileError) -> (bytes: [UInt8], lines: [Int])? {
    guard sections.contains(section), root["extends"] != nil else { return nil }
    var edits = LineEdits(bytes)
    let opening = try open(for: section, after: nil, orAsListed: section, &edits)
    let lines =
      ["\(opening.indent)- name: \(StoreKeywords.scalar(section))", "\(opening.indent)  keywords:"]
      + keywords.map { "\(opening.indent)    - \(StoreKeywords.scalar($0))" }
    for text in lines { edits.insert(Array(text.utf8), after: opening.line) }
    let first = opening.added + lines.count - keywords.count
    return (edits.bytes, keywords.indices.map { edits.number(ofAdded: first + $0, after: opening.line) })
  }

  /// The place of the entry for a section.
  func place(of section: String) -> Int? { entries.firstIndex { Self.name($0) == section } }

  /// Where the lines of a section go.
  struct Opening {
    /// The line after which they go.
    let line: Int
    /// What stands before the dash.
    let indent: String
    /// How many lines were added there for the list itself.
    let added: Int
  }

  /// Makes room for a section: after an entry, or else where a section goes that is not listed yet. Listed ones stand among
  /// themselves as they stand in the store.
  ///
  /// - Parameter name: The section that an error names.
  func open(
    for name: String, after entry: Int?, orAsListed section: String, _ edits: inout LineEdits
  ) throws(FileError) -> Opening {
    guard let first = entries.first else {
      let isNew = root["sections"] == nil
      let line = root.first { $0.key.scalar?.string == "sections" }?.key.mark?.line ?? edits.count
      if isNew { edits.insert(Array("sections:".utf8), after: line) } else { edits.replace(line, with: Array("sections:".utf8)) }
      return Opening(line: line, indent: "  ", added: isNew ? 1 : 0)
    }
    let firstLine = String(decoding: edits.line(first.mark?.line ?? 0), as: UTF8.self)
    guard firstLine.drop(while: { $0 == " " }).first == "-" else {
      throw FileError(
        path: path, reason: "`sections` is written in brackets; write it with one `- name:` per line to add section `\(name)`")
    }
    let line = entry.map { lastLine(of: $0, edits) } ?? self.line(before: section, edits)
    return Opening(line: line, indent: String(firstLine.prefix { $0 == " " }), added: 0)
  }

  private func line(before section: String, _ edits: LineEdits) -> Int {
    let place = sections.firstIndex(of: section) ?? sections.count
    let after = entries.firstIndex { Self.name($0).flatMap(sections.firstIndex).map { $0 > place } ?? false }
    return after == 0 ? (entries[0].mark?.line ?? 1) - 1 : lastLine(of: (after ?? entries.count) - 1, edits)
  }

  /// The last line of an entry: that before the next one or the next field, without comments and blank lines.
  private func lastLine(of entry: Int, _ edits: LineEdits) -> Int {
    let first = entries[entry].mark?.line ?? 0
    let later = (entries.map(\.mark) + root.keys.map(\.mark)).compactMap { $0?.line }.filter { $0 > first }
    var line = (later.min() ?? edits.count + 1) - 1
    while line > first, Self.isEmpty(edits.line(line)) { line -= 1 }
    return line
  }

  /// Whether a line is blank, a comment, or the end of the document.
  private static func isEmpty(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self).trimmed
    return text.isEmpty || text.hasPrefix("#") || text == "..."
  }

  private static func name(_ entry: Node) -> String? { entry.mapping?["name"]?.scalar?.string }
}
