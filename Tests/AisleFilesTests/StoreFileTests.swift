import AisleCore
import AisleFiles
import Testing

/// The mistakes that people make in a store's YAML file, and the message each gets.
@Suite struct StoreFileTests {
  private static let sound = StoreFolder.soundStore
  private static let fields = "store, name, extends, language, fallback, match_order, sections"

  @Test func `a sound store loads without a finding`() throws {
    let (taxonomy, findings) = try StoreFolder().load()
    #expect(findings == [])
    #expect(taxonomy.store == "small" && taxonomy.name == "Small")
    #expect(taxonomy.sections == [Section(name: "Produce", color: .emerald), Section(name: "Other", color: .gray)])
    #expect(taxonomy[taxonomy.fallback].name == "Other")
    #expect(taxonomy.shelves == [Shelf(name: "fruit", section: SectionID(rawValue: 0))])
    #expect(taxonomy.keywords.map(\.text) == ["apple"])
  }

  private static let mistakes: [(store: String, findings: [String])] = [
    // Fields
    (sound.with("colour: emerald", for: "color: emerald"), ["small.yaml:6:5: unknown field `colour`; did you mean `color`?"]),
    (
      sound.with("hue: emerald", for: "color: emerald"),
      ["small.yaml:6:5: unknown field `hue`; known: name, from, color, shelves, keywords, patterns"]
    ),
    (sound.with("titel: Small", for: "name: Small"), ["small.yaml:2:1: unknown field `titel`; known: \(fields)"]),
    (sound.with("nmae: Small", for: "name: Small"), ["small.yaml:2:1: unknown field `nmae`; did you mean `name`?"]),
    (sound.with("", for: "store: small\n"), ["small.yaml:1:1: missing field `store`"]),
    (
      sound.with("", for: "fallback: Other\n"), ["small.yaml:1:1: missing field `fallback`; name the section for undecided items"]
    ),
    (
      sound.with("  - color: gray", for: "  - name: Other\n    color: gray"),
      ["small.yaml:3:11: no section `Other`", "small.yaml:9:5: missing field `name`"]
    ),
    (sound.with("1: x\nname: Small", for: "name: Small"), ["small.yaml:2:1: unknown field `1`; known: \(fields)"]),
    (
      sound.with("name: Small\nname: Big", for: "name: Small"),
      ["small.yaml:3:1: field `name` appears twice, first on line 2; keep one"]
    ),
    (
      sound.with("store: small\n\"store\" : small", for: "store: small"),
      ["small.yaml:2:1: field `store` appears twice, first on line 1; keep one"]
    ),
    (
      sound.with("- name: Other\n    name: Others", for: "- name: Other"),
      ["small.yaml:10:5: field `name` appears twice, first on line 9; keep one"]
    ),
    (sound + "  - {name: A, name: B}\n", ["small.yaml:11:6: field `name` appears twice; keep one"]),
    (
      sound.with("color: emerald\n    color: red", for: "color: emerald"),
      ["small.yaml:7:5: field `color` appears twice, first on line 6; keep one"]
    ),
    // Values
    (
      sound.with("store: big", for: "store: small"),
      ["small.yaml:1:8: store id `big` differs from the file's name; write `store: small`"]
    ),
    (
      sound.with("store: Small", for: "store: small"),
      [
        "small.yaml:1:8: store id `Small` may have only a-z, 0-9, and hyphens",
        "small.yaml:1:8: store id `Small` differs from the file's name; write `store: small`",
      ]
    ),
    (sound.with("fallback: Othr", for: "fallback: Other"), ["small.yaml:3:11: no section `Othr`; did you mean `Other`?"]),
    (
      sound.with("fallback: [Other]", for: "fallback: Other"),
      ["small.yaml:3:11: expected a single value here, not a list or fields"]
    ),
    (sound.with("color: emrald", for: "color: emerald"), ["small.yaml:6:12: unknown color `emrald`; did you mean `emerald`?"]),
    (sound.with("color: '#00ff00'", for: "color: emerald"), ["small.yaml:6:12: unknown color `#00ff00`"]),
    (sound.with("color: {a: b}", for: "color: emerald"), ["small.yaml:6:12: expected a single value here, not a list or fields"]),
    (
      sound.with("name: ''", for: "name: Produce"),
      ["small.yaml:5:11: a section's name must have 1 to 100 bytes and no control characters"]
    ),
    (
      sound.with("name: \(String(repeating: "x", count: 101))", for: "name: Produce"),
      ["small.yaml:5:11: a section's name must have 1 to 100 bytes and no control characters"]
    ),
    (
      sound.with("name: \"Pro\\tduce\"", for: "name: Produce"),
      ["small.yaml:5:11: a section's name must have 1 to 100 bytes and no control characters"]
    ),
    (sound.with("name: '  '", for: "name: Produce"), ["small.yaml:5:11: a section's name must not be blank"]),
    // Lists
    (
      sound.with("shelves: fruit", for: "shelves:\n      - fruit"),
      [
        "shelves/fruit.txt: shelf `fruit` has no place in store `small`; add it to a section's `shelves` in small.yaml",
        "small.yaml:7:14: expected a list; write one `- entry` per line",
      ]
    ),
    (
      sound.with("- [fruit]", for: "- fruit"),
      [
        "shelves/fruit.txt: shelf `fruit` has no place in store `small`; add it to a section's `shelves` in small.yaml",
        "small.yaml:8:9: expected a single value here, not a list or fields",
      ]
    ),
    (
      "store: small\nfallback: Other\nsections: Produce\n",
      [
        "small.yaml:1:8: no sections; a store needs at least one",
        "small.yaml:3:11: `sections` must be a list; begin each section with `- name:`",
      ]
    ),
    (
      "store: small\nfallback: Other\n",
      [
        "small.yaml:1:1: missing field `sections`",
        "small.yaml:1:8: no sections; a store needs at least one",
      ]
    ),
    (
      "store: small\nfallback: Other\nsections: []\n",
      [
        "small.yaml:1:8: no sections; a store needs at least one"
      ]
    ),
    (
      sound.with("- Produce\n  - name: Produce", for: "- name: Produce"),
      [
        "small.yaml:5:5: a section must be `field: value` lines (name, from, color, shelves, keywords, patterns)"
      ]
    ),
    (sound + "  - name: Produce\n", ["small.yaml:11:11: section `Produce` appears twice; merge the two"]),
    (sound + "match_order: [Other]\n", ["small.yaml:5:11: section `Produce` is missing from `match_order`; add it"]),
    (
      sound + "match_order: [Other, Produce, Other]\n",
      ["small.yaml:11:31: section `Other` appears twice in `match_order`; only the first one counts, so remove the other"]
    ),
    (sound + "match_order: [Other, Prodouce, Produce]\n", ["small.yaml:11:22: no section `Prodouce`; did you mean `Produce`?"]),
    (
      sound + "    keywords: ['', '~']\n",
      [
        "small.yaml:11:16: the keyword is missing; write a word or remove the entry",
        "small.yaml:11:20: the keyword is missing; write a word or remove the entry",
      ]
    ),
    (
      sound + "    keywords:\n      - candle\n      - !zelato\n      - !zelato  # ices\n",
      [
        #"small.yaml:13:9: `!zelato` is a YAML tag, not text; quote it: "!zelato""#,
        #"small.yaml:14:9: `!zelato` is a YAML tag, not text; quote it: "!zelato""#,
      ]
    ),
    (
      sound + "    keywords: [!crema cream, ! ice, !!str 7, '!']\n",
      [
        #"small.yaml:11:16: `!crema` is a YAML tag, not text; quote it: "!crema cream""#,
        #"small.yaml:11:30: `!` is a YAML tag, not text; quote it: "! ice""#,
        "small.yaml:11:46: the keyword is missing; write a word or remove the entry",
      ]
    ),
    (
      sound + "    keywords: [~crisp, ?crunchy]\n",
      [#"small.yaml:11:24: `?` inside brackets means a field name in YAML, not text; quote it: "?crunchy""#]
    ),
    (sound + "    keywords:\n      - ~crisp\n      - ?crunchy\n", []),
    (
      sound + "    keywords:\n      - @home\n",
      [
        "small.yaml:12:9: not valid YAML: a character that values cannot begin with; quote text that begins with `@`"
      ]
    ),
    // YAML itself
    (
      sound.with("name: 'Small", for: "name: Small"),
      ["small.yaml:2:7: quoted text must end on its line; close the quote or write the text on one line"]
    ),
    (
      sound.with("name: Small: Big", for: "name: Small"),
      [
        "small.yaml:2:12: not valid YAML: `: ` inside a value, or a line that is indented too far; put quotation marks around a value with `: ` in it"
      ]
    ),
    (
      sound.with("\tname: Small", for: "name: Small"),
      ["small.yaml:2:1: not valid YAML: a tab at the beginning of a line; indent with spaces"]
    ),
    (sound + "---\nstore: small\n", ["small.yaml:11:1: not valid YAML: `---` begins a second document; keep one"]),
    ("- store\n", ["small.yaml:1:1: the file must be `field: value` lines (\(fields))"]),
    ("just text\n", ["small.yaml:1:1: the file must be `field: value` lines (\(fields))"]),
    ("", ["small.yaml: the file is empty; see taxonomies/README.md for the format"]),
    ("# only a comment\n", ["small.yaml: the file is empty; see taxonomies/README.md for the format"]),
    ("\u{FEFF}", ["small.yaml: the file is empty; see taxonomies/README.md for the format"]),
  ]

  @Test(arguments: mistakes) func `a mistake is reported where it stands, with what to do`(store: String, expected: [String])
    throws
  {
    try expect(expected, in: store)
  }

  @Test func `a byte order mark and CR-LF are no trouble, and places stay right`() throws {
    try expect([], in: "\u{FEFF}" + Self.sound)
    try expect(
      [
        "small.yaml:1:8: store id `big` differs from the file's name; write `store: small`"
      ], in: "\u{FEFF}" + Self.sound.with("big", for: "small"))
    let windows = Self.sound.with("emrald", for: "emerald").with("\r\n", for: "\n")
    try expect(["small.yaml:6:12: unknown color `emrald`; did you mean `emerald`?"], in: windows)
  }

  @Test func `columns count bytes, also behind letters of several bytes`() throws {
    let store = Self.sound.with("- {name: Crème, color: emrald}\n  - name: Produce", for: "- name: Produce")
    try expect(["small.yaml:5:27: unknown color `emrald`; did you mean `emerald`?"], in: store)
    let keywords = Self.sound + "    keywords: [crème brûlée, '']\n"
    try expect(["small.yaml:11:33: the keyword is missing; write a word or remove the entry"], in: keywords)
  }

  @Test func `a section's own keyword knows where its text begins`() throws {
    let store = Self.sound + "    keywords:\n      - candle\n      - ~wax\n      - \"!gelato\"\n"
    let (taxonomy, findings) = try StoreFolder(store).load()
    #expect(findings == [])
    let own = taxonomy.keywords.filter { $0.shelf == nil }
    #expect(own.map { "\($0.strength.sign)\($0.text) \($0.location.line)" } == ["candle 12", "~wax 13", "!gelato 14"])
    #expect(own.prefix(2).map(\.location.column) == [9, 10])
  }

  @Test func `a comment may have a ruler, and a keyword brackets and dashes`() throws {
    let ruler = "# " + String(repeating: "-", count: 100) + "\n# " + String(repeating: "[", count: 100) + "\n"
    try expect([], in: ruler + Self.sound)
    try expect([], in: Self.sound + "    keywords: ['--------------------------------------------a']\n")
  }

  // MARK: Hostile files

  private static let noAnchors = "YAML anchors (`&name`) are not allowed; write the value out where it is used"
  private static let noAliases = "YAML aliases (`*name`) are not allowed; write the value out"

  private static let references: [(store: String, finding: String)] = [
    (sound.with("name: &n Small", for: "name: Small"), "small.yaml:2:7: \(noAnchors)"),
    (sound.with("name: &n Small", for: "name: Small").with("color: *n", for: "color: gray"), "small.yaml:2:7: \(noAnchors)"),
    (sound.with("name: *n", for: "name: Small"), "small.yaml:2:7: \(noAliases)"),
    (sound.with("- &f fruit", for: "- fruit"), "small.yaml:8:9: \(noAnchors)"),
    (sound.with("- &p name: Produce", for: "- name: Produce"), "small.yaml:5:5: \(noAnchors)"),
    (sound + "match_order: [Other, *o]\n", "small.yaml:11:22: \(noAliases)"),
    ("&a\n" + sound, "small.yaml:1:1: \(noAnchors)"),
    ("<<: *a\n" + sound, "small.yaml:1:5: \(noAliases)"),
    ("*a : x\n" + sound, "small.yaml:1:1: \(noAliases)"),
    ("? *a\n: x\n" + sound, "small.yaml:1:3: \(noAliases)"),
    ("!!map &a\n" + sound, "small.yaml:1:7: \(noAnchors)"),
  ]

  @Test(arguments: references) func `anchors and aliases are refused where they stand`(store: String, finding: String) throws {
    try expect([finding], in: store)
  }

  private static let unended = "quoted text must end on its line; close the quote or write the text on one line"
  private static let otherLineEnd = "a line ending is neither LF nor CRLF; save the file with one of those"

  /// Ways to make a quotation mark, a comment or a bracket seem to hide an anchor or alias from who does not parse.
  private static let disguises: [(store: String, finding: String)] = [
    (
      sound.with("name: |\n  \"\nx: &a [b]", for: "name: Small"),
      "small.yaml:2:7: multiline text (`|`) is not allowed; write the text on one line"
    ),
    (
      sound.with("name: >-\n  'x\nx: &a [b]", for: "name: Small"),
      "small.yaml:2:7: multiline text (`>`) is not allowed; write the text on one line"
    ),
    (sound.with("name: Small\n  \"\nx: &a [b]", for: "name: Small"), "small.yaml:3:3: \(unended)"),
    (sound.with("name: Small\n  'x\nx: &a [b]", for: "name: Small"), "small.yaml:3:3: \(unended)"),
    (sound + "x: [a\n  \"b, *x, \"]\n", "small.yaml:12:7: \(noAliases)"),
    (sound + "x: [a\n  'b, &x c, ']\n", "small.yaml:12:7: \(noAnchors)"),
    (sound + "x: [a\n  - \"b,*x, \"]\n", "small.yaml:12:8: \(noAliases)"),
    (sound + "x: [a:\"b, *x, \"]\n", "small.yaml:11:11: \(noAliases)"),
    (sound + "x: [a:\"\\\", *x, \"]\n", "small.yaml:11:12: \(noAliases)"),
    (sound + "x: ['a'' # ', *x]\n", "small.yaml:11:15: \(noAliases)"),
    (sound + "x: [!t,*x]\n", "small.yaml:11:8: \(noAliases)"),
    (sound + "x: [!<a]> b, *x]\n", "small.yaml:11:14: \(noAliases)"),
    (sound + "x: [?*x]\n", "small.yaml:11:6: \(noAliases)"),
    ("--- [&x [a], &y [*x]]\n", "small.yaml:1:6: \(noAnchors)"),
    ("... *x\n", "small.yaml:1:5: \(noAliases)"),
    ("- a\r- &x b\r- *x\n", "small.yaml:1:4: \(otherLineEnd)"),
    ("- a # \r- &x b\n", "small.yaml:1:7: \(otherLineEnd)"),
    ("- a # \u{85}- &x b\n", "small.yaml:1:7: \(otherLineEnd)"),
    ("- a # \u{2028}- &x b\n", "small.yaml:1:7: \(otherLineEnd)"),
  ]

  @Test(arguments: disguises) func `what hides an anchor or alias is refused`(store: String, finding: String) throws {
    try expect([finding], in: store)
  }

  @Test func `quoted texts in brackets may hold ampersands, stars and quotation marks`() throws {
    let keywords = #"""
          keywords: ['it''s, &b # c', "a \", *b", '[&x', "&c",
            "d, *e", 'f |', "> g"]

      """#
    try expect([], in: Self.sound + keywords)
    try expect([], in: Self.sound.with("--- # A store.\nstore: small", for: "store: small").with("\r\n", for: "\n"))
  }

  @Test func `an alias bomb behind a block text is refused before it goes off`() throws {
    let lines = Self.bomb.split(separator: "\n").prefix(6).joined(separator: "\n")
    let found = try findings("name: |\n  \"\n\(lines)\n? *f\n: x\n" + Self.sound)
    #expect(found == ["small.yaml:1:7: multiline text (`|`) is not allowed; write the text on one line"])
  }

  @Test func `an ampersand or a star inside a text is neither`() throws {
    let store = Self.sound.with("Meat & Seafood *", for: "Produce").with("\"&Produce\" # &a *b", for: "Small")
    try expect([], in: store + "    keywords: ['*star', 'a, &b', half & half, m&ms, 5* flour]\n")
  }

  /// Nine lines that expand to 9⁹ texts.
  private static let bomb: String = {
    var lines = ["a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    for (name, before) in zip("bcdefghi", "abcdefgh") {
      lines.append("\(name): &\(name) [" + Array(repeating: "*\(before)", count: 9).joined(separator: ", ") + "]")
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  @Test func `an alias bomb is refused before it goes off, also as a field's name, which is hashed with all it expands to`()
    throws
  {
    try expect(["small.yaml:1:4: \(Self.noAnchors)"], in: Self.bomb + Self.sound)
    try expect(["small.yaml:1:14: \(Self.noAnchors)"], in: Self.bomb.with("match_order: &a", for: "a: &a") + Self.sound)
    let lines = Self.bomb.split(separator: "\n").prefix(6).joined(separator: "\n")  // All nine would take a minute to go off.
    try expect(["small.yaml:1:4: \(Self.noAnchors)"], in: lines + "\n? *f\n: x\n" + Self.sound)
  }

  @Test(arguments: [
    ("", "[", 1), ("", "- ", 1), ("", "? ", 1), ("", "{a: ", 1), ("", "[\n", 33), ("store: small\nname: ", "{\"a\":[", 2),
    ("a:\n", "[{\n", 18),
  ]) func `a file that nests too deep is refused with its line`(start: String, piece: String, line: Int) throws {
    try expect(
      ["small.yaml:\(line): nested more than 32 levels deep; a store file needs only 6"],
      in: start + String(repeating: piece, count: 200_000))
  }

  @Test(arguments: [500, 999, 2_000]) func `a file that nests by indentation is a finding, not a crash`(depth: Int) throws {
    let mappings = (0..<depth).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(try !findings(mappings).isEmpty)
    let lists = (0..<depth).map { String(repeating: " ", count: $0) + "-\n" }.joined()
    #expect(try !findings(lists).isEmpty)
  }

  @Test func `control characters in a name are not shown raw`() throws {
    let found = try findings(Self.sound.with("color: \"\\e[31m\\a\"", for: "color: emerald"))
    #expect(found.count == 1)
    #expect(
      found.allSatisfy { line in !line.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } },
      "\(found.map(\.debugDescription))")
  }

  @Test(
    arguments: [
      ([0x00], "NUL byte; save the file as plain UTF-8 text"),
      ([0xFF], "not valid UTF-8; save the file as UTF-8"),
      ([0xC3], "not valid UTF-8; save the file as UTF-8"),
      ([0xED, 0xA0, 0x80], "not valid UTF-8; save the file as UTF-8"),
      ([0xC0, 0xAF], "not valid UTF-8; save the file as UTF-8"),
    ] as [([UInt8], String)]) func `what is no text is refused where it stands`(bytes: [UInt8], message: String) throws
  {
    let folder = try StoreFolder()
    try folder.write("small.yaml", Array("store: small\nname: Crè".utf8) + bytes + Array("me\n".utf8))
    #expect(
      try folder.findings()
        == [
          "shelves/fruit.txt: shelf `fruit` has no place in store `small`; add it to a section's `shelves` in small.yaml",
          "small.yaml:2:11: \(message)",
        ].filter { $0.hasPrefix("small") })
    try folder.write("small.yaml", StoreFolder.soundStore)
    try folder.write("shelves/fruit.txt", Array("apple\n\npear ".utf8) + bytes)
    #expect(try folder.findings() == ["shelves/fruit.txt:3:6: \(message)"])
  }
}
