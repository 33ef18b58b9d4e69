import Foundation
import Testing

/// `aisle corpus show` and `check`.
@Suite struct CorpusCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("Counts are by section of the first label, tag, file and split")
  func show() throws {
    try folder.write("kale\tgreens|Snacks\tplain\noat milk\tmilk\tplain,odd\n", to: "corpus/items.tsv")
    let finished = try aisle("corpus", in: folder)
    #expect(finished.ending == .exited(0))
    let rows = finished.text.split(separator: "\n").map(String.init)
    #expect(rows.contains("all\titems\t2\t1\t1"))
    #expect(rows.contains("section\tProduce\t1\t1\t0"))
    #expect(rows.contains("section\tSnacks\t0\t0\t0"))
    #expect(rows.contains("tag\tplain\t2\t1\t1"))
    #expect(rows.contains("file\tcorpus/items.tsv\t2\t1\t1"))
  }

  @Test("Every kind of finding has its line, and errors fail")
  func check() throws {
    try folder.write(
      "kale\tgreens\tplain\nKale\tgreens\tplain\nno label\nmilk\tmlik\tx\nspinach\tmilk\tx\nchocolate\tgreens\tconfirmed\n",
      to: "corpus/items.tsv")
    let finished = try aisle("corpus", "check", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(
      finished.text == """
        corpus/items.tsv:2: `Kale` already exists at corpus/items.tsv:1; remove one
        corpus/items.tsv:3:9: no label; write item<TAB>label<TAB>tags
        corpus/items.tsv:4:6: no shelf or section `mlik`; did you mean `milk`?
        corpus/items.tsv:5: note: `spinach` is labeled milk, but all strategies say Produce (spinach (only)); correct the label, or tag the \
        item `confirmed`

        """)
    #expect(finished.diagnostics == "corpus: 5 items, 3 errors, 1 note\n")
  }

  @Test("A corpus without items is a finding, and one item is one")
  func fewItems() throws {
    try folder.write("# nothing yet\n", to: "corpus/items.tsv")
    let empty = try aisle("corpus", "check", in: folder)
    #expect(empty.ending == .exited(1))
    #expect(empty.text == "corpus: no items; write lines of the form item<TAB>label<TAB>tags\n")
    #expect(empty.diagnostics == "corpus: 0 items, 1 error, no notes\n")
    try folder.write("kale\tgreens\tplain\n", to: "corpus/items.tsv")
    #expect(try aisle("corpus", "check", in: folder).diagnostics == "corpus: 1 item, no errors, no notes\n")
  }

  @Test("A label without end is named by its beginning")
  func longLabel() throws {
    try folder.write("kale\t\(String(repeating: "é", count: 50_000))\tplain\n", to: "corpus/items.tsv")
    let finished = try aisle("corpus", "check", in: folder)
    #expect(finished.ending == .exited(1))
    let label = String(repeating: "é", count: 80) + "…"
    #expect(finished.text == "corpus/items.tsv:1:6: no shelf or section `\(label)`; `aisle stores show` lists them\n")
  }

  @Test("Notes fail only when asked to")
  func notes() throws {
    try folder.write("spinach\tmilk\tx\n", to: "corpus/items.tsv")
    #expect(try aisle("corpus", "check", in: folder).ending == .exited(0))
    #expect(try aisle("corpus", "check", "--strict", in: folder).ending == .exited(1))
  }

  @Test("The project's own corpus has no errors, and at least 4,000 items with 200 of every section")
  func ownCorpus() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    let stores = ["--taxonomies", "\(root)/taxonomies", "--corpus", "\(root)/corpus"]
    let check = try RunningAisle(["corpus", "check"] + stores, in: folder).finish()
    #expect(check.ending == .exited(0), "\(check.text)")
    let counts = try RunningAisle(["corpus", "show"] + stores, in: folder).finish().text.split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let sections = counts.filter { $0[0] == "section" }
    #expect(sections.count == 12)
    for row in sections { #expect((Int(row[2]) ?? 0) >= 200, "\(row)") }
    #expect((counts.first { $0[0] == "all" }.flatMap { Int($0[2]) } ?? 0) >= 4000)
  }

  /// What the project's own continuous integration runs would fail on a regression: a shelf is emptied in a copy.
  @Test("A shelf that is broken fails the evaluation against the committed baseline")
  func ownBaseline() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    try FileManager.default.removeItem(atPath: "\(folder.path)/taxonomies")
    try FileManager.default.copyItem(atPath: "\(root)/taxonomies", toPath: "\(folder.path)/taxonomies")
    let arguments = ["eval", "--corpus", "\(root)/corpus", "--baseline", "\(root)/corpus/baselines/kroger.json"]
    let whole = try RunningAisle(arguments, in: folder).finish()
    #expect(whole.ending == .exited(0), "\(whole.text)")
    // The chickens go to the candles. An emptied shelf alone would not do: the model knows its goods.
    let shelves = "\(folder.path)/taxonomies/shelves"
    let (chicken, candles) = (try String(contentsOfFile: "\(shelves)/chicken.txt", encoding: .utf8), "candles-and-lighters.txt")
    try folder.write(
      String(contentsOfFile: "\(shelves)/\(candles)", encoding: .utf8) + chicken, to: "taxonomies/shelves/\(candles)")
    try folder.write("# Emptied.\nchicken that is no more\n", to: "taxonomies/shelves/chicken.txt")
    let broken = try RunningAisle(arguments, in: folder).finish()
    #expect(broken.ending == .exited(1))
    #expect(broken.text.contains("FAIL regression"))
  }
}
