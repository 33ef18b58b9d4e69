import Foundation
import Testing

/// `aisle eval` and nothing else in CI: the corpus, the gate, and the reports are in aisle.yaml.
@Suite struct EvaluationConfigurationTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    let lines = ["one", "two", "ten", "red", "big", "old", "hot", "raw"].map {
      "\($0) kale\tgreens\tplain\n\($0) oat milk\tmilk\tx\n"
    }
    try folder.write(lines.joined() + "butter\tSnacks\tx\n", to: "labels/items.tsv")
    try folder.write("spinach\tgreens\tx\n", to: "labels/more.tsv")
  }

  private func configure(_ text: String) throws { try folder.write(text, to: "aisle.yaml") }

  private func removeKale() throws { try folder.write("spinach\n", to: "taxonomies/shelves/greens.txt") }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") }

  @Test("The corpus, the baseline, and the reports come from the configuration, and folders for reports are made")
  func all() throws {
    try configure(
      """
      corpus: labels
      eval:
        baseline: saved/kroger.json
        fail-under: [80, "recall:Dairy & Eggs=100"]
        reports:
          text: "-"
          junit: reports/ci/aisle.xml
          json: reports/aisle.json
      """)
    let early = try aisle("eval", in: folder)
    #expect(early.ending == .exited(2))
    #expect(
      early.diagnostics
        == "aisle: saved/kroger.json: no baseline there yet, which aisle.yaml:3:13 names; `aisle bless` saves the first\n")
    let saved = try aisle("bless", in: folder)
    #expect(saved.ending == .exited(0), "\(saved.diagnostics)")
    #expect(saved.diagnostics == "saved/kroger.json: 18 items, 94.4% right\n")
    let good = try aisle("eval", in: folder)
    #expect(good.ending == .exited(0), "\(good.diagnostics)")
    #expect(good.text.contains("ok   recall:Dairy & Eggs: recall is 100.0%, at least 100.0% required\n"), "\(good.text)")
    #expect(exists("reports/ci/aisle.xml") && exists("reports/aisle.json"))
    try removeKale()
    let bad = try aisle("eval", in: folder)
    #expect(bad.ending == .exited(1))
    #expect(bad.text.contains("lost: 8\n") && bad.text.contains("FAIL accuracy: 50.0%, at least 80.0% required"))
    #expect(bad.text.contains("FAIL regression: "))
    let compared = try aisle("compare", "saved/kroger.json", "reports/aisle.json", in: folder)
    #expect(compared.ending == .exited(1), "\(compared.diagnostics)")
    #expect(compared.text.contains("lost: 8\n"))
  }

  @Test("The command line wins over the configuration, part by part")
  func overridden() throws {
    try configure(
      "corpus: [labels/items.tsv, labels/more.tsv]\n"
        + "eval: {baseline: base.json, strict: true, fail-under: 99, reports: {jsonl: \"-\", html: page.html}}\n")
    #expect(try aisle("bless", in: folder).ending == .exited(0))
    let jsonl = try aisle("eval", in: folder)
    #expect(jsonl.ending == .exited(1))
    #expect(jsonl.text.split(separator: "\n").count == 18)
    #expect(jsonl.diagnostics.contains("aisle: accuracy: 94.4%, at least 99.0% required\n"), "\(jsonl.diagnostics)")
    #expect(try aisle("eval", "--fail-under", "50", in: folder).ending == .exited(0))
    #expect(
      try aisle("eval", "--fail-under", "50", "--corpus", "labels/more.tsv", in: folder).text.split(separator: "\n").count == 1)
    let brief = try aisle("eval", "--fail-under", "50", "--brief", in: folder)
    #expect(brief.text.hasSuffix("94.4% of 18 items right (74.2–99.0%) · Kroger\n"), "\(brief.text)")
    try FileManager.default.removeItem(atPath: "\(folder.path)/page.html")
    #expect(try aisle("eval", "--fail-under", "50", "--reporter", "text", in: folder).text.contains("strict: no item"))
    #expect(!exists("page.html"), "reports of the command line take the place of those of the configuration")
    let without = try aisle("eval", "--fail-under", "50", "--baseline", "off", "--reporter", "text", in: folder)
    #expect(!without.text.contains("strict") && without.ending == .exited(0))
    try removeKale()
    #expect(try aisle("eval", "--fail-under", "1", in: folder).ending == .exited(1), "strict")
  }

  @Test("A setting that only a comparison obeys is named where there is no baseline")
  func idle() throws {
    try configure("corpus: labels\neval:\n  strict: true\n  alpha: 0.01\n")
    let finished = try aisle("eval", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(
      finished.diagnostics.contains(
        "aisle: aisle.yaml:3:11: `strict` has no effect without a baseline; add `baseline:` under `eval:`\n"),
      "\(finished.diagnostics)")
    #expect(try !aisle("eval", "--baseline", "off", in: folder).diagnostics.contains("no effect"))
  }

  private static let faults: [(text: String, message: String)] = [
    ("eval: {fail-under: [x]}", "aisle.yaml:1:21: fail-under x: write a percentage from 0 to 100, e.g. 97.5 or macro-f1=90"),
    ("eval: {fail-under: precison=9}", "aisle.yaml:1:20: fail-under precison=9: no score `precison`"),
    ("eval: {tolerance: 101}", "aisle.yaml:1:19: `tolerance` must be percentage points, from 0 to 100"),
    ("eval: {strict: yes}", "aisle.yaml:1:16: unknown strict `yes`; use one of true, false"),
    ("eval: {junit: some}", "aisle.yaml:1:15: unknown junit `some`"),
    ("eval: {reports: [junit]}", "aisle.yaml:1:17: `reports` must be `format: file` lines, e.g. junit: reports/aisle.xml"),
    ("eval: {reports: {junti: a.xml}}", "aisle.yaml:1:18: unknown report format `junti`; did you mean `junit`?"),
    ("eval: {reports: {text: a.txt, github: a.txt}}", "aisle.yaml:1:39: two reports would be written to a.txt"),
    ("eval: {reports: {json: \"-\", text: \"-\"}}", "two reports would be printed; give each a file of its own"),
    ("eval: {basline: x}", "aisle.yaml:1:8: unknown field `basline`; did you mean `baseline`?"),
  ]

  @Test("A mistake is named with its line, by `config check` too", arguments: faults)
  func mistakes(text: String, message: String) throws {
    try configure("corpus: labels\n" + text)
    let moved = message.replacingOccurrences(of: "aisle.yaml:1:", with: "aisle.yaml:2:")
    let finished = try aisle("eval", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains(moved), "\(finished.diagnostics)")
    #expect(finished.output.isEmpty)
    let checked = try aisle("config", "check", in: folder)
    #expect(checked.ending == .exited(1))
    #expect(checked.text.contains(moved), "\(checked.text)")
  }

  @Test("A score that there is none of, and a corpus that is not there, are named with their line")
  func missing() throws {
    try configure("corpus: labels\neval:\n  fail-under: [90, \"section:Produse=9\"]\n")
    let floor = try aisle("eval", in: folder)
    #expect(
      floor.diagnostics == "aisle: aisle.yaml:3:20: fail-under section:Produse: there is no `Produse`; did you mean `Produce`?\n")
    try configure("corpus: [labels, nowhere]\n")
    #expect(try aisle("config", "check", in: folder).text.hasPrefix("aisle.yaml:1:18: no file or folder nowhere"))
  }

  @Test(
    "A report is data only where it can replace nothing but a report",
    arguments: [
      ("junit: out/a.xml", true), ("text: a.txt", true), ("markdown: a.md", true), ("html: .github/a.html", false),
      ("junit: Makefile", false), ("json: ../a.json", false), ("json: .git/a.json", false), ("html: a.js", false),
    ])
  func reach(report: String, isData: Bool) throws {
    try folder.makeFolder("shop")
    try folder.write("corpus: ../labels\n", to: "shop/aisle.yaml")
    try configure("corpus: labels\neval: {reports: {\(report)}}\n")
    let finished = try aisle("eval", in: folder)
    #expect(finished.ending == .exited(isData ? 0 : 2), "\(finished.diagnostics)")
    #expect(finished.diagnostics.contains("writes ") == !isData, "\(finished.diagnostics)")
    #expect(!isData == (try aisle("config", "check", in: folder).diagnostics.contains("not trusted yet")))
    let outside = try aisle("eval", "--config", "shop/aisle.yaml", in: folder)
    #expect(outside.ending == .exited(2))
    #expect(outside.diagnostics.contains("uses shop/../labels, outside its folder"), "\(outside.diagnostics)")
  }

  @Test("The short report has ten lines at most, what fails first")
  func brief() throws {
    try configure("corpus: labels\n")
    #expect(try aisle("bless", "--baseline", "base.json", in: folder).ending == .exited(0))
    let plain = try aisle("eval", "--brief", in: folder)
    #expect(plain.text.split(separator: "\n").count == 2, "\(plain.text)")
    #expect(plain.text.hasPrefix("  butter  Dairy & Eggs  not Snacks  "), "\(plain.text)")
    try removeKale()
    let floors = ["90", "macro-f1=99", "placed=99", "section:Produce=99", "recall:Produce=99"].flatMap { ["--fail-under", $0] }
    let bad = try RunningAisle(["eval", "--brief", "--baseline", "base.json"] + floors, in: folder).finish()
    let lines = bad.text.split(separator: "\n")
    #expect(
      bad.ending == .exited(1) && bad.diagnostics.split(separator: "\n").count == 1, "the warning alone: \(bad.diagnostics)")
    #expect(lines.count == 10, "\(bad.text)")
    #expect(lines[0].hasPrefix("FAIL regression: accuracy fell by 44.4 points"))
    #expect(lines[2] == "FAIL and 4 more conditions" && lines[8] == "  and 4 more flips", "\(bad.text)")
    #expect(lines[3].hasPrefix("−44.4 points: 8 lost, 0 won, 0 moved of 18 items (p = 0.008)"))
    let compared = try aisle("compare", "--brief", "base.json", "base.json", in: folder)
    #expect(
      compared.text == "ok   regression: accuracy is the same (0 won, 0 lost of 18; p = 1.000)\n"
        + "±0.0 points: 0 lost, 0 won, 0 moved of 18 items (p = 1.000)\n")
  }

  @Test(
    "Two saved evaluations are compared in every format, from baselines and json reports alike",
    arguments: ["text", "brief", "json", "jsonl", "markdown", "junit", "github", "html"])
  func compare(format: String) throws {
    func save(_ name: String) throws {
      _ = try aisle("bless", "--corpus", "labels", "--baseline", "\(name).base.json", in: folder)
      _ = try aisle("eval", "--corpus", "labels", "--reporter", "json", "--output", "\(name).report.json", in: folder)
    }
    try save("before")
    try removeKale()
    let store = try String(contentsOfFile: "\(folder.path)/taxonomies/kroger.yaml", encoding: .utf8)
    try folder.write(store.replacingOccurrences(of: "- butter", with: "- lard"), to: "taxonomies/kroger.yaml")
    try save("after")
    var texts: Set<String> = []
    for before in ["before.base.json", "before.report.json"] {
      for after in ["after.base.json", "after.report.json"] {
        let finished = try aisle("compare", "--reporter", format, before, after, in: folder)
        #expect(finished.ending == .exited(1), "\(finished.diagnostics)")
        texts.insert(finished.text)
      }
    }
    #expect(texts.count == 1, "the answers are the same, and so is what is said about them")
    #expect(texts.first?.contains("kale") == true)
    let finished = try aisle(
      "compare", "--reporter", format, "--output", "change", "before.base.json", "after.base.json", in: folder)
    #expect(finished.output.isEmpty && finished.ending == .exited(1))
    #expect(try String(contentsOfFile: "\(folder.path)/change", encoding: .utf8) == texts.first)
  }
}
