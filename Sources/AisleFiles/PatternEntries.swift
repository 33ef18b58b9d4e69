import AisleCore
import Yams

/// A pattern as a YAML file describes it, each part with its place in the file.
struct PatternEntry {
  let name: Located<String>
  let shelf: Located<String>?
  let expression: Located<String>
  let confidence: Float
  let matches: [Located<String>]
  let rejects: [Located<String>]

  /// Adds the pattern to a taxonomy, as a section's own or to the shelf that it names.
  func add(to builder: inout TaxonomyBuilder, section: SectionID?) {
    let owner: PatternOwner
    if let section {
      owner = .section(section)
    } else if let shelf {
      owner = .shelf(shelf.value, shelf.location)
    } else {
      return
    }
    builder.addPattern(
      owner, name: name.value, expression: expression.value, confidence: confidence,
      matches: matches.map { Pattern.Example($0.value, at: $0.location) },
      rejects: rejects.map { Pattern.Example($0.value, at: $0.location) }, expressionAt: expression.location, at: name.location)
  }
}

extension YAMLReader {
  /// The patterns of a list; those of a shared file name their shelves.
  mutating func patterns(_ node: Node, areShared: Bool) -> [PatternEntry] {
    guard let sequence = node.sequence else {
      if node.scalar?.string.isEmpty != true {
        report(location(node), "`patterns` must be a list; begin each pattern with `- name:`")
      }
      return []
    }
    return sequence.compactMap { pattern($0, isShared: areShared) }
  }

  private mutating func pattern(_ node: Node, isShared: Bool) -> PatternEntry? {
    let fields = ["name"] + (isShared ? ["shelf"] : []) + ["expression", "confidence", "matches", "rejects"]
    guard let fields = mapping(node, of: "a pattern", allowed: fields),
      let name = required("name", in: fields, at: node).flatMap({ string($0) }),
      let expressionNode = required("expression", in: fields, at: node), let expression = string(expressionNode)
    else { return nil }
    var shelf: Located<String>?
    if isShared {
      shelf = required("shelf", in: fields, at: node).flatMap { string($0) }
      if shelf == nil { return nil }
    }
    let confidence = confidence(fields["confidence"])
    let (matches, rejects) = (examples(fields["matches"]), examples(fields["rejects"]))
    // Without examples that were faulty the pattern would be told to have none.
    guard let matches, let rejects else { return nil }
    // A text in quotation marks begins after its mark.
    let style = expressionNode.scalar?.style
    let isQuoted = style == .singleQuoted || style == .doubleQuoted
    let place = expression.location
    return PatternEntry(
      name: name, shelf: shelf,
      expression: .init(
        value: expression.value,
        location: SourceLocation(path: place.path, line: place.line, column: place.column + (isQuoted ? 1 : 0))),
      confidence: confidence, matches: matches, rejects: rejects)
  }

  /// The examples of a list; `nil` where the list or one of them is faulty, with findings.
  private mutating func examples(_ node: Node?) -> [Located<String>]? {
    let before = findings.count
    let found = node.map { strings($0) } ?? []
    return findings.count == before ? found : nil
  }

  private mutating func confidence(_ node: Node?) -> Float {
    guard let written = node.flatMap({ string($0) }) else { return Pattern.usualConfidence }
    guard let confidence = Float(written.value), confidence > 0, confidence <= 1 else {
      report(written.location, "`confidence` must be a number, more than 0 and at most 1")
      return Pattern.usualConfidence
    }
    return confidence
  }
}

/// Reads a file of patterns that all stores share.
struct PatternFileParser {
  private var yaml: YAMLReader

  init(path: String) { yaml = YAMLReader(path: path, manual: "taxonomies/README.md") }

  /// What is wrong in the file.
  var findings: [Finding] { yaml.findings }

  /// The patterns in `bytes`.
  mutating func parse(_ bytes: [UInt8]) -> [PatternEntry] {
    guard let root = yaml.read(bytes), let fields = yaml.mapping(root, of: "the file", allowed: ["patterns"]),
      let list = yaml.required("patterns", in: fields, at: root)
    else { return [] }
    return yaml.patterns(list, areShared: true)
  }
}
