import AisleCore
import AisleItems

/// CookLang's `config/aisle.conf`: each section that has items, in brackets, in walking order with the fallback last; below it its
/// items, one a line.
///
/// What bars separate in an item, as in `onion|onions`, are other names of the same ingredient. CookLang refuses a name that is
/// there twice, so each is written once, where it came first.
struct AisleConfiguration {
  private let taxonomy: Taxonomy
  private var lines: [String: [String]] = [:]
  private var names: Set<String> = []
  /// How many items are left out, since a line that begins with a bracket names a section.
  private(set) var omitted = 0

  init(taxonomy: Taxonomy) { self.taxonomy = taxonomy }

  /// Takes in a block's items; blank ones are left out.
  mutating func add(_ work: Workspace) {
    for index in 0..<work.batch.count {
      add(String(decoding: work.item(index), as: UTF8.self), to: work.batch.sectionName(at: index))
    }
  }

  /// Adds one item.
  mutating func add(_ item: String, to section: String) {
    var line: [String] = []
    for part in item.split(separator: "|") {
      let name = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if name.isEmpty || names.contains(name) { continue }
      if line.isEmpty, name.hasPrefix("[") {
        omitted += 1
        return
      }
      names.insert(name)
      line.append(name)
    }
    if !line.isEmpty { lines[section, default: []].append(line.joined(separator: "|")) }
  }

  /// Writes the file.
  ///
  /// - Throws: `StreamError`; `Interruption`.
  func write(to output: Descriptor) throws {
    let buffer = OutputBuffer()
    for (place, section) in taxonomy.shown(Set(lines.keys)).enumerated() {
      let name = String(section.name.map { "[]|".contains($0) || $0.isNewline ? " " : $0 })
      buffer.append("\(place == 0 ? "" : "\n")[\(name)]\n".utf8)
      for line in lines[section.name] ?? [] { buffer.append("\(line)\n".utf8) }
    }
    if output.isTerminal { buffer.makeVisible() }
    try output.write(buffer.bytes)
  }
}
