import AisleCore
import Yams

/// A section that a store takes from the one that it extends, while keywords of its own make it one that the file lists.
struct UnlistedSection {
  let path: String
  let bytes: [UInt8]
  /// The store's sections in walking order.
  let sections: [String]

  /// What the file would be with the section listed, and the lines of its keywords. `nil` where the file must list all sections anyway.
  ///
  /// Sections that are listed stand in the order in which they are, so this one goes before the first that comes after it in the store.
  func listing(_ section: String, _ keywords: [String]) throws(FileError) -> (bytes: [UInt8], lines: [Int])? {
    var reader = YAMLReader(path: path, manual: "taxonomies/README.md")
    guard let place = sections.firstIndex(of: section), let root = reader.read(bytes)?.mapping, root["extends"] != nil else {
      return nil
    }
    var edits = LineEdits(bytes)
    let listed = root["sections"]?.sequence
    let after = listed?.first { entry in
      guard let name = entry.mapping?["name"]?.scalar?.string, let other = sections.firstIndex(of: name) else { return false }
      return other > place
    }
    let line: Int
    var indent = "  "
    if let listed, let first = listed.first {
      let firstLine = String(decoding: edits.line(first.mark?.line ?? 0), as: UTF8.self)
      guard firstLine.drop(while: { $0 == " " }).first == "-" else {
        throw FileError(
          path: path,
          reason: "`sections` is written in brackets; write it with one `- name:` per line to add section `\(section)`")
      }
      indent = String(firstLine.prefix { $0 == " " })
      line = after.flatMap { $0.mark?.line }.map { $0 - 1 } ?? Self.lastLine(of: listed)
    } else if let key = root.first(where: { $0.key.scalar?.string == "sections" })?.key.mark?.line {
      edits.replace(key, with: Array("sections:".utf8))
      line = key
    } else {
      line = edits.count
      edits.insert(Array("sections:".utf8), after: line)
    }
    let isNewList = root["sections"] == nil
    let lines =
      ["\(indent)- name: \(StoreKeywords.scalar(section))", "\(indent)  keywords:"]
      + keywords.map { "\(indent)    - \(StoreKeywords.scalar($0))" }
    for text in lines { edits.insert(Array(text.utf8), after: line) }
    let first = isNewList ? 3 : 2
    return (edits.bytes, keywords.indices.map { edits.number(ofAdded: first + $0, after: line) })
  }

  /// The last line of a list: that of the deepest node in it.
  static func lastLine(of list: Node.Sequence) -> Int { list.reduce(0) { max($0, lastLine(of: $1)) } }

  /// The line of the deepest node in a node, which is its last.
  static func lastLine(of node: Node) -> Int {
    let own = node.mark?.line ?? 0
    switch node {
    case .mapping(let mapping): return mapping.reduce(own) { max($0, lastLine(of: $1.key), lastLine(of: $1.value)) }
    case .sequence(let sequence): return max(own, lastLine(of: sequence))
    case .scalar, .alias: return own
    }
  }
}
