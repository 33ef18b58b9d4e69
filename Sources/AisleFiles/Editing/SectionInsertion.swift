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
    let list = SectionList(path: path, root: root, sections: sections)
    var edits = LineEdits(bytes)
    // A store that extends another need not list the section that the new one follows; then both are listed.
    let predecessor = list.place(of: other)
    let names = predecessor == nil ? [other, name] : [name]
    let opening = try list.open(for: name, after: predecessor, orAsListed: other, &edits)
    for section in names {
      edits.insert(Array("\(opening.indent)- name: \(StoreKeywords.scalar(section))".utf8), after: opening.line)
    }
    try addMatch(name, after: other, root, &edits)
    return (edits.bytes, edits.number(ofAdded: names.count - 1 + opening.added, after: opening.line))
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
