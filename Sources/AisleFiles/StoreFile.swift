import AisleCore
import Yams

/// A store as its YAML file describes it, each part with its place in the file.
struct StoreFile {
  struct SectionEntry {
    let name: Located<String>
    /// The sections of the extended store that it stands for; `nil` where the file does not say.
    var from: [Located<String>]?
    let color: SectionColor
    /// Its color, where the file says one.
    var writtenColor: SectionColor?
    let shelves: [Located<String>]
    let keywords: [Located<String>]
    let patterns: [PatternEntry]
  }

  var store: Located<String>
  var name: String
  /// The store that it changes; `nil` for one that stands by itself.
  var extends: Located<String>?
  /// The ids of the languages that it is read in, the one that counts first before the others; empty where the file does not say.
  var languages: [Located<String>] = []
  var fallback: Located<String>?
  var matchOrder: [Located<String>] = []
  var sections: [SectionEntry] = []
}

/// Reads a store's YAML file, and collects every mistake in it with its line and column.
struct StoreFileParser {
  private var yaml: YAMLReader

  init(path: String) { yaml = YAMLReader(path: path, manual: "taxonomies/README.md") }

  /// What is wrong in the file.
  var findings: [Finding] { yaml.findings }

  /// The store described by `bytes`; `nil` when it is no YAML mapping at all.
  mutating func parse(_ bytes: [UInt8]) -> StoreFile? {
    guard let root = yaml.read(bytes) else { return nil }
    guard
      let fields = yaml.mapping(
        root, of: "the file", allowed: ["store", "name", "extends", "language", "fallback", "match_order", "sections"])
    else {
      return nil
    }
    var file = StoreFile(store: .init(value: "", location: yaml.location(root)), name: "")
    if let store = yaml.required("store", in: fields, at: root).flatMap({ yaml.string($0) }) {
      file.store = .init(value: store.value, location: store.location)
      file.name = store.value
      if !Shelf.isValid(name: store.value) {
        yaml.report(store.location, "store id `\(store.value)` may have only a-z, 0-9, and hyphens")
      }
    }
    file.extends = fields["extends"].flatMap { yaml.string($0) }
    if let language = fields["language"] {
      file.languages = language.sequence == nil ? yaml.string(language).map { [$0] } ?? [] : yaml.strings(language)
    }
    if let name = fields["name"].flatMap({ yaml.string($0) }) {
      file.name = name.value
      if name.value.allSatisfy({ $0 == " " }) {
        yaml.report(name.location, "the store's name must not be blank; write one, or remove the line")
      }
    }
    file.fallback = fields["fallback"].flatMap { yaml.string($0) }
    if let order = fields["match_order"] { file.matchOrder = yaml.strings(order) }
    let isOverlay = file.extends != nil
    if let sections = isOverlay ? fields["sections"] : yaml.required("sections", in: fields, at: root) {
      if let sequence = sections.sequence {
        file.sections = sequence.compactMap { section($0, isOverlay: isOverlay) }
      } else {
        yaml.report(yaml.location(sections), "`sections` must be a list; begin each section with `- name:`")
      }
    }
    if fields["fallback"] == nil, !isOverlay {
      yaml.report(yaml.location(root), "missing field `fallback`; name the section for undecided items")
    }
    return file
  }

  private mutating func section(_ node: Node, isOverlay: Bool) -> StoreFile.SectionEntry? {
    guard
      let fields = yaml.mapping(node, of: "a section", allowed: ["name", "from", "color", "shelves", "keywords", "patterns"]),
      let name = yaml.required("name", in: fields, at: node).flatMap({ yaml.string($0) })
    else { return nil }
    if !name.value.isEmpty, name.value.allSatisfy({ $0 == " " }) {
      yaml.report(name.location, "a section's name must not be blank")
    } else if name.value.isEmpty || name.value.utf8.count > 100 || name.value.unicodeScalars.contains(where: { $0.value < 32 }) {
      yaml.report(name.location, "a section's name must have 1 to 100 bytes and no control characters")
    }
    if !isOverlay, let from = fields["from"] {
      yaml.report(yaml.location(from), "`from` is for a store that extends another; add `extends`, or remove this")
    }
    var color = SectionColor.forUnknownSection(named: name.value)
    var writtenColor: SectionColor?
    if let written = fields["color"].flatMap({ yaml.string($0) }) {
      if let known = SectionColor(rawValue: written.value) {
        (color, writtenColor) = (known, known)
      } else {
        let hint = DidYouMean.hint(written.value, among: SectionColor.allCases.map(\.rawValue))
        yaml.report(written.location, "unknown color `\(written.value)`\(hint)")
      }
    }
    var from: [Located<String>]?
    if let node = fields["from"] { from = node.sequence == nil ? [yaml.string(node)].compactMap(\.self) : yaml.strings(node) }
    return StoreFile.SectionEntry(
      name: name, from: from, color: color, writtenColor: writtenColor, shelves: strings(fields["shelves"]),
      keywords: strings(fields["keywords"]), patterns: fields["patterns"].map { yaml.patterns($0, areShared: false) } ?? [])
  }

  private mutating func strings(_ node: Node?) -> [Located<String>] { node.map { yaml.strings($0) } ?? [] }
}
