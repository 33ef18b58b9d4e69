import AisleFiles
import Testing

/// Changing keywords in files line by line.
struct `A keyword file` {
  private typealias Entry = KeywordFile.Entry

  private static let shelf = """
    # Nuts and what is made of them.
    peanut butter
    ~almond butter   # also raw
    almonds

    # Seeds.
    sunflower seeds

    """

  private static let shelfEntries = [
    Entry(written: "peanut butter", line: 2), Entry(written: "~almond butter", line: 3), Entry(written: "almonds", line: 4),
    Entry(written: "sunflower seeds", line: 7),
  ]

  @Test(
    arguments: [
      ("cashew butter", 4, "after the last that ends alike"), ("pumpkin seeds", 8, "in its own part of the file"),
      ("hazelnut", 8, "at the end where nothing is like it"), ("sunflower oil", 8, "after the one that shares a word"),
    ])
  func `puts a new keyword`(keyword: String, line: Int, why: String) throws {
    var file = KeywordFile(path: "nuts.txt", bytes: Array(Self.shelf.utf8), section: nil)
    file.add(keyword)
    let (bytes, lines) = try file.edited(Self.shelfEntries)
    #expect(lines == [line], "\(why)")
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false)[line - 1] == keyword)
    #expect(text.split(separator: "\n").filter { $0 != keyword } == Self.shelf.split(separator: "\n"))
  }

  @Test func `follows the alphabet where the file does`() throws {
    let words = ["ale", "beer", "cider", "gin", "mead", "rum", "sake", "wine"]
    var file = KeywordFile(path: "drinks.txt", bytes: Array((words.joined(separator: "\n") + "\n").utf8), section: nil)
    file.add("port")
    let edited = try file.edited(words.enumerated().map { Entry(written: $1, line: $0 + 1) })
    #expect(edited.lines == [6])
    #expect(String(decoding: edited.bytes, as: UTF8.self) == "ale\nbeer\ncider\ngin\nmead\nport\nrum\nsake\nwine\n")
  }

  @Test func `removes a keyword with its line, and changes its sign on its line, the comment kept`() throws {
    var file = KeywordFile(path: "nuts.txt", bytes: Array(Self.shelf.utf8), section: nil)
    file.remove(Self.shelfEntries[0])
    file.remove(Self.shelfEntries[1])
    file.add("almond butter", inPlaceOf: Self.shelfEntries[1])
    let edited = try file.edited(Self.shelfEntries)
    #expect(edited.lines == [2])
    #expect(
      String(decoding: edited.bytes, as: UTF8.self)
        == "# Nuts and what is made of them.\nalmond butter   # also raw\nalmonds\n\n# Seeds.\nsunflower seeds\n")
  }

  @Test(arguments: [
    ("kale", "kale\nchard"), ("kale\n", "kale\nchard\n"), ("kale\r\nleek\r\n", "kale\r\nleek\r\nchard\r\n"), ("", "chard\n"),
  ])
  func `keeps the way its lines end`(before: String, after: String) throws {
    var file = KeywordFile(path: "greens.txt", bytes: Array(before.utf8), section: nil)
    file.add("chard")
    let edited = try file.edited(before.split { $0.isNewline }.enumerated().map { Entry(written: String($1), line: $0 + 1) })
    #expect(String(decoding: edited.bytes, as: UTF8.self).trimmed == after.trimmed)
    #expect(!String(decoding: edited.bytes, as: UTF8.self).contains("kalechard"))
  }

  private static let store = """
    store: corner
    fallback: Other
    sections:
      - name: Produce   # what grows
        shelves:
          - greens
      - name: Dairy
        keywords:
          # fats
          - butter   # salted
          - "!gelato"
      - name: Snacks
        keywords: [toffee, '~mint']  # sweets
      - name: Other

    """

  @Test(
    arguments: [
      ("Produce", "kale", "      - greens\n    keywords:\n      - kale\n  - name: Dairy"),
      ("Dairy", "goat butter", "      - butter   # salted\n      - goat butter\n      - \"!gelato\""),
      ("Dairy", "!sorbet", "      - \"!gelato\"\n      - \"!sorbet\"\n  - name: Snacks"),
      ("Snacks", "it's: fudge", "    keywords: [toffee, ~mint, \"it's: fudge\"]  # sweets"),
      ("Other", "~batteries", "  - name: Other\n    keywords:\n      - ~batteries\n"),
    ])
  func `adds a section's own keyword`(section: String, keyword: String, part: String) throws {
    var file = KeywordFile(path: "corner.yaml", bytes: Array(Self.store.utf8), section: section)
    file.add(keyword)
    let (bytes, lines) = try file.edited([])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(part), "\(text)")
    let written = text.split(separator: "\n", omittingEmptySubsequences: false)[lines[0] - 1]
    #expect(written.contains(keyword), "line \(lines[0]) is \(written)")
  }

  @Test(
    arguments: [
      ("Dairy", "butter", "      # fats\n      - \"!gelato\"\n"), ("Snacks", "toffee", "    keywords: [~mint]  # sweets\n"),
    ])
  func `removes a section's own keyword`(section: String, keyword: String, part: String) throws {
    var file = KeywordFile(path: "corner.yaml", bytes: Array(Self.store.utf8), section: section)
    file.remove(Entry(written: keyword, line: 0))
    #expect(String(decoding: try file.edited([]).bytes, as: UTF8.self).contains(part))
  }

  @Test(
    arguments: [
      ("- {name: Dairy, keywords: [milk]}", "section `Dairy` is written in braces; write it with one field per line first"),
      (
        "- name: Dairy\n  keywords: [milk,\n    kefir]",
        "the list spans several lines; write it with one `- keyword` per line first"
      ),
    ])
  func `written in a way that cannot be changed line by line is refused`(text: String, message: String) {
    var file = KeywordFile(path: "corner.yaml", bytes: Array("sections:\n\(text)\n".utf8), section: "Dairy")
    file.add("cream")
    #expect(performing: { try file.edited([]) }, throws: { "\($0)".contains(message) })
  }

  @Test(arguments: [
    (#"[farmer's loaf, rye bread]"#, "[farmer's loaf, rye bread, x y]"),
    (#"["a ] b", 'it''s', c]  # d]"#, #"["a ] b", it's, c, x y]  # d]"#),
    (#"["a \" b", c]"#, #"["a \" b", c, x y]"#), (#"["?reserve", ~oat]"#, #"["?reserve", ~oat, x y]"#),
  ])
  func `in brackets, apostrophes, quotes, and question marks stay what they are`(before: String, after: String) throws {
    var file = KeywordFile(
      path: "corner.yaml", bytes: Array("sections:\n  - name: Dairy\n    keywords: \(before)\n".utf8), section: "Dairy")
    file.add("x y")
    let text = String(decoding: try file.edited([]).bytes, as: UTF8.self)
    #expect(text == "sections:\n  - name: Dairy\n    keywords: \(after)\n", "\(text)")
  }

  private static let walk = ["Produce", "Dairy", "Snacks", "Deli", "Other"]

  @Test(
    arguments: [
      ("sections: []\n# The end.\n", "sections:\n  - name: Snacks\n    keywords:\n      - flapjack\n# The end.\n"),
      ("name: X\n", "name: X\nsections:\n  - name: Snacks\n    keywords:\n      - flapjack\n"),
      (
        "sections:\n- name: Deli\n  keywords:\n  - ham\n",
        "sections:\n- name: Snacks\n  keywords:\n    - flapjack\n- name: Deli\n  keywords:\n  - ham\n"
      ),
      (
        "sections:\n  - name: Dairy\n    keywords:\n      - kefir\nname: X\n",
        "sections:\n  - name: Dairy\n    keywords:\n      - kefir\n  - name: Snacks\n    keywords:\n      - flapjack\nname: X\n"
      ),
      (
        "sections:\n  - name: Dairy\n    keywords: [kefir,\n      quark\n    ]\n\n  # Deli\n  - name: Deli\n",
        "sections:\n  - name: Dairy\n    keywords: [kefir,\n      quark\n    ]\n  - name: Snacks\n    keywords:\n      - flapjack\n\n  # Deli\n  - name: Deli\n"
      ),
      (
        "sections:\n  - name: Dairy\n    keywords: [kefir,\n      quark\n    ]\n# The name.\nname: X\n",
        "sections:\n  - name: Dairy\n    keywords: [kefir,\n      quark\n    ]\n  - name: Snacks\n    keywords:\n      - flapjack\n# The name.\nname: X\n"
      ),
      (
        "sections:\n  - name: Dairy\n    keywords:\n      - kefir\n# The end.\n...\n",
        "sections:\n  - name: Dairy\n    keywords:\n      - kefir\n  - name: Snacks\n    keywords:\n      - flapjack\n# The end.\n...\n"
      ),
    ])
  func `of a store that extends another lists a section where it stands in the store`(before: String, after: String) throws {
    let head = "store: corner\nextends: kroger\n"
    var file = KeywordFile(path: "corner.yaml", bytes: Array((head + before).utf8), section: "Snacks", among: Self.walk)
    file.add("flapjack")
    let (bytes, lines) = try file.edited([])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text == head + after)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false)[lines[0] - 1].hasSuffix("- flapjack"))
  }

  @Test func `of a store that extends none must list its sections itself`() {
    var file = KeywordFile(path: "corner.yaml", bytes: Array(Self.store.utf8), section: "Deli", among: Self.walk)
    file.add("ham")
    #expect(performing: { try file.edited([]) }, throws: { "\($0)".contains("has no section `Deli`") })
    let extending = "store: corner\nextends: kroger\nsections: [{name: Dairy}]\n"
    file = KeywordFile(path: "corner.yaml", bytes: Array(extending.utf8), section: "Deli", among: Self.walk)
    file.add("ham")
    #expect(performing: { try file.edited([]) }, throws: { "\($0)".contains("`sections` is written in brackets") })
  }

  @Test func `that was changed meanwhile is left alone`() {
    var file = KeywordFile(path: "nuts.txt", bytes: Array("# Nuts.\nalmonds\n".utf8), section: nil)
    file.remove(Entry(written: "peanuts", line: 2))
    #expect(performing: { try file.edited([]) }, throws: { "\($0)".contains("line 2 is no longer `peanuts`") })
  }
}

extension String {
  /// Without the newline at the end.
  fileprivate var trimmed: String { hasSuffix("\r\n") || hasSuffix("\n") ? String(dropLast()) : self }
}
