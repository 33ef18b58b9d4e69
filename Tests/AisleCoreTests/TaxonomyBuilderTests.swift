import AisleCore
import Testing

@Suite struct TaxonomyBuilderTests {
  /// The keywords of a shelf with these lines, as `sign text line:column`, and the findings.
  private func read(_ lines: String) -> (keywords: [String], findings: [String]) {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let section = builder.addSection(Section(name: "Pantry", color: .orange))
    builder.addShelf("shelf", lines: lines, section: section)
    let findings = builder.findings.map(\.description)
    return (
      builder.build().keywords.map { "\($0.strength.sign)\($0.text) \($0.location.line):\($0.location.column)" }, findings
    )
  }

  // MARK: Shelves

  @Test(arguments: [
    ("milk\noat milk\n", ["milk 1:1", "oat milk 2:1"]),
    ("milk", ["milk 1:1"]),
    ("", []),
    ("\n\n\n", []),
    ("# a comment\nmilk # another\n  # indented\neggs", ["milk 2:1", "eggs 4:1"]),
    ("milk\t# after a tab\n", ["milk 1:1"]),
    ("c#\n#\nno#comment\n", ["c# 1:1", "no#comment 3:1"]),
    ("milk\r\neggs\r\n# c\r\n\r\nbread\r\n", ["milk 1:1", "eggs 2:1", "bread 5:1"]),
    ("\u{FEFF}milk\neggs\n", ["milk 1:1", "eggs 2:1"]),
    ("\u{FEFF}# comment\neggs\n", ["eggs 2:1"]),
    ("\u{FEFF}", []),
    ("  milk  \n\teggs\t\n", ["milk 1:3", "eggs 2:2"]),
    ("~lemon\n!gelato\n?reserve\nmilk\n", ["~lemon 1:2", "!gelato 2:2", "?reserve 3:2", "milk 4:1"]),
    ("~ lemon\n  !\tgelato\n", ["~lemon 1:3", "!gelato 2:5"]),
    ("crème fraîche\n  豆腐 # tofu\n", ["crème fraîche 1:1", "豆腐 2:3"]),
    ("a, b; c\n", ["a, b; c 1:1"]),
  ]) func `a shelf's lines are keywords, with their strength and place`(lines: String, expected: [String]) {
    let (keywords, findings) = read(lines)
    #expect(keywords == expected)
    #expect(findings == [])
  }

  @Test func `a keyword knows its shelf, its section and its file`() {
    let taxonomy = SmallStore.taxonomy
    let keyword = taxonomy.keywords[KeywordID(rawValue: 3)]
    #expect(keyword.text == "oat milk" && keyword.strength == .good)
    #expect(keyword.shelf.map { taxonomy[$0].name } == "milk")
    #expect(keyword.section == SmallStore.dairy)
    #expect(keyword.location == SourceLocation(path: "shelves/milk.txt", line: 2, column: 1))
    #expect(taxonomy.keywords.count == 5)
  }

  @Test(arguments: [
    ("~\n", "shelves/shelf.txt:1:1: the keyword is missing; write a word or remove the entry"),
    ("milk\n  !  # gelato\n", "shelves/shelf.txt:2:3: the keyword is missing; write a word or remove the entry"),
    (
      "milk\n" + String(repeating: "x", count: 201) + "\n",
      "shelves/shelf.txt:2:1: the keyword has 201 bytes; shorten it to at most 200"
    ),
  ]) func `a line that is no keyword is a finding, and the others are read`(lines: String, finding: String) {
    let (keywords, findings) = read(lines + "eggs\n")
    #expect(findings == [finding])
    #expect(keywords.last?.hasPrefix("eggs ") == true)
  }

  // MARK: Sections

  @Test func `a section's own keyword stands on no shelf`() {
    var builder = SmallStore.builder()
    let location = SourceLocation(path: "small.yaml", line: 9, column: 7)
    builder.addKeyword("~seitan", section: SmallStore.produce, at: location)
    builder.addKeyword("", section: SmallStore.produce, at: location)
    #expect(builder.findings.map(\.description) == ["small.yaml:9:7: the keyword is missing; write a word or remove the entry"])
    let keyword = builder.build().keywords.last
    #expect(keyword?.text == "seitan" && keyword?.strength == .flavor && keyword?.shelf == nil)
    #expect(keyword?.location.description == "small.yaml:9:8")
  }

