import Foundation
import Testing

/// `aisle tune report` and `try`.
@Suite struct TuneTests {
  private let folder: ScratchFolder

  init() throws { folder = try TuningFolder.make() }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
  }

  // MARK: Report

  @Test("The report shows the worst keywords with their lines and the items they got wrong, and who fights")
  func report() throws {
    let finished = try aisle("tune", "report", in: folder)
    #expect(finished.diagnostics == "")
    #expect(finished.text == Self.reportText)
  }

  private static let reportText = """
    Kroger · keyword>=0.85,regex>=0.8 · tune: 14 items, 64.3% right

    10 keywords: 4 occur in these items, 3 decide some, 2 of these some wrongly
    0 dead, 1 shadowed, 1 duplicate, 0 contradicting (--shadowed, --duplicate list them)

    wrong  right  precision  items  alone  conflicts  missed  keyword
        1      2      66.7%      4      2          2       ·  chocolate  taxonomies/shelves/candy.txt:2
            hot chocolate -> Snacks, is Dairy & Eggs
        1      2      66.7%      3      3          ·       ·  kale       taxonomies/shelves/greens.txt:2
            kale chips -> Produce, is Snacks

    """

  @Test(
    "Each kind of fault is listed with what decides instead",
    arguments: [
      ("--duplicate", "Oat-Milk", "the same as `oat milk` on milk, taxonomies/shelves/milk.txt:4"),
      (
        "--contradicting", "?leafy",
        "on its own it goes to another section because of pattern only-leafy, taxonomies/patterns/odd.yaml:4"
      ),
      ("--shadowed", "soy", "loses to `milk` on milk, taxonomies/shelves/milk.txt:2"),
    ])
  func faults(flag: String, keyword: String, rival: String) throws {
    // With patterns first, as keywords that are sure of themselves come to no pattern.
    let finished = try aisle("tune", "report", flag, "--chain", "regex,keyword", in: folder)
    let lines = finished.text.split(separator: "\n").map(String.init)
    let row = try #require(lines.firstIndex { $0.contains("  \(keyword)  ") }, "\(finished.text)")
    #expect(lines[row + 1].hasSuffix(rival))
    #expect(lines.count { $0.contains("taxonomies/shelves/") && !$0.hasPrefix("      ") } == 1)
  }

  @Test("TSV and JSON lines have every keyword, pattern and move, with the same figures")
  func rows() throws {
    let rows = try aisle("tune", "report", "--format", "tsv", in: folder).text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let objects = try aisle("tune", "report", "--format", "jsonl", in: folder).text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(rows.count == 1 + 10 + 1)
    #expect(objects.count == rows.count - 1)
    for (row, object) in zip(rows.dropFirst(), objects) {
      #expect(row.count == rows[0].count)
      for (name, cell) in zip(rows[0], row) {
        if let list = object[name] as? [String] { #expect(list.joined(separator: "|") == cell) }
        if let text = object[name] as? String { #expect(text == cell) }
        if let number = object[name] as? Int, name != "precision" { #expect(String(number) == cell) }
      }
    }
    let chocolate = try #require(objects.first { $0["keyword"] as? String == "chocolate" })
    #expect(chocolate["items"] as? Int == 4 && chocolate["right"] as? Int == 2 && chocolate["wrong"] as? Int == 1)
    #expect(chocolate["conflicts"] as? Int == 2 && chocolate["alone"] as? Int == 2)
    #expect(chocolate["examples"] as? [String] == ["hot chocolate"])
  }

  @Test("A shelf or section narrows the report; one that is not there is an error that says which was meant")
  func narrowed() throws {
    let shelf = try aisle("tune", "report", "--shelf", "greens", "--format", "tsv", in: folder)
    #expect(shelf.text.split(separator: "\n").count == 4)
    let section = try aisle("tune", "report", "--section", "dairy & eggs", "--format", "tsv", in: folder)
    #expect(section.text.split(separator: "\n").count == 5)
    let wrong = try aisle("tune", "report", "--shelf", "grens", in: folder)
    #expect(wrong.ending == .exited(2))
    #expect(wrong.diagnostics == "aisle: no shelf `grens` in kroger; did you mean `greens`?\n")
    let chain = try aisle("tune", "report", "--chain", "regex", in: folder)
    #expect(chain.ending == .exited(2) && chain.diagnostics.contains("has no `keyword` strategy in phrase mode"))
  }

  @Test("No item of the holdout is ever shown, in any format", arguments: ["report", "suggest"])
  func holdout(command: String) throws {
    for format in ["text", "tsv", "jsonl"] {
      let arguments = ["tune", command, "--format", format] + (command == "report" ? ["--split", "all"] : [])
      let finished = try RunningAisle(arguments, in: folder).finish()
      #expect(finished.ending == .exited(0))
      #expect(!finished.text.contains("toffee"), "\(format): \(finished.text)")
    }
  }

  // MARK: Try

  @Test("A change is tried without touching a file: what it wins and loses, and which change did it")
  func tryChanges() throws {
    let before = try text("taxonomies/shelves/greens.txt")
    let finished = try aisle("tune", "try", "+greens: chard", "-candy: chocolate", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "aisle: the item `chocolate` alone would move from Snacks to Other\n")
    #expect(finished.text == Self.tryText)
    #expect(try text("taxonomies/shelves/greens.txt") == before)
  }

  private static let tryText = """
    +greens: chard     taxonomies/shelves/greens.txt:5  won 4, lost 0
    -candy: chocolate  taxonomies/shelves/candy.txt:2   won 0, lost 2
    won 4, lost 2, moved 1 of 17 items: 52.9% -> 64.7% right (+11.8 points, p = 0.688)
      tune: won 3, lost 2   holdout: won 1, lost 0 (its items are not shown)
    lost: 2
      dark chocolate  Snacks -> Other         -candy: chocolate  taxonomies/shelves/candy.txt:2
      milk chocolate  Snacks -> Dairy & Eggs  -candy: chocolate  taxonomies/shelves/candy.txt:2
    won: 3
      green chard    Other -> Produce  +greens: chard  taxonomies/shelves/greens.txt:5
      rainbow chard  Other -> Produce  +greens: chard  taxonomies/shelves/greens.txt:5
      red chard      Other -> Produce  +greens: chard  taxonomies/shelves/greens.txt:5
    moved: 1
      hot chocolate  Snacks -> Other  -candy: chocolate  taxonomies/shelves/candy.txt:2

    """

  @Test("--apply writes what was tried, comments and order kept, and the files are as good as before")
  func apply() throws {
    let finished = try aisle(
      "tune", "try", "+greens: baby spinach", "-greens: spinach", "+greens: ~spinach", "+Dairy & Eggs: goat butter",
      "+Other: !bulbs",
      "--apply", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "changed taxonomies/shelves/greens.txt\nchanged taxonomies/kroger.yaml\n")
    #expect(try text("taxonomies/shelves/greens.txt") == "# Leaves.\nkale\n~spinach   # also frozen\n?leafy\nbaby spinach\n")
    #expect(
      try text("taxonomies/kroger.yaml").contains(
        "      - butter\n      - goat butter\n  - name: Other\n    keywords:\n      - \"!bulbs\"\n"))
    #expect(try aisle("stores", "show", "--section", "other", in: folder).text.contains("bulbs"))
    let again = try aisle(
      "tune", "try", "-greens: baby spinach", "-Dairy & Eggs: goat butter", "-Other: bulbs", "--apply", in: folder)
    #expect(again.ending == .exited(0))
    #expect(try !text("taxonomies/kroger.yaml").contains("bulbs"))
  }

  private static let refusals: [(edits: [String], message: String)] = [
    (["+grens: chard"], "no shelf or section `grens` in kroger; did you mean `greens`?"),
    (["-greens: kael"], "no keyword `kael` on greens; did you mean `kale`?"),
    (["-greens: milk"], "no keyword `milk` on greens; it is on milk, taxonomies/shelves/milk.txt:2"),
    (["-greens: ~kale"], "`kale` is on greens as `kale`, line 2; write it like that"),
    (["+greens: Kale"], "`kale` is already on greens, taxonomies/shelves/greens.txt:2"),
    (
      ["+greens: milk"],
      "aisle: `milk` already exists as `milk` on milk, taxonomies/shelves/milk.txt:2; to move it, remove it there too: '-milk: milk'"
    ),
    (
      ["+Produce: kale"],
      "`kale` already exists as `kale` on greens, taxonomies/shelves/greens.txt:2; to move it, remove it there too"
    ),
    (["+greens: a, b"], "`a, b` would match nothing; a keyword needs a letter or digit"),
    (["+greens: chard", "+greens: Chard"], "add the same keyword; keep one"),
    (["-greens: kale", "-greens: kale"], "no keyword `kale` on greens"),
  ]

  @Test("A change that cannot be made is refused with the remedy, and nothing is written", arguments: refusals)
  func refused(edits: [String], message: String) throws {
    let before = try text("taxonomies/shelves/greens.txt") + text("taxonomies/kroger.yaml")
    let finished = try RunningAisle(["tune", "try"] + edits + ["--apply"], in: folder).finish()
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
    #expect(finished.output.isEmpty)
    #expect(try text("taxonomies/shelves/greens.txt") + text("taxonomies/kroger.yaml") == before)
  }

  @Test("A change of a shelf that would break another store of the folder is not made")
  func otherStore() throws {
    let corner = try text("taxonomies/corner.yaml").replacing("    color: gray", with: "    color: gray\n    keywords: [chard]")
    try folder.write(corner, to: "taxonomies/corner.yaml")
    let finished = try aisle("tune", "try", "+greens: chard", "--apply", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: store corner: taxonomies/"), "\(finished.diagnostics)")
    #expect(finished.diagnostics.hasSuffix("; nothing was changed\n"))
    #expect(try !text("taxonomies/shelves/greens.txt").contains("chard"))
  }

  @Test("What is no change is a usage error", arguments: [[], ["greens: kale"], ["+greens kale"], ["+greens:"], ["-x"]])
  func usage(edits: [String]) throws {
    #expect(try RunningAisle(["tune", "try"] + edits, in: folder).finish().ending == .exited(64))
  }

  @Test("Over a store that is compiled in, changes go to a folder on top of it")
  func compiledIn() throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/taxonomies")
    try folder.write("kale\tProduce\n", to: "corpus/items.tsv")
    func here(_ arguments: String..., input: String = "") throws -> Finished {
      let process = try RunningAisle(arguments, in: folder, environment: ["AISLE_TAXONOMIES": ""])
      process.feed([Data(input.utf8)])
      return try process.finish(endingInput: false)
    }
    let tried = try here("tune", "try", "+milk: zork", "-milk: skim milk")
    #expect(tried.ending == .exited(0) && !FileManager.default.fileExists(atPath: "\(folder.path)/taxonomies"), "\(tried)")
    let applied = try here("tune", "try", "+milk: zork", "-milk: skim milk", "--apply")
    #expect(applied.ending == .exited(0) && applied.diagnostics.hasSuffix("changed taxonomies/shelves/milk.txt\n"), "\(applied)")
    #expect(try String(contentsOfFile: "\(folder.path)/taxonomies/shelves/milk.txt", encoding: .utf8) == "zork\n-skim milk\n")
    #expect(try here("categorize", input: "zork\n").text == "zork\tDairy & Eggs\n")
  }
}
