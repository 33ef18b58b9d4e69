import AisleCore

/// A store and its shelves as one text, so that it can be compiled in.
///
/// The text is a row of parts, each a header line `@kind argument length` and `length` bytes:
/// `@store id`, `@section color` and `@fallback` carry a name, `@keyword section-file:line:column` a section's own keyword, `@order` a
/// section in match order; `@pattern file:line:column` a pattern's name, confidence, shelf, section and expression, then its examples, a line
/// each; `@shelf name`, `@moves`, `@spellings` and `@weights` carry a file's lines without their comments.
enum EmbeddedStore {
  /// The taxonomy that a text holds.
  static func read(_ text: StaticString) -> Taxonomy {
    text.withUTF8Buffer { read($0) }
  }

  static func read(_ text: UnsafeBufferPointer<UInt8>) -> Taxonomy {
    var offset = 0
    var builder = TaxonomyBuilder(store: "", name: "")
    var sections: [String: SectionID] = [:]
    var section = SectionID(rawValue: 0)
    var order: [SectionID] = []
    while let part = nextPart(text, &offset) {
      let name = { String(decoding: part.body, as: UTF8.self) }
      switch part.kind {
      case "store": builder = TaxonomyBuilder(store: part.argument, name: name())
      case "section":
        section = builder.addSection(Section(name: name(), color: SectionColor(rawValue: part.argument) ?? .gray))
        sections[name()] = section
      case "fallback": if let id = sections[name()] { builder.setFallback(id) }
      case "order": if let id = sections[name()] { order.append(id) }
      case "keyword":
        let place = part.argument.split(separator: ":")
        guard place.count == 3, let line = Int(place[1]), let column = Int(place[2]) else { continue }
        builder.addKeyword(name(), section: section, at: SourceLocation(path: String(place[0]), line: line, column: column))
      case "pattern": addPattern(part, sections, &builder)
      case "shelf":
        builder.addShelf(part.argument, text: part.body, path: "taxonomies/shelves/\(part.argument).txt", section: section)
      case "moves": builder.addMoves(text: part.body, path: "taxonomies/moves.txt")
      case "spellings": builder.addSpellings(text: part.body, path: "taxonomies/spellings.txt")
      case "weights": builder.setWeights(text: part.body, path: "taxonomies/weights.txt")
      default: break
      }
    }
    if !order.isEmpty { builder.setMatchOrder(order) }
    return builder.build()
  }

  private static func addPattern(_ part: Part, _ sections: [String: SectionID], _ builder: inout TaxonomyBuilder) {
    let lines = String(decoding: part.body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let place = part.argument.split(separator: ":")
    guard lines.count >= 5, place.count == 3, let line = Int(place[1]), let column = Int(place[2]),
      let confidence = Float(lines[1]), let section = sections[String(lines[3])]
    else { return }
    let path = String(place[0])
    var examples: [Character: [Pattern.Example]] = [:]
    for written in lines.dropFirst(5) {
      guard let sign = written.first, let blank = written.firstIndex(of: " ") else { continue }
      let numbers = written[..<blank].dropFirst().split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2 else { continue }
      let location = SourceLocation(path: path, line: numbers[0], column: numbers[1])
      examples[sign, default: []].append(Pattern.Example(String(written[written.index(after: blank)...]), at: location))
    }
    let location = SourceLocation(path: path, line: line, column: column)
    let shelf = String(lines[2])
    builder.addPattern(
      shelf == "-" ? .section(section) : .shelf(shelf, location), name: String(lines[0]), expression: String(lines[4]),
      confidence: confidence, matches: examples["+"] ?? [], rejects: examples["-"] ?? [], expressionAt: location, at: location)
  }

  private struct Part {
    let kind: String
    let argument: String
    let body: UnsafeBufferPointer<UInt8>
  }

  /// Reads the part at `offset` and moves past it; `nil` at the end.
  private static func nextPart(_ text: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> Part? {
    guard offset < text.count, text[offset] == UInt8(ascii: "@"),
      let end = text[offset...].firstIndex(of: 0x0A)
    else { return nil }
    let header = String(decoding: text[(offset + 1)..<end], as: UTF8.self).split(separator: " ")
    guard let kind = header.first, let length = header.last.flatMap({ Int($0) }), end + 1 + length <= text.count else {
      return nil
    }
    let body = UnsafeBufferPointer(rebasing: text[(end + 1)..<(end + 1 + length)])
    offset = end + 1 + length + 1
    return Part(kind: String(kind), argument: header.count > 2 ? String(header[1]) : "", body: body)
  }
}
