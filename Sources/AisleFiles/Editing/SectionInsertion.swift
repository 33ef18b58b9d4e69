import AisleCore
import Yams

/// Adds a section to a store's YAML file, at its place in the walking order. Everything else stays byte for byte.
public struct SectionInsertion: Sendable {
  /// The file's path, as named.
  public let path: String
  /// Its contents.
  public let bytes: [UInt8]
  /// The store's sections in walking order.
  public let sections: [String]

  /// Starts with a file's contents.
  public init(path: String, bytes: [UInt8], sections: [String]) {
    (self.path, self.bytes, self.sections) = (path, bytes, sections)
  }

  /// What the file would be with a section added after another, and the line of the new one.
  ///
  /// - Throws: `FileError` if the file is written in a way that cannot be changed line by line.
  public func adding(_ name: String, after other: String) throws(FileError) -> (bytes: [UInt8], line: Int) {
    var reader = YAMLReader(path: path, manual: "taxonomies/README.md")
    guard let root = reader.read(bytes)?.mapping else {
      throw FileError(path: path, reason: "is not a store; run `aisle stores check`")
    }
    let listed = root["sections"]?.sequence.map(Array.init) ?? []
    var edits = LineEdits(bytes)
    // A store that extends another need not list the section that the new one follows; then both are listed.
    let predecessor = listed.firstIndex { Self.name($0) == other }
    let names = predecessor == nil ? [other, name] : [name]
    let (line, indent): (Int, String)
    if let first = listed.first {
      let firstLine = String(decoding: edits.line(first.mark?.line ?? 0), as: UTF8.self)
      guard firstLine.drop(while: { $0 == " " }).first == "-" else {
        throw FileError(
          path: path, reason: "`sections` is written in brackets; write it with one `- name:` per line to add section `\(name)`")
      }
      indent = String(firstLine.prefix { $0 == " " })
      line = predecessor.map { UnlistedSection.lastLine(of: listed[$0]) } ?? self.line(before: other, listed)
    } else {
      indent = "  "
      if let key = root.first(where: { $0.key.scalar?.string == "sections" })?.key.mark?.line {
        edits.replace(key, with: Array("sections:".utf8))
        line = key
      } else {
        line = edits.count
        edits.insert(Array("sections:".utf8), after: line)
      }
    }
    let hasNewList = root["sections"] == nil
    for section in names { edits.insert(Array("\(indent)- name: \(StoreKeywords.scalar(section))".utf8), after: line) }
    try addMatch(name, after: other, root, &edits)
    return (edits.bytes, edits.number(ofAdded: names.count - 1 + (hasNewList ? 1 : 0), after: line))
  }

  private static func name(_ entry: Node) -> String? { entry.mapping?["name"]?.scalar?.string }

  /// The line after which a section goes that is not listed yet: listed ones stand among themselves as they are listed.
  private func line(before section: String, _ listed: [Node]) -> Int {
    let place = sections.firstIndex(of: section) ?? sections.count
    let after = listed.firstIndex { entry in
      Self.name(entry).flatMap { sections.firstIndex(of: $0) }.map { $0 > place } ?? false
    }
    guard let after else { return listed.last.map { UnlistedSection.lastLine(of: $0) } ?? 0 }
    return after == 0 ? (listed[0].mark?.line ?? 1) - 1 : UnlistedSection.lastLine(of: listed[after - 1])
  }

  /// Adds the section to the order in which sections are matched, where the file has one: it must list all.
  private func addMatch(_ name: String, after other: String, _ root: Node.Mapping, _ edits: inout LineEdits) throws(FileError) {
    guard let node = root["match_order"], let order = node.sequence, let last = order.last else { return }
    let before = order.first { $0.scalar?.string == other } ?? last
    guard let number = before.mark?.line else { return }
    if StoreKeywords.begins(with: "[", order.mark, edits) {
      guard let number = order.mark?.line, let column = order.mark?.column else { return }
      let line = String(decoding: edits.line(number), as: UTF8.self)
      let start = line.index(line.startIndex, offsetBy: column - 1, limitedBy: line.endIndex) ?? line.endIndex
      guard start < line.endIndex, let end = StoreKeywords.bracketEnd(line[start...]) else {
        throw FileError(
          path: path, reason: "line \(number): `match_order` spans several lines; write it with one `- section` per line first")
      }
      edits.replace(number, with: Array((line[..<end] + ", " + StoreKeywords.scalar(name) + line[end...]).utf8))
    } else if let dash = edits.line(number).firstIndex(of: UInt8(ascii: "-")) {
      let lead = Array(edits.line(number)[..<dash]) + Array("- ".utf8)
      edits.insert(lead + Array(StoreKeywords.scalar(name).utf8), after: number)
    }
  }
}
