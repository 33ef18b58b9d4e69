import AisleCore
import Yams

/// The sections that a store's YAML file lists, and where the lines of another one go.
struct SectionList {
  let path: String
  /// The store's sections in walking order, also those that it takes from the one that it extends.
  let sections: [String]
  let root: Node.Mapping
  /// The entries of the list.
  let entries: [Node]

  /// Reads a file; `nil` if it is no store.
  init?(path: String, bytes: [UInt8], sections: [String]) {
    var reader = YAMLReader(path: path, manual: "taxonomies/README.md")
    guard let root = reader.read(bytes)?.mapping else { return nil }
    (self.path, self.sections, self.root) = (path, sections, root)
    entries = root["sections"]?.sequence.map(Array.init) ?? []
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
    let line = entry.map { Self.lastLine(of: entries[$0]) } ?? self.line(before: section)
    return Opening(line: line, indent: String(firstLine.prefix { $0 == " " }), added: 0)
  }

  private func line(before section: String) -> Int {
    let place = sections.firstIndex(of: section) ?? sections.count
    let after = entries.firstIndex { Self.name($0).flatMap(sections.firstIndex).map { $0 > place } ?? false }
    switch after {
    case nil: return entries.last.map(Self.lastLine) ?? 0
    case 0: return (entries[0].mark?.line ?? 1) - 1
    case .some(let after): return Self.lastLine(of: entries[after - 1])
    }
  }

  private static func name(_ entry: Node) -> String? { entry.mapping?["name"]?.scalar?.string }

  /// The line of the deepest node in a node, which is its last.
  private static func lastLine(of node: Node) -> Int {
    let own = node.mark?.line ?? 0
    switch node {
    case .mapping(let mapping): return mapping.reduce(own) { max($0, lastLine(of: $1.key), lastLine(of: $1.value)) }
    case .sequence(let sequence): return sequence.reduce(own) { max($0, lastLine(of: $1)) }
    case .scalar, .alias: return own
    }
  }
}
