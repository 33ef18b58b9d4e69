public import AisleCore

/// Writes the first version of a new store's file, which passes `aisle stores check`.
public enum StoreDraft {
  /// A store that groups the shelves of a folder as most supermarkets do, one shelf per line, with comments that say what to
  /// change.
  ///
  /// Shelves that the template does not know go into the fallback section.
  ///
  /// - Parameters:
  ///   - store: The store's id, a valid shelf name.
  ///   - name: Its name as people write it.
  ///   - folder: Where the shelves are.
  public static func template(_ store: String, named name: String, in folder: TaxonomyFolder) -> String {
    let there = folder.shelves
    let unknown = Set(there).subtracting(StoreTemplate.sections.flatMap(\.shelves))
    var text = schemaLine(in: folder)
    text += """
      # \(commented(name)): its sections in walking order, each with its shelves. Created by `aisle stores new`.
      #
      # 1. Put the sections in walking order. Rename, split, and merge them to match the signs in the store.
      # 2. Move each shelf's line to its section. Every shelf belongs to exactly one section; put the shelves that the store does not
      #    sell in the fallback section.
      # 3. Run `aisle stores check \(store)`, which reports mistakes with their lines. README.md beside this file describes every field.
      store: \(store)
      name: \(scalar(name))
      fallback: Other   # the section for undecided items
      sections:

      """
    for (place, section) in StoreTemplate.sections.enumerated() {
      let isFallback = place == StoreTemplate.sections.count - 1
      let shelves = section.shelves.filter(Set(there).contains) + (isFallback ? there.filter(unknown.contains) : [])
      if shelves.isEmpty, !isFallback { continue }
      if let remark = section.remark { text += "  # \(remark)\n" }
      text += "  - name: \(section.name)\n    color: \(section.color.rawValue)\n"
      if !shelves.isEmpty { text += "    shelves:\n" + shelves.map { "      - \($0)\n" }.joined() }
      if place == 0 {
        text += """
              # Keywords that only this store uses; put all others into the file of their shelf.
              # keywords: [veg box, ~windfall, "!pick of the day"]

          """
      }
    }
    return text
  }

  /// A store that extends another one and says, as yet, only its name.
  ///
  /// - Parameter base: The store that it extends.
  public static func overlay(_ store: String, named name: String, extending base: Taxonomy) -> String {
    let sections = base.sections.map(\.name)
    let examples = sections.count > 2 ? sections : ["Produce", "Pantry", "Other"]
    var lines = ["# "]
    for (place, section) in sections.enumerated() {
      let word = section + (place == sections.count - 1 ? "" : ", ")
      if lines[lines.count - 1].utf8.count + word.utf8.count > 100 { lines.append("# ") }
      lines[lines.count - 1] += word
    }
    lines = lines.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
    return """
      # \(commented(name)): what differs from \(base.store). Everything else is the same as in \(base.store) and follows it.
      # Created by `aisle stores new`. After an edit, `aisle stores check \(store)` says what it changes and what is wrong.
      store: \(store)
      name: \(scalar(name))
      extends: \(base.store)
      # The sections of \(base.store), in walking order:
      \(lines.joined(separator: "\n"))
      #
      # List the sections that differ. They appear in the order listed; all others keep their places.
      #   from      the sections that it stands for: one is renamed, several are merged; without it, the section of that name or a new one
      #   shelves   shelves that move here; `aisle stores show \(base.store)` lists them
      #   keywords  what is sold or said in this store alone; "-word" removes a keyword
      # New lines for a shelf, and lines like "-word", can also go in a file shelves/SHELF.txt next to this file.
      sections: []
      # sections:
      #   - name: Fresh
      #     from: \(scalar(examples[0]))
      #   - name: Larder
      #     from: [\(examples.dropFirst().prefix(2).map(scalar).joined(separator: ", "))]
      #     keywords: [house granola, "!store coupon"]

      """
  }

  /// A copy of a store in the folder under another id and name; its other lines and comments stay as they are.
  ///
  /// - Throws: `FileError` if the store does not exist, it cannot be read, or its id and name are not on lines of their own.
  public static func copy(
    of original: String, as store: String, named name: String, in folder: TaxonomyFolder
  ) throws(FileError) -> String {
    let bytes = try folder.storeFile(original)
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self)
    }
    // The comments on top speak of the store that is copied.
    let top = lines.prefix { $0.hasPrefix("#") || $0.allSatisfy(\.isWhitespace) }.count
    lines.removeSubrange(..<min(top, max(0, lines.count - 1)))
    lines.removeAll { $0.hasPrefix("name:") }
    if let place = lines.firstIndex(where: { $0.hasPrefix("store:") }) {
      lines.replaceSubrange(place...place, with: ["store: \(store)", "name: \(scalar(name))"])
    }
    let text =
      schemaLine(in: folder)
      + "# \(commented(name)): its sections in walking order. Created as a copy of \(original) by `aisle stores new`.\n"
      + lines.joined(separator: "\n")
    var parser = StoreFileParser(path: store)
    let file = parser.parse(Array(text.utf8))
    guard file?.store.value == store, file?.name == name, parser.findings.isEmpty else {
      throw FileError(
        path: "\(folder.path)/\(original).yaml",
        reason:
          "cannot be copied: it has errors, or `store` and `name` are not on lines of their own; run "
          + "`aisle stores check \(original)`"
      )
    }
    return text
  }

  private static func schemaLine(in folder: TaxonomyFolder) -> String {
    let schema = "taxonomy.schema.json"
    return FileReader.isFile("\(folder.path)/\(schema)") ? "# yaml-language-server: $schema=\(schema)\n" : ""
  }

  /// A text as a YAML scalar: plain where that is safe, else in double quotes.
  package static func scalar(_ text: String) -> String {
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    let isLetter = { (scalar: Unicode.Scalar) in scalar.properties.isAlphabetic }
    let isPlain = text.unicodeScalars.allSatisfy { isLetter($0) || "0123456789 &'.-".unicodeScalars.contains($0) }
    if isPlain, let first = text.unicodeScalars.first, isLetter(first), text.last != " ", !words.contains(text.lowercased()) {
      return text
    }
    let buffer = ByteBuffer()
    JSONText.append(text.utf8, to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// A text that cannot end a comment.
  private static func commented(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
  }
}
