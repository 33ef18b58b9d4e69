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
    guard sections.contains(section), let list = SectionList(path: path, bytes: bytes, sections: sections),
      list.root["extends"] != nil
    else { return nil }
    var edits = LineEdits(bytes)
    let opening = try list.open(for: section, after: nil, orAsListed: section, &edits)
    let indent = opening.indent
    let lines =
      ["\(indent)- name: \(StoreKeywords.scalar(section))", "\(indent)  keywords:"]
      + keywords.map { "\(indent)    - \(StoreKeywords.scalar($0))" }
    for text in lines { edits.insert(Array(text.utf8), after: opening.line) }
    let first = opening.added + lines.count - keywords.count
    return (edits.bytes, keywords.indices.map { edits.number(ofAdded: first + $0, after: opening.line) })
  }
}
