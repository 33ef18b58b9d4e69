import Foundation
import Testing

/// `aisle eval` and `aisle bless`, on a corpus of forty items in three sections.
@Suite struct EvalCommandTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(Self.corpus, to: "corpus/items.tsv")
  }

  private static let corpus: String = {
    var lines = "# Items for tests.\n"
    for word in ["one", "two", "ten", "red", "big", "old", "hot", "raw", "new", "wet"] {
      lines += "\(word) kale\tgreens\tplain\n\(word) spinach\tgreens\tplain,leaf\n\(word) oat milk\tmilk\tcompound\n"
      lines += "\(word) chocolate\tcandy|Dairy & Eggs\tplain\n"
    }
    return lines + "butter\tSnacks\todd\nunheard of\tgreens\todd\n"
  }()

  private func eval(_ arguments: String...) throws -> Finished { try RunningAisle(["eval"] + arguments, in: folder).finish() }

  private func remove(_ keyword: String, from shelf: String) throws {
    let path = "\(folder.path)/taxonomies/shelves/\(shelf).txt"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("\(keyword)\n"))
    try folder.write(text.replacingOccurrences(of: "\(keyword)\n", with: ""), to: "taxonomies/shelves/\(shelf).txt")
  }

  @Test("The screen says how much is right, with the interval, and shows the mistakes with the line that misled")
  func screen() throws {
    let finished = try eval()
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
    #expect(finished.text.hasPrefix("Kroger · keyword>=0.85,model,regex>=0.8 · 42 items in "))
    #expect(finished.text.contains("  accuracy   95.2%  84.2–98.7%  40 right\n"), "\(finished.text)")
    #expect(finished.text.contains("butter"))
    #expect(finished.text.contains("taxonomies/kroger.yaml:14"))
    #expect(finished.text.contains("no strategy decides"))
    #expect(!finished.text.contains("\u{1B}"))
  }

  @Test("One of anything is one")
  func singular() throws {
    try folder.write("kale\tgreens\tx\noat milk\tmilk\tx\n", to: "corpus/items.tsv")
    let text = try eval("--ablate", "--chain", "keyword>=0.8,keyword(mode=substring)").text
    #expect(text.contains("  1 item\n") && text.contains("  1 other order changes no answers\n"), "\(text)")
    #expect(!text.contains(/\b1 (items|answers)/), "\(text)")
  }

  @Test("A regression that is more than noise fails, and says which items flipped")
  func regression() throws {
    #expect(try aisle("bless", in: folder).ending == .exited(0))
    #expect(try eval("--baseline", "corpus/baselines/kroger.json").ending == .exited(0))
    try remove("kale", from: "greens")
    let finished = try eval("--baseline", "corpus/baselines/kroger.json")
    #expect(finished.ending == .exited(1))
    #expect(finished.text.contains("lost: 10\n"))
    #expect(finished.text.contains(/big kale +Produce \[kale \((head|only)\)\] +→ Other\n/), "\(finished.text)")
    #expect(
      finished.text.contains("FAIL regression: accuracy fell by 23.8 points, more than noise (0 won, 10 lost of 42; p = 0.002)"))
  }

  @Test("A loss that may be noise fails among few items, unless it is allowed; --strict fails on any")
  func noise() throws {
    #expect(try aisle("bless", "--baseline", "before.json", in: folder).ending == .exited(0))
    try folder.write(Self.corpus.replacingOccurrences(of: "butter\tSnacks", with: "butter\tDairy & Eggs"), to: "corpus/items.tsv")
    #expect(try aisle("bless", "--baseline", "better.json", in: folder).ending == .exited(0))
    let store = try String(contentsOfFile: "\(folder.path)/taxonomies/kroger.yaml", encoding: .utf8)
    try folder.write(store.replacingOccurrences(of: "- butter", with: "- lard"), to: "taxonomies/kroger.yaml")
    let finished = try eval("--baseline", "better.json")
    #expect(finished.ending == .exited(1))
    #expect(
      finished.text.contains(
        "of fewer than 300 items every net loss counts; --tolerance allows one (0 won, 1 lost of 42; p = 1.000)"))
    #expect(
      finished.diagnostics.hasPrefix("aisle: only 42 items: a loss of fewer than 6 (14.3 points) cannot be told from noise"))
    #expect(try eval("--baseline", "better.json", "--tolerance", "3").ending == .exited(0))
    #expect(try eval("--baseline", "better.json", "--tolerance", "3", "--strict").ending == .exited(1))
  }

  @Test("A tolerance allows a loss, however sure it is")
  func tolerance() throws {
    #expect(try aisle("bless", in: folder).ending == .exited(0))
    try remove("kale", from: "greens")
    #expect(try eval("--baseline", "corpus/baselines/kroger.json", "--tolerance", "24").ending == .exited(0))
    #expect(try eval("--baseline", "corpus/baselines/kroger.json", "--tolerance", "23").ending == .exited(1))
    #expect(try eval("--baseline", "corpus/baselines/kroger.json", "--alpha", "0.001").ending == .exited(1), "few items")
  }

  private static let floorCases: [(scores: [String], exit: Int32)] = [
    (["95"], 0), (["96"], 1), (["96%"], 1), (["macro-f1=99"], 1), (["section:Produce=90", "tag:plain=100"], 0),
    (["tag:odd=1"], 1), (["placed=97"], 0), (["placed=98"], 1), (["split:holdout=0"], 0),
  ]

  @Test("Scores below their floor fail, and are named", arguments: floorCases)
  func floors(floors: [String], exit: Int32) throws {
    let finished = try RunningAisle(["eval"] + floors.flatMap { ["--fail-under", $0] }, in: folder).finish()
    #expect(finished.ending == .exited(exit), "\(finished.text)")
    #expect(finished.text.contains("FAIL") == (exit == 1))
  }

  @Test("A floor that is not reached says how to see its items")
  func floorOfTag() throws {
    let finished = try RunningAisle(["eval", "--fail-under", "tag:odd=1"], in: folder).finish()
    #expect(finished.ending == .exited(1))
    #expect(finished.text.contains("required; --tag odd lists what is wrong there\n"), "\(finished.text)")
  }

  @Test(
    "Without a reporter the name of the file says the format",
    arguments: [("r.json", "{"), ("r.JSONL", "{"), ("r.html", "<!"), ("r.md", "#"), ("r.xml", "<?"), ("r", "Kroger")])
  func formatByName(name: String, beginning: String) throws {
    #expect(try RunningAisle(["eval", "--output", name], in: folder).finish().ending == .exited(0))
    let text = try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    #expect(text.hasPrefix(beginning), "\(text.prefix(80))")
  }

  @Test(
    "Mistakes in the command line are usage errors",
    arguments: [
      ["--fail-under", "0.95"], ["--fail-under", "101"], ["--fail-under", "precison=9"], ["--fail-under", "x"],
      ["--tolerance", "-1"],
      ["--alpha", "2"], ["--strict"], ["--tolerance", "1"], ["--reporter", "yaml"], ["--reporter", "json", "--reporter", "text"],
      ["--output", "a", "--output", "a"], ["--reporter", "json", "--output", "a", "--reporter", "text", "--output", "a"],
      ["--repeat", "0"], ["--split", "test"], ["--watch", "--ablate"], ["--jobs", "0"],
    ])
  func usage(arguments: [String]) throws {
    let finished = try RunningAisle(["eval"] + arguments, in: folder).finish()
    #expect(finished.ending == .exited(64))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics.hasPrefix("aisle: "))
  }

  private static let faultCases: [(arguments: [String], message: String)] = [
    (["--corpus", "nowhere.tsv"], "nowhere.tsv: cannot open: no such file or directory; check the name"),
    (["--corpus", "taxonomies"], "taxonomies: no corpus files in this folder; a corpus is a file NAME.tsv"),
    (["--corpus", "bad.tsv"], "bad.tsv:2:5: no label; write item<TAB>label<TAB>tags"),
    (["--corpus", "label.tsv"], "label.tsv:1:6: no shelf or section `grens`; did you mean `greens`?"),
    (["--corpus", "empty.tsv"], "empty.tsv: no items to score; name more with --corpus"),
    (["--corpus", "one.tsv", "--split", "tune"], "one.tsv: no items to score in the split `tune`; name more with --corpus"),
    (["--tag", "plian"], "no item has the tag `plian`; did you mean `plain`?"),
    (["--store", "korger"], "taxonomies: no store `korger`; did you mean `kroger`?"),
    (["--chain", "keywrd"], "chain: no strategy `keywrd`; did you mean `keyword`?"),
    (["--chain", "keyword(mod=phrase)"], "chain: strategy `keyword` has no option `mod`; did you mean `mode`?"),
    (["--chain", "keyword>=2"], "chain: `2` after >= is not a confidence; write a number in 0…1, e.g. keyword>=0.6"),
    (["--fail-under", "tag:plian=9"], "--fail-under tag:plian: there is no `plian`; did you mean `plain`?"),
    (["--baseline", "nowhere.json"], "nowhere.json: cannot open: no such file or directory; check the name"),
    (["--baseline", "old.json"], "old.json:1:41: the baseline has version 9, not 1; write it again with `aisle bless`"),
    (
      ["--baseline", "corpus/items.tsv"],
      "corpus/items.tsv:1:1: bad JSON: expected `{`; `aisle bless` writes baselines"
    ),
  ]

  @Test("Bad data is named with its place and a remedy", arguments: faultCases)
  func badData(arguments: [String], message: String) throws {
    try folder.write("kale\tgreens\tx\nkale\n", to: "bad.tsv")
    try folder.write("kale\tgrens\tx\n", to: "label.tsv")
    try folder.write("# nothing\n\n", to: "empty.tsv")
    try folder.write("oat milk\tmilk\tx\n", to: "one.tsv")
    try folder.write("{\"format\": \"aisle-baseline\", \"version\": 9}", to: "old.json")
    let finished = try RunningAisle(["eval"] + arguments, in: folder).finish()
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: \(message)\n")
    #expect(finished.output.isEmpty)
  }

  @Test("A tag's floor is no score of a corpus without tags")
  func noTags() throws {
    try folder.write("kale\tgreens\n", to: "plain.tsv")
    let finished = try eval("--corpus", "plain.tsv", "--fail-under", "tag:x=90")
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: --fail-under tag:x: there is no `x`; the corpus has no tags\n")
  }

  @Test("The names of several files say the formats, and --brief is printed beside them")
  func formatsOfNames() throws {
    let finished = try eval("--output", "r.html", "--output", "r.json", "--brief")
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    #expect(finished.text == (try eval("--brief").text) && !finished.output.isEmpty)
    let (page, json) = try (
      String(contentsOfFile: "\(folder.path)/r.html", encoding: .utf8),
      String(contentsOfFile: "\(folder.path)/r.json", encoding: .utf8)
    )
    #expect(page.hasPrefix("<!") && json.hasPrefix("{"))
  }

  @Test("Every error of a corpus has a line, ten at most")
  func manyErrors() throws {
    try folder.write((1...25).map { "kale \($0)\tnowhere\tx\n" }.joined(), to: "bad.tsv")
    let finished = try eval("--corpus", "bad.tsv")
    let lines = finished.diagnostics.split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines.last == "aisle: and 15 more; run `aisle corpus check` to see all")
  }

  @Test("Several reports are written at once, each to its file; the one without is printed")
  func reports() throws {
    let finished = try eval(
      "--reporter", "json", "--output", "r.json", "--reporter", "junit", "--output", "r.xml", "--reporter", "jsonl")
    #expect(finished.ending == .exited(0))
    #expect(finished.text.split(separator: "\n").count == 42)
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: "\(folder.path)/r.json"))) as? [String: Any]
    #expect((json?["metrics"] as? [String: Any])?["accuracy"] != nil)
    #expect(try String(contentsOfFile: "\(folder.path)/r.xml", encoding: .utf8).hasPrefix("<?xml"))
  }

  @Test(
    "Nothing is written when something fails, and no part is left",
    arguments: [["--corpus", "bad.tsv"], ["--output", "none/r.json"], ["--output", "r.json"]])
  func nothingPartial(arguments: [String]) throws {
    try folder.write("kale\n", to: "bad.tsv")
    try folder.write("as it was", to: "r.html")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let outputs = arguments[0] == "--output" ? ["--reporter", "json"] + arguments : arguments
    // The last of the reports cannot be written, so none is.
    let last = arguments[1] == "r.json" ? ["--reporter", "text", "--output", "taxonomies"] : []
    let finished = try RunningAisle(["eval"] + outputs + ["--reporter", "html", "--output", "r.html"] + last, in: folder).finish()
    #expect(finished.ending == .exited(2))
    #expect(try String(contentsOfFile: "\(folder.path)/r.html", encoding: .utf8) == "as it was")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
  }

  @Test("Another store is scored from the same corpus; what it has no section for is left out")
  func otherStore() throws {
    try folder.write(
      "store: far\nfallback: Deli\nsections:\n  - name: Deli\n    shelves: [greens, milk, candy]\n", to: "taxonomies/far.yaml")
    try folder.write("kale\tgreens\tx\nbutter\tDeli\tx\nnonsense\tOther\tx\n", to: "few.tsv")
    let finished = try eval("--store", "corner", "--corpus", "few.tsv")
    #expect(finished.ending == .exited(0))
    #expect(finished.text.contains("2 items in "))
    #expect(finished.text.contains("100.0%"))
    #expect(finished.text.contains("1 item left out: no section of this store for their labels: Deli\n"))
  }

  @Test(
    "A corpus in the words of a store that extends another is scored in them, also where the other has a section of that name")
  func ownWords() throws {
    try folder.write(
      "store: two\nextends: kroger\nsections:\n  - name: Beer Cave\n    shelves: [beer]\n", to: "alone/two.yaml")
    try folder.write("cola\tBeverages\norange juice\tBeverages\nlager\tBeer Cave\n", to: "own.tsv")
    let own = try eval("--store", "two", "--taxonomies", "alone", "--corpus", "own.tsv")
    #expect(own.text.contains(" 3 items in ") && !own.text.contains("left out"), "\(own.text)\(own.diagnostics)")
    // Nothing here says that it was labeled for this store, and Kroger's section has beer.
    try folder.write("cola\tBeverages\nlager\tbeer\n", to: "others.tsv")
    let others = try eval("--store", "two", "--taxonomies", "alone", "--corpus", "others.tsv")
    #expect(others.text.contains("1 item left out: no section of this store for their labels: Beverages\n"), "\(others.text)")
  }

  @Test("Chains of several strategies show what each did, their overlap, and what leaving one out costs")
  func chain() throws {
    let finished = try eval("--chain", "keyword>=0.99,keyword(mode=substring)", "--ablate", "--repeat", "3")
    #expect(finished.ending == .exited(0))
    #expect(finished.text.contains("keyword>=0.99 and keyword(mode=substring): both decide "))
    #expect(finished.text.contains("without keyword>=0.99"))
    #expect(finished.text.contains("3 runs: "))
    #expect(finished.text.contains("0 items answered differently"))
  }

  @Test("Blessing twice writes the same bytes, and a baseline of a single store")
  func bless() throws {
    let first = try aisle("bless", in: folder)
    #expect(first.ending == .exited(0))
    #expect(first.diagnostics == "corpus/baselines/kroger.json: 42 items, 95.2% right\n")
    let path = "\(folder.path)/corpus/baselines/kroger.json"
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(try aisle("bless", "--jobs", "2", in: folder).ending == .exited(0))
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    let other = try eval("--store", "corner", "--baseline", "corpus/baselines/kroger.json")
    #expect(other.ending == .exited(2))
    #expect(
      other.diagnostics
        == "aisle: cannot compare: one is for the store kroger, the other for corner; compare evaluations of the same store\n")
  }

  private static let placelessCases: [(arguments: [String], message: String)] = [
    (
      ["--split", "holdout"],
      "the default baseline holds all items, and only part of the corpus was scored; name another file with --baseline"
    ),
    (
      ["--tag", "leaf"],
      "the default baseline holds all items, and only part of the corpus was scored; name another file with --baseline"
    ),
    (
      ["--corpus", "corpus/items.tsv"],
      "corpus/items.tsv: a single corpus file has no default baseline; name one with --baseline"
    ),
    (
      ["--corpus", "corpus", "corpus/items.tsv"],
      "several corpus files have no default baseline; name one with --baseline"
    ),
  ]

  @Test("A baseline of other items than the folder's own needs a name, and the folder's own stays", arguments: placelessCases)
  func placeless(arguments: [String], message: String) throws {
    try folder.write("as it was", to: "corpus/baselines/kroger.json")
    let refused = try RunningAisle(["bless"] + arguments, in: folder).finish()
    #expect(refused.ending == .exited(2))
    #expect(refused.diagnostics == "aisle: \(message)\n")
    #expect(try String(contentsOfFile: "\(folder.path)/corpus/baselines/kroger.json", encoding: .utf8) == "as it was")
    let named = try RunningAisle(["bless", "--baseline", "part.json"] + arguments, in: folder).finish()
    #expect(named.ending == .exited(0), "\(named.diagnostics)")
  }

  @Test("Blessing replaces a baseline of this store, whatever its version, and an empty file; nothing else")
  func blessReplaces() throws {
    let ours = #"{"format": "aisle-baseline", "version": 9, "store": "kroger""#
    for text in ["", ours] {
      try folder.write(text, to: "b.json")
      #expect(try aisle("bless", "--baseline", "b.json", in: folder).ending == .exited(0), "\(text)")
    }
    for (text, message) in [
      ("a diary", "b.json: is not a baseline; it was left unchanged; name another file with --baseline"),
      ("{\"a\": 1}", "b.json: is not a baseline"), ("[]", "b.json: is not a baseline"),
      (
        ours.replacingOccurrences(of: "kroger", with: "corner") + "}",
        "b.json: is the baseline of corner, not kroger; it was left unchanged; name another file with --baseline"
      ),
    ] {
      try folder.write(text, to: "b.json")
      let refused = try aisle("bless", "--baseline", "b.json", in: folder)
      #expect(refused.ending == .exited(2))
      #expect(refused.diagnostics.contains(message), "\(refused.diagnostics)")
      #expect(try String(contentsOfFile: "\(folder.path)/b.json", encoding: .utf8) == text)
    }
  }

  @Test("A baseline can be printed")
  func printedBaseline() throws {
    _ = try aisle("bless", "--baseline", "b.json", in: folder)
    let printed = try aisle("bless", "--baseline", "-", in: folder)
    #expect(printed.ending == .exited(0))
    #expect(printed.output == (try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/b.json"))))
    #expect(printed.diagnostics == "42 items, 95.2% right\n")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/-"))
  }

  @Test(
    "An empty path is a mistake that names its option",
    arguments: [
      ["eval", "--baseline", ""], ["bless", "--baseline", ""], ["eval", "--corpus", ""], ["corpus", "check", "--corpus", ""],
    ])
  func emptyPath(arguments: [String]) throws {
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(64))
    #expect(finished.diagnostics.contains("\(arguments[arguments.count - 2]) is empty; name a file"), "\(finished.diagnostics)")
  }

  @Test("The help says which chain there is where none is named, as each command has it")
  func chainHelp() throws {
    for (command, isAsked) in [("eval", false), ("bless", false), ("categorize", true)] {
      let words = try aisle(command, "--help", in: folder).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("preceded by `learned` if there are corrections") == isAsked, "\(command)")
      #expect(words.contains("corrections count only if the chain names it") != isAsked, "\(command)")
    }
  }

  @Test("Comparing two baselines names what flipped each way, and fails as eval does")
  func compare() throws {
    #expect(try aisle("bless", "--baseline", "a.json", in: folder).ending == .exited(0))
    try remove("kale", from: "greens")
    try folder.write(
      try String(contentsOfFile: "\(folder.path)/corpus/items.tsv", encoding: .utf8) + "more kale\tgreens\tx\n",
      to: "corpus/items.tsv")
    #expect(try aisle("bless", "--baseline", "b.json", in: folder).ending == .exited(0))
    let worse = try aisle("compare", "a.json", "b.json", in: folder)
    #expect(worse.ending == .exited(1))
    #expect(worse.text.hasPrefix("−23.8 points on 42 items (95% interval −"))
    #expect(worse.text.contains("compared on shared items; 0 items only before, 1 only after, 0 with different labels now"))
    #expect(worse.text.contains("Produce  20 → 10  of 21"), "\(worse.text)")
    let better = try aisle("compare", "b.json", "a.json", in: folder)
    #expect(better.ending == .exited(0))
    #expect(better.text.contains("won: 10\n"))
    let json = try aisle("compare", "a.json", "b.json", "--reporter", "json", in: folder)
    #expect(json.ending == .exited(1))
    #expect(try JSONSerialization.jsonObject(with: json.output) is [String: Any])
  }

  @Test("Watching says what flipped when a shelf is saved, and goes on after a mistake in it")
  func watch() throws {
    let running = try RunningAisle(["eval", "--watch", "--baseline", "off"], in: folder)
    try running.waitForOutput {
      String(decoding: $0, as: UTF8.self).contains("watching taxonomies, corpus; press Ctrl-C to stop\n")
    }
    try remove("spinach", from: "greens")
    try running.waitForOutput { String(decoding: $0, as: UTF8.self).contains("lost: 10\n") }
    try folder.write("kale\nspinach\n\u{0}", to: "taxonomies/shelves/greens.txt")
    try running.waitForErrors { String(decoding: $0, as: UTF8.self).contains("greens.txt:3:1: NUL byte") }
    try folder.write("kale\nspinach\n", to: "taxonomies/shelves/greens.txt")
    try running.waitForOutput { String(decoding: $0, as: UTF8.self).contains("won: 10\n") }
    running.signal(SIGINT)
    #expect(try running.finish(endingInput: false).ending == .exited(130))
  }
}
