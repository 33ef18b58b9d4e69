public import AisleCore

/// Writes a store as the one text that `AisleKit` carries compiled in.
public enum EmbeddedText {
  /// The store's parts in the format that `EmbeddedStore` in `AisleKit` reads.
  ///
  /// Comments are left out; lines keep their numbers, so that evidence names the same line as the files do.
  ///
  /// - Throws: `FileError` when a shelf cannot be read.
  public static func write(_ taxonomy: Taxonomy, folder: String) throws(FileError) -> String {
    var text = part("store", taxonomy.store, taxonomy.name)
    for (place, section) in taxonomy.sections.enumerated() {
      let id = SectionID(rawValue: UInt16(place))
      text += part("section", section.color.rawValue, section.name)
      for shelf in taxonomy.shelves where shelf.section == id {
        text += part("shelf", shelf.name, try lines("\(folder)/shelves/\(shelf.name).txt"))
      }
      for keyword in taxonomy.keywords where keyword.section == id && keyword.shelf == nil {
        let file = keyword.location.path.split(separator: "/").last ?? ""
        let place = "taxonomies/\(file):\(keyword.location.line):\(keyword.location.column)"
        text += part("keyword", place, keyword.strength.sign + keyword.text)
      }
    }
    text += part("fallback", "-", taxonomy[taxonomy.fallback].name)
    for section in taxonomy.matchOrder { text += part("order", "-", taxonomy[section].name) }
    for (kind, file) in [("moves", "moves.txt"), ("spellings", "spellings.txt"), ("weights", "weights.txt")]
    where FileReader.resolved("\(folder)/\(file)") != nil {
      text += part(kind, "-", try lines("\(folder)/\(file)"))
    }
    for pattern in taxonomy.patterns { text += part("pattern", place(pattern.location, folder), body(of: pattern, taxonomy)) }
    return text
  }

  /// A pattern's name, confidence, shelf and section, a line each, `-` for no shelf; its expression; and its examples, a line each
  /// with a sign and their place.
  private static func body(of pattern: Pattern, _ taxonomy: Taxonomy) -> String {
    var lines = [
      pattern.name, "\(pattern.confidence)", pattern.shelf.map { taxonomy[$0].name } ?? "-", taxonomy[pattern.section].name,
      pattern.expression,
    ]
    for (sign, examples) in [("+", pattern.matches), ("-", pattern.rejects)] {
      lines += examples.map { "\(sign)\($0.location.line):\($0.location.column) \($0.item)" }
    }
    return lines.joined(separator: "\n")
  }

  /// A place in a file of the folder, as `taxonomies/file:line:column`.
  private static func place(_ location: SourceLocation, _ folder: String) -> String {
    let path = location.path.hasPrefix(folder + "/") ? "taxonomies/" + location.path.dropFirst(folder.count + 1) : location.path
    return "\(path):\(location.line):\(location.column)"
  }

  private static func part(_ kind: String, _ argument: String, _ body: String) -> String {
    "@\(kind) \(argument) \(body.utf8.count)\n\(body)\n"
  }

  /// A file's lines without comments and surrounding blanks.
  private static func lines(_ path: String) throws(FileError) -> String {
    var bytes = try FileReader.read(path)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      var line = line
      let comment = line.indices.first { place in
        line[place] == UInt8(ascii: "#") && (place == line.startIndex || line[place - 1] == 0x20 || line[place - 1] == 0x09)
      }
      if let comment { line = line[..<comment] }
      while let last = line.last, last <= 0x20 { line = line.dropLast() }
      return String(decoding: line.drop { $0 <= 0x20 }, as: UTF8.self)
    }
    return lines.joined(separator: "\n")
  }
}
