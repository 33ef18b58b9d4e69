import Foundation
import Testing

/// Corrections and suggestions as JSON lines.
@Suite struct CorrectionFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let corrections = """
    {"store":"corner","item":"Crème \\"brûlée\\" ☕️","section":"Front","by":"jané","time":"1969-12-31T23:59:59.999Z"}
    {"store":"kroger","item":"a\\tb\\u001b","section":"No Such","shelf":"no-such","by":"llm","model":"m/1:x","time":"2026-11-21T16:03:42Z"}
    {"store":"kroger","item":"ＯＡＴ milk","section":"Snacks","by":"x","time":"9999-12-31T23:59:59.999Z"}

    """

  private static let suggestions = """
    {"store":"kroger","item":"kale","from":"Snacks","to":"Produce","by":"llm","time":"2026-11-21T16:03:42Z","state":"pending"}
    {"store":"kroger","item":"leek","from":"Snacks","to":"Produce","shelf":"greens","confidence":0.30000000000000004,"list":"a/b \\"c\\"","by":"llm","model":"m","time":"2026-11-21T16:03:42.001Z","state":"dismissed"}
    {"store":"corner","item":"rye","from":"Front","to":"Back Room","by":"x","time":"2026-11-21T16:03:42Z","state":"accepted"}

    """

  @Test(
    "What is exported is imported again without loss", arguments: [("corrections", corrections), ("suggestions", suggestions)])
  func roundTrip(kind: String, lines: String) throws {
    let imported = try aisle(kind, "import", "-", input: lines, in: folder)
    #expect(imported.diagnostics.hasPrefix("\(kind): 3 new, 0 changed, 0 unchanged\n"))
    #expect(try aisle(kind, "export", in: folder).text == lines)
    try folder.write(lines.replacing("\n", with: "\r\n\r\n"), to: "again.jsonl")
    let again = try aisle(kind, "import", "again.jsonl", in: folder)
    #expect(again.diagnostics.hasPrefix("\(kind): 0 new, 0 changed, 3 unchanged\n"))
    #expect(try aisle(kind, "export", "--db", "other.db", in: folder).text == "")
  }

  @Test("A line that cannot be kept is named, and a byte order mark is none of the first", arguments: ["import", "merge"])
  func namedLines(command: String) throws {
    func line(_ item: String, _ section: String) -> String {
      "{\"store\":\"kroger\",\"item\":\"\(item)\",\"section\":\"\(section)\",\"by\":\"x\",\"time\":\"2026-11-21T16:03:42Z\"}\n"
    }
    for (wrong, what) in [
      (line("!!", "Snacks"), "letter or digit"), (line("kale", ""), "section"), (line("🧻 2", "Snacks"), "no word"),
    ] {
      try folder.write(line("oats", "Snacks") + wrong, to: "wrong.jsonl")
      let refused = try aisle("corrections", command, "wrong.jsonl", in: folder)
      #expect(refused.ending == .exited(2) && refused.diagnostics.hasPrefix("aisle: wrong.jsonl:2: "), "\(refused.diagnostics)")
      #expect(refused.diagnostics.contains(what), "\(refused.diagnostics)")
    }
    try folder.write("\u{FEFF}" + line("oats", "Snacks"), to: "marked.jsonl")
    let taken = try aisle("corrections", command, "marked.jsonl", in: folder)
    #expect(taken.ending == .exited(0) && taken.diagnostics.hasPrefix("corrections: 1 new"), "\(taken.diagnostics)")
  }

  @Test("Corrections for a store or section that is not there are taken in, and it is said", arguments: ["import", "merge"])
  func unused(command: String) throws {
    func line(_ store: String, _ item: String, _ section: String) -> String {
      "{\"store\":\"\(store)\",\"item\":\"\(item)\",\"section\":\"\(section)\",\"by\":\"x\",\"time\":\"2026-11-21T16:03:42Z\"}\n"
    }
    let lines =
      line("kroger", "kale", "Snaks") + line("kroger", "leek", "Snacks") + line("krogr", "a", "X") + line("krogr", "b", "Y")
    let finished = try aisle("corrections", command, "-", input: lines, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(
      finished.diagnostics.hasSuffix(
        """
        aisle: kroger has no section `Snaks` (did you mean `Snacks`?): the correction for it is not used until that section exists
        aisle: there is no store `krogr` (did you mean `kroger`?): its 2 corrections are not used until it exists

        """), "\(finished.diagnostics)")
    #expect(try aisle("corrections", "export", in: folder).text == lines)
    #expect(
      try aisle("corrections", in: folder).diagnostics == """
        aisle: there is no store `krogr` (did you mean `kroger`?): its 2 corrections are not used until it exists
        1 is an orphan: the store has no such section; `aisle stores rename-section` gives it another

        """)
    let sound = try aisle("corrections", command, "-", input: line("kroger", "leek", "Snacks"), in: folder)
    #expect(!sound.diagnostics.contains("aisle: "))
    let many = (0..<9).map { line("s\($0)", "kale", "X") }.joined()
    #expect(
      try aisle("corrections", command, "-", input: many, in: folder).diagnostics.hasSuffix(
        "\naisle: 4 more stores or sections do not exist\n"))
  }

  static let badLines: [(String, String, String)] = [
    ("corrections", "{\"store\":\"kroger\"}", "field `item` is missing"), ("corrections", "{", "bad JSON"),
    ("corrections", "[]", "bad JSON"),
    ("corrections", "{\"stor\":\"kroger\"}", "unknown field `stor`"),
    ("corrections", "{\"item\":\"a\",\"item\":\"b\"}", "appears twice"),
    ("corrections", "{\"store\":7}", "must be a string"),
    ("corrections", "{\"store\":\"kroger\",\"item\":[]}", "field `item` must be a string"),
    (
      "corrections", "{\"store\":\"kroger\",\"item\":\"a\",\"section\":\"S\",\"by\":\"x\",\"time\":\"yesterday\"}",
      "field `time`: `yesterday` must have the form"
    ),
    (
      "corrections", "{\"store\":\"kroger\",\"item\":\"a\",\"section\":\"S\",\"by\":\"x\",\"time\":\"2026-02-30T00:00:00Z\"}",
      "must have the form"
    ),
    (
      "suggestions",
      "{\"store\":\"k\",\"item\":\"a\",\"from\":\"S\",\"to\":\"T\",\"by\":\"x\",\"time\":\"2026-11-21T16:03:42Z\",\"state\":\"maybe\"}",
      "no state `maybe`"
    ),
    ("suggestions", "{\"confidence\":\"high\"}", "is missing"),
  ]

  @Test("A line that is wrong is named, and none is taken in", arguments: badLines.indices)
  func badLine(row: Int) throws {
    let (kind, line, message) = Self.badLines[row]
    let good = kind == "corrections" ? Self.corrections : Self.suggestions
    try folder.write(good + line + "\n", to: "bad.jsonl")
    for command in kind == "corrections" ? ["import", "merge"] : ["import"] {
      let finished = try aisle(kind, command, "bad.jsonl", in: folder)
      #expect(finished.ending == .exited(2))
      #expect(finished.diagnostics.contains("bad.jsonl:4: ") && finished.diagnostics.contains(message), "\(finished.diagnostics)")
      #expect(try aisle(kind, "export", in: folder).text == "")
    }
  }

  @Test("A merge keeps the newer, reports each conflict on a line, and can be taken back")
  func merge() throws {
    func line(_ item: String, _ section: String, _ year: Int, _ by: String) -> String {
      "{\"store\":\"kroger\",\"item\":\"\(item)\",\"section\":\"\(section)\",\"by\":\"\(by)\",\"time\":\"\(year)-11-21T16:03:42Z\"}\n"
    }
    let mine = line("kale", "Snacks", 2026, "me") + line("leek", "Snacks", 2024, "me") + line("rye", "Snacks", 2026, "me")
    let theirs =
      line("KALE", "Produce", 2025, "them") + line("leek", "Produce", 2025, "them") + line("oats", "Snacks", 2020, "them")
    _ = try aisle("corrections", "import", "-", input: mine, in: folder)
    try folder.write(theirs, to: "theirs.jsonl")
    let merged = try aisle("corrections", "merge", "theirs.jsonl", in: folder)
    #expect(merged.ending == .exited(0))
    #expect(merged.diagnostics == "corrections: 1 new, 1 changed, 1 unchanged; 2 conflicts\n")
    #expect(
      merged.text == """
        kroger\tkale\tSnacks\tme\t2026-11-21T16:03:42Z\tProduce\tthem\t2025-11-21T16:03:42Z
        kroger\tleek\tProduce\tthem\t2025-11-21T16:03:42Z\tSnacks\tme\t2024-11-21T16:03:42Z

        """)
    let again = try aisle("corrections", "merge", "theirs.jsonl", in: folder)
    #expect(again.diagnostics == "corrections: 0 new, 0 changed, 3 unchanged; 1 conflict\n")
    #expect(try aisle("corrections", "undo", in: folder).text == "undone\tmerge 3 corrections\n")
    #expect(try aisle("corrections", "export", in: folder).text == mine)
  }

  @Test("Suggestions are accepted and dismissed by number, with another section, or all")
  func decide() throws {
    let lines = ["kale", "leek", "rye", "oats"].map {
      "{\"store\":\"kroger\",\"item\":\"\($0)\",\"from\":\"Other\",\"to\":\"Produce\",\"by\":\"llm\",\"time\":\"2026-11-21T16:03:42Z\"}\n"
    }
    _ = try aisle("suggestions", "import", "-", input: lines.joined(), in: folder)
    #expect(
      try aisle("suggestions", in: folder).text.hasPrefix(
        "1\tkale\tOther\tProduce\t\tllm\t\t2026-11-21T16:03:42Z\tkroger\tpending\n2\t"))
    #expect(
      try aisle("suggestions", "accept", "1", "--section", "snaks", in: folder).diagnostics.contains("did you mean `Snacks`?"))
    #expect(try aisle("suggestions", "accept", "1", "--section", "snacks", in: folder).text == "kale\tSnacks\n")
    #expect(try aisle("suggestions", "dismiss", "2", in: folder).diagnostics == "dismissed 1 suggestion\n")
    #expect(try aisle("suggestions", "accept", "--all", in: folder).text == "rye\tProduce\noats\tProduce\n")
    #expect(try aisle("suggestions", in: folder).text == "")
    #expect(try aisle("suggestions", "list", "--state", "dismissed", in: folder).text.contains("leek"))
    for (arguments, code) in [(["accept", "9"], 2), (["accept", "1"], 2), (["accept"], 64), (["dismiss", "--all", "3"], 64)] {
      #expect(try RunningAisle(["suggestions"] + arguments, in: folder).finish().ending == .exited(Int32(code)), "\(arguments)")
    }
    _ = try aisle("suggestions", "import", "-", input: lines.joined(), in: folder)
    #expect(try aisle("suggestions", in: folder).text == "", "what was decided is not proposed again")
  }
}