  @Test func `sections, shelves and the fallback are found by name and number`() {
    let taxonomy = SmallStore.taxonomy
    #expect(taxonomy.store == "small" && taxonomy.name == "Small")
    #expect(taxonomy.section(named: "Pantry") == SmallStore.pantry)
    #expect(taxonomy.section(named: "pantry") == nil)
    #expect(taxonomy.shelf(named: "spices").map { taxonomy[$0].section } == SmallStore.pantry)
    #expect(taxonomy.shelf(named: "spice") == nil)
    #expect(taxonomy[taxonomy.fallback].name == "Other")
    #expect(taxonomy[SectionID(rawValue: 99)].name == "Other")
  }

  @Test func `match order is walking order unless said`() {
    #expect(SmallStore.taxonomy.matchOrder.map(\.rawValue) == [0, 1, 2, 3])
    var builder = SmallStore.builder()
    builder.setMatchOrder([SmallStore.pantry, SmallStore.produce])
    #expect(builder.build().matchOrder == [SmallStore.pantry, SmallStore.produce])
  }

  @Test func `a taxonomy of nothing still has a section for everything`() {
    let taxonomy = TaxonomyBuilder(store: "empty", name: "Empty").build()
    #expect(taxonomy.sections == [Section(name: "Other", color: .gray)])
    #expect(taxonomy[taxonomy.fallback].name == "Other")
    #expect(taxonomy.keywords.isEmpty)
  }

  // MARK: Moves

  /// The moves as `word: from -> to line`, and the findings.
  private func moves(_ lines: String) -> (moves: [String], findings: [String]) {
    var builder = SmallStore.builder()
    builder.addMoves(lines)
    let findings = builder.findings.map(\.description)
    let taxonomy = builder.build()
    let moves = taxonomy.moves.map { move in
      "\(move.word): \(move.from.map { taxonomy[$0].name }.joined(separator: " ")) -> \(taxonomy[move.to].name) \(move.location.line)"
    }
    return (moves, findings)
  }

  @Test(arguments: [
    ("dried: herbs -> spices\n", ["dried: herbs -> spices 1"]),
    ("# c\n  dried, ground : herbs  milk->spices # c\r\n", ["dried: herbs milk -> spices 2", "ground: herbs milk -> spices 2"]),
    ("powdered: * -> spices", ["powdered:  -> spices 1"]),
    ("\u{FEFF}dried: herbs -> spices", ["dried: herbs -> spices 1"]),
    ("dried:\therbs\tmilk\t->\tspices", ["dried: herbs milk -> spices 1"]),
    ("in oil, with rice: herbs -> spices", ["in oil: herbs -> spices 1", "with rice: herbs -> spices 1"]),
    ("", []),
  ]) func `a line of moves takes goods of some shelves, or all, to another`(lines: String, expected: [String]) {
    let (moves, findings) = moves(lines)
    #expect(moves == expected)
    #expect(findings == [])
  }

  private static let moveForm = "expected `word, word: shelf shelf -> shelf`"

  @Test(arguments: [
    ("dried herbs -> spices", "moves.txt:1:1: \(moveForm)"),
    (
      "snack pack: herbs -> spices",
      "moves.txt:1:1: `snack pack` moves nothing: use one word, or one word after `in` or `with`; a phrase belongs on a shelf"
    ),
    ("dried: herbs spices", "moves.txt:1:1: \(moveForm)"),
    ("dried -> herbs: spices", "moves.txt:1:1: \(moveForm)"),
    ("\n  dried: -> spices", "moves.txt:2:3: \(moveForm)"),
    (": herbs -> spices", "moves.txt:1:1: \(moveForm)"),
    (" , : herbs -> spices", "moves.txt:1:2: \(moveForm)"),
    ("dried: herbs ->", "moves.txt:1:1: no shelf `` in this store"),
    ("dried: herbs -> spice", "moves.txt:1:1: no shelf `spice` in this store; did you mean `spices`?"),
    ("dried: herb -> spices", "moves.txt:1:1: no shelf `herb` in this store; did you mean `herbs`?"),
    ("dried: herbs -> spices milk", "moves.txt:1:1: expected one shelf after `->`, not `spices milk`"),
  ]) func `a line that is no move is a finding, and moves nothing`(lines: String, finding: String) {
    let (moves, findings) = moves(lines)
    #expect(findings == [finding])
    #expect(moves == [])
  }

  // MARK: Spellings

