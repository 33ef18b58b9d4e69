import Foundation
import Testing

/// `aisle stores list`, `show` and `check`.
@Suite struct StoresCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("Stores are listed with their names, and listing is the default", arguments: [["stores", "list"], ["stores"]])
  func list(arguments: [String]) throws {
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(0))
    #expect(
      finished.text
        == "corner\tThe Corner Shop\t2 sections\nkroger\tKroger\t4 sections\n")
    #expect(finished.diagnostics == "")
  }

  @Test("A section that the store does not have is named, with the one meant; case does not matter")
  func unknownSection() throws {
    let finished = try aisle("stores", "show", "kroger", "--section", "Produc", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: no section `Produc` in kroger; did you mean `Produce`?\n")
    let found = try aisle("stores", "show", "kroger", "--section", "produce", in: folder)
    #expect(found.ending == .exited(0))
    #expect(!found.output.isEmpty)
  }

  @Test("A store with errors is listed as broken")
  func listBroken() throws {
    try folder.makeFolder("broken/shelves")
    try folder.write("store: corner\nfallback: Other\nsections: [", to: "broken/corner.yaml")
    let finished = try aisle("stores", "list", "--taxonomies", "broken", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.text.contains("corner\tcorner\tbroken: run `aisle stores check corner`"))
  }

  @Test("Lines that are worth a second look are told when asked for, and are no errors")
  func suspects() throws {
    try folder.write("kale\norganic fresh\n~wings\n?crunchy\ncrunchy organic\n", to: "taxonomies/shelves/greens.txt")
    try folder.write(
      "oat milk\nhot wings\nchicken wings\nturkey wing\nvegan wings\nmilk sauce\n", to: "taxonomies/shelves/milk.txt")
    try folder.write("w = with\nw sauce = milk sauce\n", to: "taxonomies/spellings.txt")
    let finished = try aisle("stores", "check", "kroger", "--suspects", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "kroger: no errors, 4 suspects\n")
    #expect(
      finished.text.split(separator: "\n").map { String($0).replacingOccurrences(of: "taxonomies/", with: "") }
        == [
          "shelves/greens.txt:2:1: keyword `organic fresh` has only descriptive words, and decides whatever product they are next to; "
            + "add the product's name",
          "shelves/greens.txt:3:2: keyword `wings` is in Produce, but 4 of 4 keywords that end with it are in Dairy & Eggs; check which is "
            + "meant",
          "shelves/greens.txt:5:1: keyword `crunchy organic` has only descriptive words, and decides whatever product they are next to; "
            + "add the product's name",
          "spellings.txt:2:1: spelling `w sauce` makes milk sauce of `with sauce` too, since `w` stands for `with` on line 1; remove one",
        ], "\(finished.text)")
    let plain = try aisle("stores", "check", "kroger", in: folder)
    #expect(plain.ending == .exited(0))
    #expect(plain.text == "" && plain.diagnostics == "kroger: no errors\n")
  }

  @Test("A file that is no store for its name is a finding")
  func misnamed() throws {
    try folder.makeFolder("misnamed/shelves")
    try folder.write("store: corner\nfallback: Other\nsections:\n  - name: Other\n", to: "misnamed/corner.yaml")
    try folder.write("", to: "misnamed/Walmart.yaml")
    try folder.write("", to: "misnamed/aldi.yml")
    let finished = try aisle("stores", "check", "--taxonomies", "misnamed", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(
      finished.text.contains(
        "misnamed/Walmart.yaml: not read as a store because of its name; rename it: a-z, 0-9, and hyphens, then .yaml"))
    #expect(finished.text.contains("misnamed/aldi.yml: not read as a store because of its name; rename it: aldi.yaml"))
  }

  @Test("A keyword that no item can hold is a finding")
  func unmatchable() throws {
    try folder.makeFolder("unmatchable/shelves")
    try folder.write(
      "store: corner\nfallback: Other\nsections:\n  - name: Other\n    keywords: ['🥬', 'salt, sea', '!~gelato', -kale, '* beet']\n",
      to: "unmatchable/corner.yaml")
    let finished = try aisle("stores", "check", "--taxonomies", "unmatchable", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(finished.text.contains("keyword `🥬` matches nothing;"))
    #expect(finished.text.contains("keyword `salt, sea` matches nothing;"))
    #expect(finished.text.contains("two strength signs; keep one"))
    #expect(
      finished.text.contains(
        "5:49: `-` removes a keyword only where a store extends another; to remove `kale` here, delete its line"))
    #expect(finished.text.contains("5:56: a keyword has no `*` before it; write `beet`"))
  }

  @Test("A folder without stores is an error that says what a store is")
  func listNothing() throws {
    try folder.makeFolder("empty")
    let finished = try aisle("stores", "list", "--taxonomies", "empty", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: empty: no stores there; a store is a file NAME.yaml\n")
    try folder.write("", to: "empty/Corner.yaml")
    for command in ["list", "check"] {
      let misnamed = try aisle("stores", command, "--taxonomies", "empty", in: folder)
      #expect(misnamed.ending == .exited(2))
      #expect(
        misnamed.diagnostics
          == "aisle: empty/Corner.yaml: not read as a store because of its name; rename it: a-z, 0-9, and hyphens, then .yaml\n")
    }
  }

  @Test("A store shows its sections in walking order, with their shelves and which is the fallback")
  func show() throws {
    let finished = try aisle("stores", "show", "kroger", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(
      finished.text == """
        Produce  2 keywords
          greens
        Dairy & Eggs  3 keywords
          milk
        Other  0 keywords, the fallback section
        Snacks  2 keywords
          candy

        """)
    #expect(try aisle("stores", "show", in: folder).text == finished.text)
  }

  @Test("A section shows its keywords with their files and lines")
  func showSection() throws {
    let finished = try aisle("stores", "show", "--section", "Dairy & Eggs", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(
      Set(finished.text.split(separator: "\n")) == [
        "milk\tmilk\ttaxonomies/shelves/milk.txt:2", "oat milk\tmilk\ttaxonomies/shelves/milk.txt:4",
        "butter\t\ttaxonomies/kroger.yaml:14",
      ])
  }

  @Test("Stores without errors check clean", arguments: [["kroger"], ["corner", "kroger"], []])
  func checkClean(names: [String]) throws {
    let finished = try RunningAisle(["stores", "check"] + names, in: folder).finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics == "\(names.count == 1 ? "kroger" : "2 stores"): no errors\n")
  }

  @Test(
    "Every error is a line `path:line:column: message`, with what was meant",
    arguments: [
      ("colour: gray", "color: gray", "kroger.yaml:16:5: unknown field `colour`; did you mean `color`?"),
      ("color: grey", "color: gray", "kroger.yaml:16:12: unknown color `grey`; did you mean `gray`?"),
      ("fallback: Othr", "fallback: Other", "kroger.yaml:3:11: no section `Othr`; did you mean `Other`?"),
      ("- green", "- greens", "kroger.yaml:8:9: no file shelves/green.txt; did you mean `greens`?"),
      ("- milk", "- greens", "kroger.yaml:12:9: shelf `milk` is placed twice, first on line 8; keep one"),
      ("name: Produce", "name: Snacks", "kroger.yaml:17:11: section `Produce` appears twice; merge the two"),
      (
        "- kale", "- butter",
        "kroger.yaml:14:9: keyword `kale` already exists in Produce at taxonomies/shelves/greens.txt:2:1; keep one"
      ),
      ("color: *blue", "color: blue", "kroger.yaml:10:12: "),
      ("color: &x blue", "color: blue", "kroger.yaml:10:12: YAML anchors"),
      ("color: &x gray\n  - name: Odds\n    color: *x", "color: gray", "kroger.yaml:16:12: YAML anchors"),
      ("- ../greens", "- greens", "kroger.yaml:8:9: shelf name `../greens` may have only"),
      ("stor: kroger", "store: kroger", "kroger.yaml:1:1: unknown field `stor`; did you mean `store`?"),
      ("name: Kroger\nname: Kroger", "name: Kroger", "kroger.yaml:"),
    ])
  func checkFindings(written: String, correct: String, message: String) throws {
    let file = "\(folder.path)/taxonomies/kroger.yaml"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let place = try #require(text.range(of: correct))
    try folder.write(text.replacingCharacters(in: place, with: written), to: "taxonomies/kroger.yaml")
    let finished = try aisle("stores", "check", "kroger", in: folder)
    #expect(finished.ending == .exited(1))
    let lines = finished.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("taxonomies/\(message)") }, "\(finished.text)")
    #expect(finished.diagnostics == "kroger: \(lines.count) error\(lines.count == 1 ? "" : "s")\n")
    #expect(try aisle("stores", "check", in: folder).ending == .exited(1))
    #expect(
      try aisle("stores", "check", "corner", in: folder).ending
        == .exited(lines.contains { $0.contains("/shelves/") && !$0.contains("kroger.yaml") } ? 1 : 0))
  }

  @Test(
    "A mistake in a shelf is found on its line",
    arguments: [
      (Data("kale\nspinach\0\n".utf8), ":2:8: NUL byte"), (Data("kale\n".utf8) + [0xFF, 0x0A], ":2:1: not valid UTF-8"),
      (Data("kale\nspinach\nkale\n".utf8), ":3:1: keyword `kale` already exists"),
    ])
  func checkShelf(text: Data, message: String) throws {
    try folder.write(text, to: "taxonomies/shelves/greens.txt")
    let finished = try aisle("stores", "check", "kroger", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(finished.text.hasPrefix("taxonomies/shelves/greens.txt\(message)"), "\(finished.text)")
  }

  @Test("A move that an earlier line leaves nothing to do is a finding of the check alone")
  func idleMoves() throws {
    let lines = [
      "Dried: greens -> candy", "dried: * -> milk", "dried: greens candy -> milk", "cut: milk -> candy", "cut: * -> milk",
    ]
    try folder.write(lines.joined(separator: "\n") + "\ncut: greens milk -> candy\n", to: "taxonomies/moves.txt")
    let finished = try aisle("stores", "check", in: folder)
    #expect(
      finished.text == """
        taxonomies/moves.txt:3:1: has no effect: `dried` is already moved from greens candy by line 2; keep one
        taxonomies/moves.txt:6:1: has no effect: `cut` is already moved from greens milk by line 5; keep one

        """)
    #expect(try aisle("categorize", input: "kale\n", in: folder).ending == .exited(0))
  }

  @Test("A spelling without effect is told with its reason, and not where a shelf could not be read")
  func straySpellings() throws {
    let lines = [
      "mylk = milk", "mylk = kale", "milk = kale", "oat milk = spinach", "foo, foo = milk", "bar = barzle", "baz = bar milk",
      "!!! = milk", "bag = kales", "zork = zork",
    ]
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "taxonomies/spellings.txt")
    let finished = try aisle("stores", "check", in: folder)
    #expect(finished.ending == .exited(1))
    let expected = [
      "2:1: spelling `mylk` has no effect: it already stands for `milk` on line 1; keep one",
      "3:1: spelling `milk` has no effect: `mylk` already stands for it on line 1; keep one",
      "4:1: spelling `oat milk` has no effect: it is already a keyword at taxonomies/shelves/milk.txt:4; keep one",
      "5:1: spelling `foo` has no effect: it already stands for `milk` on line 5; keep one",
      "6:1: spelling `bar` has no effect: no keyword has the word `barzle`; remove it",
      "7:1: spelling `baz` has no effect: `bar milk` is not a keyword; remove it",
      "8:1: spelling `!!!` has no effect: it has no letter or digit; remove it",
      "9:1: spelling `bag` has no effect: it already has a meaning; remove it",
      "10:1: spelling `zork` has no effect: it stands for itself; remove it",
    ]
    #expect(finished.text == expected.map { "taxonomies/spellings.txt:\($0)\n" }.joined())
    try folder.write("spinich = spinach\n", to: "taxonomies/spellings.txt")
    #expect(try aisle("stores", "check", in: folder).ending == .exited(0))
    try folder.write("kale\nspinach\0\n", to: "taxonomies/shelves/greens.txt")
    let broken = try aisle("stores", "check", in: folder)
    #expect(broken.text == "taxonomies/shelves/greens.txt:2:8: NUL byte; save the file as plain UTF-8 text\n")
  }

  @Test("A shelf that stands nowhere is found in every store that forgets it, and all errors are shown at once")
  func checkAll() throws {
    try folder.write("sushi\n", to: "taxonomies/shelves/sushi.txt")
    try folder.write("socks\n", to: "taxonomies/shelves/socks.txt")
    let finished = try aisle("stores", "check", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(finished.text.split(separator: "\n").count == 4)
    #expect(finished.text.contains("taxonomies/shelves/sushi.txt: shelf `sushi` has no place in store `corner`"))
    #expect(finished.diagnostics == "2 stores: 4 errors\n")
  }

  @Test("Checking what cannot be read is a failure, not a finding")
  func checkUnreadable() throws {
    try folder.makeFolder("empty")
    #expect(try aisle("stores", "check", "--taxonomies", "empty", in: folder).ending == .exited(2))
    #expect(try aisle("stores", "check", "--taxonomies", "nowhere", in: folder).ending == .exited(2))
    try folder.makeFolder("taxonomies/broken.yaml")
    let finished = try aisle("stores", "check", "broken", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: taxonomies/broken.yaml: "))
  }
}
