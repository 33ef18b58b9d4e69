/// A taxonomy as a few blocks of bytes, so that it need not be read from its files every time.
extension Taxonomy {
  /// How many blocks an image has.
  public static let blockCount = 4
  /// The places among them of the keywords' rows and texts.
  package static let (rowBlock, textBlock) = (1, 2)

  /// The blocks: everything but the keywords and spellings, the keywords' rows, their texts, the spellings.
  public func image() -> [FlatBlock] {
    var writer = ImageWriter()
    writer.write(store)
    writer.write(name)
    writer.write(Int(fallback.rawValue))
    writer.write(sections) { $0.write($1) }
    writer.write(matchOrder) { $0.write(Int($1.rawValue)) }
    writer.write(shelves) {
      $0.write($1.name); $0.write(Int($1.section.rawValue))
    }
    writer.write(keywords.paths) { $0.write($1) }
    writer.write(moves) { writer, move in
      writer.write(move.word)
      writer.write(move.from) { $0.write(Int($1.rawValue)) }
      writer.write(Int(move.to.rawValue))
      writer.write(move.location)
    }
    let paths = patternPaths
    writer.write(paths) { $0.write($1) }
    writer.write(patterns) { writer, pattern in
      let path = paths.firstIndex(of: pattern.location.path) ?? 0
      writer.write(pattern.name)
      writer.write(pattern.expression)
      writer.write(pattern.shelf.map { Int($0.rawValue) + 1 } ?? 0)
      writer.write(Int(pattern.section.rawValue))
      writer.write(Int(pattern.confidence.bitPattern))
      writer.write(path)
      writer.write(pattern.location.line)
      writer.write(pattern.location.column)
      for examples in [pattern.matches, pattern.rejects] {
        writer.write(examples) { writer, example in
          writer.write(example.item)
          writer.write(example.location.line)
          writer.write(example.location.column)
        }
      }
    }
    writer.write(weights.numbers) { $0.write($1) }
    for fit in PhraseWeights.Fit.allCases { writer.write(weights.files(fit)) { $0.write($1) } }
    writer.write(realWords)
    writer.write(languages) { $0.write($1) }
    return [
      FlatTable(ContiguousArray(writer.bytes)).block, keywords.entries.block, keywords.bytes.block, spellingList.block,
    ]
  }

  /// Reads what `image` wrote.
  ///
  /// - Parameters:
  ///   - memory: The bytes that the blocks are parts of.
  ///   - blocks: Where in `memory` the blocks lie, each from a multiple of 16.
  /// - Returns: `nil` if the blocks do not hold a taxonomy. Whatever they hold, a taxonomy read from them is sound.
  public init?(image memory: FlatMemory, blocks: [Range<Int>]) { self.init(image: memory, blocks: blocks, beside: nil) }

  /// What is compiled in beside an image, and taken as it is.
  package struct Embedded {
    let texts: FlatTable<UInt8>
    let rows: KeywordRows

    /// - Parameters:
    ///   - texts: The keywords' texts.
    ///   - count: The number of keywords.
    ///   - rows: Gives the bytes of their rows when the first one is looked at.
    package init(texts: FlatTable<UInt8>, count: Int, rows: @escaping @Sendable () -> FlatMemory) {
      self.texts = texts
      self.rows = KeywordRows(count: count) { FlatTable(rows(), at: 0, count: count) }
    }
  }