  private func spellings(_ lines: String) -> (spellings: [String], findings: [String]) {
    var builder = SmallStore.builder()
    builder.addSpellings(lines)
    let findings = builder.findings.map(\.description)
    return (builder.build().spellings.map { "\($0.variant) = \($0.standard) \($0.location.line)" }, findings)
  }

  @Test(arguments: [
    ("yoghurt = yogurt\n", ["yoghurt = yogurt 1"]),
    ("# c\r\noj,o.j. = orange juice # c\r\n", ["oj = orange juice 2", "o.j. = orange juice 2"]),
    ("\u{FEFF}yoghurt=yogurt", ["yoghurt = yogurt 1"]),
    ("  jalapeno  ,\tjalepeno = jalapeño", ["jalapeno = jalapeño 1", "jalepeno = jalapeño 1"]),
    ("", []),
  ]) func `a line of spellings has variants and what they stand for`(lines: String, expected: [String]) {
    let (spellings, findings) = spellings(lines)
    #expect(spellings == expected)
    #expect(findings == [])
  }

  private static let spellingForm = "spellings.txt:1:1: expected `variant, variant = standard spelling`"

  @Test(arguments: ["yoghurt", "yoghurt =", "= yogurt", "a = b = c", "yoghurt: yogurt", ", = yogurt"])
  func `a line that is no spelling is a finding, and spells nothing`(lines: String) {
    let (spellings, findings) = spellings(lines)
    #expect(findings == [Self.spellingForm])
    #expect(spellings == [])
  }

  // MARK: Findings

  @Test func `a place shows as much as is known of it`() {
    #expect(SourceLocation(path: "a.yaml").description == "a.yaml")
    #expect(SourceLocation(path: "a.yaml", line: 3).description == "a.yaml:3")
    #expect(SourceLocation(path: "a.yaml", line: 3, column: 9).description == "a.yaml:3:9")
    #expect(Finding(SourceLocation(path: "a.yaml", line: 3), "broken").description == "a.yaml:3: broken")
  }

  @Test func `places order by file, line and column`() {
    let places = [
      SourceLocation(path: "b"), SourceLocation(path: "a", line: 10, column: 1), SourceLocation(path: "a", line: 9, column: 2),
      SourceLocation(path: "a", line: 9, column: 1), SourceLocation(path: "a"),
    ]
    #expect(places.sorted().map(\.description) == ["a", "a:9:1", "a:9:2", "a:10:1", "b"])
  }

  // MARK: Shelf names

  @Test func `a shelf's name is a safe file name`() {
    for name in ["nut-butters", "a", "7-up", String(repeating: "x", count: 64)] { #expect(Shelf.isValid(name: name), "\(name)") }
    for name in [
      "", "Nuts", "nut butters", "../nuts", "/nuts", "nuts.txt", "nüsse", "nuts\0", "nuts\n", String(repeating: "x", count: 65),
    ] {
      #expect(!Shelf.isValid(name: name), "\(name)")
    }
  }

  // MARK: The image

  @Test func `a taxonomy that is written as blocks reads back the same`() throws {
    var builder = SmallStore.builder()
    builder.setFallback(SmallStore.other)
    builder.setMatchOrder([SmallStore.dairy, SmallStore.produce])
    builder.addMoves("dried: herbs -> spices\npowdered: * -> spices\n")
    builder.addSpellings("oj = orange juice\n")
    builder.addKeyword("!crème", section: SmallStore.pantry, at: SourceLocation(path: "small.yaml", line: 3, column: 5))
    let taxonomy = builder.build()
    var bytes: ContiguousArray<UInt8> = []
    var blocks: [Range<Int>] = []
    for block in taxonomy.image() {
      blocks.append(bytes.count..<bytes.count + block.bytes.count)
      bytes += block.bytes
      bytes += [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
    }
    let copy = try #require(Taxonomy(image: FlatMemory(copying: bytes), blocks: blocks))
    #expect(copy.store == taxonomy.store && copy.name == taxonomy.name && copy.sections == taxonomy.sections)
    #expect(copy.fallback == taxonomy.fallback && copy.matchOrder == taxonomy.matchOrder && copy.shelves == taxonomy.shelves)
    #expect(Array(copy.keywords) == Array(taxonomy.keywords))
    #expect(copy.moves == taxonomy.moves && copy.spellings == taxonomy.spellings)
    #expect(Taxonomy(image: FlatMemory(copying: bytes), blocks: Array(blocks.dropLast())) == nil)
    #expect(Taxonomy(image: FlatMemory(copying: bytes), blocks: [0..<8, blocks[1], blocks[2]]) == nil)
  }
}
