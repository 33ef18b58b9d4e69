import AisleCore
import Testing

/// A taxonomy that was written down and taken up again, and what is refused.
@Suite struct TaxonomyImageTests {
  private static let sections = ["Produce", "Dairy"]

  @Test func `a taxonomy read from its image is the same`() throws {
    let taxonomy = Self.taxonomy
    let (memory, blocks) = Self.lay(Self.bytes(taxonomy.image()))
    let read = try #require(Taxonomy(image: memory, blocks: blocks))
    #expect(read.sections == taxonomy.sections && read.shelves == taxonomy.shelves && read.fallback == taxonomy.fallback)
    #expect(read.moves == taxonomy.moves && read.spellings == taxonomy.spellings && read.matchOrder == taxonomy.matchOrder)
    #expect(Array(read.keywords) == Array(taxonomy.keywords))
    #expect(read.patterns == taxonomy.patterns && read.patterns.count == 2)
  }

  /// The columns of a keyword's row of 20 bytes: the place of the lowest byte, and the one above it.
  @Test(arguments: [("start", 3), ("length", 9), ("shelf", 10), ("source", 13), ("section", 16)])
  func `a keyword that refers to what is not there is refused`(column: String, place: Int) throws {
    for row in 0..<3 {
      var parts = Self.bytes(Self.taxonomy.image())
      parts[1][20 * row + place] = 0x70
      let (memory, blocks) = Self.lay(parts)
      #expect(Taxonomy(image: memory, blocks: blocks) == nil, "row \(row)")
    }
  }

  @Test func `every number of the description and of the spellings may be anything`() throws {
    let parts = Self.bytes(Self.taxonomy.image())
    for part in [0, 3] {
      for place in parts[part].indices.dropLast(3) {
        for value: [UInt8] in [[0, 0, 0, 0], [3, 0, 0, 0], [0, 0, 1, 0], [0xFF, 0xFF, 0xFF, 0xFF]] {
          var damaged = parts
          damaged[part].replaceSubrange(place..<place + 4, with: value)
          let (memory, blocks) = Self.lay(damaged)
          guard let taxonomy = Taxonomy(image: memory, blocks: blocks) else { continue }
          #expect(Self.isSound(taxonomy) && taxonomy.spellings.count <= 1, "\(value) at \(place)")
        }
      }
    }
  }

  @Test func `a taxonomy without a section is refused`() {
    var parts = Self.bytes(Self.taxonomy.image())
    // An empty id and name, fallback 0, then no sections, order, shelves, files, moves, spellings, pattern files or patterns.
    parts[0] = [UInt8](repeating: 0, count: 44)
    parts[1] = []
    let (memory, blocks) = Self.lay(parts)
    #expect(Taxonomy(image: memory, blocks: blocks) == nil)
  }

  /// Whether all that refers to a part of the taxonomy refers to one that is there.
  private static func isSound(_ taxonomy: Taxonomy) -> Bool {
    func isThere(_ section: SectionID) -> Bool { Int(section.rawValue) < taxonomy.sections.count }
    func isThere(_ shelf: ShelfID) -> Bool { Int(shelf.rawValue) < taxonomy.shelves.count }
    let keywords = taxonomy.keywords.entries.allSatisfy { entry in
      Int(entry.source) < taxonomy.keywords.paths.count && entry.shelfID.map(isThere) ?? true
        && isThere(SectionID(rawValue: UInt16(entry.section)))
    }
    return keywords && isThere(taxonomy.fallback) && taxonomy.matchOrder.allSatisfy(isThere)
      && taxonomy.shelves.allSatisfy { isThere($0.section) }
      && taxonomy.moves.allSatisfy { isThere($0.to) && $0.from.allSatisfy(isThere) }
      && taxonomy.patterns.allSatisfy { isThere($0.section) && $0.shelf.map(isThere) ?? true && 0...1 ~= $0.confidence }
  }

  private static var taxonomy: Taxonomy {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    for (name, keywords) in [("Produce", "basil\nkale\n"), ("Dairy", "milk\n")] {
      let section = builder.addSection(Section(name: name, color: .gray))
      read(keywords) { builder.addShelf(name.lowercased(), text: $0, path: "\(name).txt", section: section) }
    }
    read("dried: produce -> dairy") { builder.addMoves(text: $0, path: "moves.txt") }
    for (name, owner) in [("own", PatternOwner.section(SectionID(rawValue: 1))), ("shared", .shelf("dairy", place("x.yaml", 1)))]
    {
      builder.addPattern(
        owner, name: name, expression: "\\d%", confidence: 0.5, matches: [Pattern.Example("2%", at: place("\(name).yaml", 4))],
        rejects: [Pattern.Example("x", at: place("\(name).yaml", 5))], expressionAt: place("\(name).yaml", 3),
        at: place("\(name).yaml", 2))
    }
    read("mlk = milk") { builder.addSpellings(text: $0, path: "spellings.txt") }
    return builder.build()
  }

  private static func place(_ path: String, _ line: Int) -> AisleCore.SourceLocation {
    AisleCore.SourceLocation(path: path, line: line, column: 7)
  }

  private static func read(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    Array(text.utf8).withUnsafeBufferPointer(body)
  }

  private static func bytes(_ image: [FlatBlock]) -> [[UInt8]] { image.map { Array($0) } }

  /// Lays blocks of bytes one after the other, each from a multiple of 16.
  private static func lay(_ parts: [[UInt8]]) -> (FlatMemory, [Range<Int>]) {
    var bytes: ContiguousArray<UInt8> = []
    var blocks: [Range<Int>] = []
    for part in parts {
      bytes.append(contentsOf: repeatElement(0, count: (16 - bytes.count % 16) % 16))
      blocks.append(bytes.count..<bytes.count + part.count)
      bytes.append(contentsOf: part)
    }
    return (FlatMemory(copying: bytes), blocks)
  }
}