  /// - Parameters:
  ///   - beside: The keywords' rows and texts, where the image has none.
  ///   - isOwn: Whether the image is known to be as the user's own process wrote it, so that the keywords' rows need no check.
  package init?(image memory: FlatMemory, blocks: [Range<Int>], beside: Embedded? = nil, isOwn: Bool = false) {
    guard blocks.count == Self.blockCount, memory.holds(blocks) else { return nil }
    var reader = ImageReader(UnsafeRawBufferPointer(start: memory.start + blocks[0].lowerBound, count: blocks[0].count))
    let stride = MemoryLayout<KeywordTable.Entry>.stride
    guard let store = reader.text(), let name = reader.text(), let fallback = reader.number(),
      let sections = reader.list({ $0.section() }), (1...255).contains(sections.count), fallback < sections.count,
      let order = reader.list({ $0.place(below: sections.count).map(SectionID.init) }),
      let shelves = reader.list({ reader in
        reader.text().flatMap { name in
          reader.place(below: sections.count).map { Shelf(name: name, section: SectionID(rawValue: $0)) }
        }
      }), let paths = reader.list({ $0.text() }), let moves = reader.list({ Self.move(&$0, shelfCount: shelves.count) }),
      let patternPaths = reader.list({ $0.text() }),
      let patterns = reader.list({
        Self.pattern(&$0, paths: patternPaths, sectionCount: sections.count, shelfCount: shelves.count)
      }), patterns.count <= Pattern.maximumCount, let numbers = reader.list({ $0.number() }),
      let phraseFiles = reader.list({ $0.text() }), let voiceFiles = reader.list({ $0.text() }),
      let weights = PhraseWeights(numbers: numbers, files: [phraseFiles, voiceFiles]),
      let realWords = reader.text(),
      blocks[1].count % stride == 0, beside != nil || blocks[2].count >= Batch.padding
    else { return nil }
    let keywords =
      beside.map { KeywordTable(bytes: $0.texts, rows: $0.rows, paths: paths) }
      ?? KeywordTable(
        bytes: FlatTable(memory, at: blocks[2].lowerBound, count: blocks[2].count),
        entries: FlatTable(memory, at: blocks[1].lowerBound, count: blocks[1].count / stride), paths: paths)
    guard isOwn || beside != nil || keywords.isSound(sectionCount: sections.count, shelfCount: shelves.count) else { return nil }
    self.store = store
    self.name = name
    self.sections = sections
    self.fallback = SectionID(rawValue: UInt16(fallback))
    matchOrder = order
    self.shelves = shelves
    self.moves = moves
    spellingList = .image(FlatTable(memory, at: blocks[3].lowerBound, count: blocks[3].count))
    self.patterns = patterns
    self.weights = weights
    self.realWords = realWords
    // An image from before there were languages ends here.
    languages = reader.list { $0.language() } ?? []
    self.keywords = keywords
  }

  private static func move(_ reader: inout ImageReader, shelfCount: Int) -> Move? {
    guard let word = reader.text(), let from = reader.list({ $0.place(below: shelfCount).map(ShelfID.init) }),
      let to = reader.place(below: shelfCount), let location = reader.location()
    else { return nil }
    return Move(word: word, from: from, to: ShelfID(rawValue: to), location: location)
  }
}

extension Taxonomy {
  /// The files that patterns stand in; a pattern's examples stand in the same.
  private var patternPaths: [String] { Array(Set(patterns.map(\.location.path))).sorted() }

  private static func pattern(
    _ reader: inout ImageReader, paths: [String], sectionCount: Int, shelfCount: Int
  ) -> Pattern? {
    func location(_ reader: inout ImageReader, _ path: String) -> SourceLocation? {
      guard let line = reader.number(), let column = reader.number() else { return nil }
      return SourceLocation(path: path, line: line, column: column)
    }
    guard let name = reader.text(), let expression = reader.text(), expression.utf8.count <= Pattern.maximumBytes,
      let shelf = reader.place(below: shelfCount + 1), let section = reader.place(below: sectionCount),
      let bits = reader.number(), let path = reader.place(below: paths.count).map({ paths[Int($0)] }),
      let place = location(&reader, path)
    else { return nil }
    func examples(_ reader: inout ImageReader) -> [Pattern.Example]? {
      reader.list { reader in reader.text().flatMap { item in location(&reader, path).map { Pattern.Example(item, at: $0) } } }
    }
    let confidence = Float(bitPattern: UInt32(bits))
    guard let matches = examples(&reader), let rejects = examples(&reader), confidence > 0, confidence <= 1 else { return nil }
    return Pattern(
      name: name, expression: expression, shelf: shelf == 0 ? nil : ShelfID(rawValue: shelf - 1),
      section: SectionID(rawValue: section), confidence: confidence, matches: matches, rejects: rejects, location: place)
  }
}

/// A taxonomy's spellings: as they were given, or as an image has them.
enum SpellingList: Sendable {
  case given([Spelling])
  case image(FlatTable<UInt8>)

  /// The spellings; of a damaged image none.
  var all: [Spelling] {
    switch self {
    case .given(let spellings): return spellings
    case .image(let bytes):
      var reader = ImageReader(UnsafeRawBufferPointer(bytes.elements))
      return reader.list { reader in
        guard let variant = reader.text(), let standard = reader.text(), let location = reader.location() else { return nil }
        return Spelling(variant: variant, standard: standard, location: location)
      } ?? []
    }
  }

  var block: FlatBlock {
    switch self {
    case .image(let bytes): return bytes.block
    case .given(let spellings):
      var writer = ImageWriter()
      writer.write(spellings) {
        $0.write($1.variant); $0.write($1.standard); $0.write($1.location)
      }
      return FlatTable(ContiguousArray(writer.bytes)).block
    }
  }
}
