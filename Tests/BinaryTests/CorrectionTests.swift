import Foundation
import Testing

/// Teaching, and what comes of it.
@Suite struct CorrectionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func categorize(_ items: String, _ options: String..., environment: [String: String] = [:]) throws -> String {
    let process = try RunningAisle(["categorize"] + options, in: folder, environment: environment)
    process.send(items)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0))
    return finished.text
  }

  private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") }

  @Test("A correction answers its item and those that are all but the same, and says who made it and when")
  func correct() throws {
    let finished = try aisle("correct", "oat milk", "snacks", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == "oat milk\tSnacks\n")
    #expect(
      try categorize("oat milk\n2 Oat Milks\nmilk\noat mlik\n")
        == "oat milk\tSnacks\n2 Oat Milks\tSnacks\nmilk\tDairy & Eggs\noat mlik\tSnacks\n")
    let explained = try categorize("OAT MILK\n", "--explain").split(separator: "\t").map(String.init)
    #expect(Array(explained.prefix(4)) == ["OAT MILK", "Snacks", "0.99", "learned"])
    #expect(
      explained[4].wholeMatch(of: /oat milk, by jane on 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d\d\d)?Z/) != nil, "\(explained[4])")
    #expect(explained.contains("same"))
    let again = try aisle("correct", "Oat milk", "Produce", "--by", "joe", in: folder)
    #expect(again.diagnostics == "it was Snacks, by jane\n")
    #expect(try categorize("oat milk\n") == "oat milk\tProduce\n")
  }

  @Test("A line break of a corrected item is not shown raw")
  func lineBreak() throws {
    let finished = try aisle("correct", "a\nb", "Snacks", in: folder)
    #expect(finished.text == "a␊b\tSnacks\n")
    #expect(try aisle("correct", "a\nb", "Produce", in: folder).diagnostics == "it was Snacks, by jane\n")
  }

  @Test("Without corrections nothing is asked, and nothing is made")
  func nothingTaught() throws {
    #expect(try categorize("oat milk\n") == "oat milk\tDairy & Eggs\n")
    #expect(!(try aisle("chain", "show", in: folder).text.contains("\tlearned")))
    for command in [
      ["corrections", "list"], ["corrections", "export"], ["suggestions", "list"], ["suggestions", "export"],
      ["strategies", "show", "learned"],
    ] {
      #expect(try RunningAisle(command, in: folder).finish().ending == .exited(0), "\(command)")
    }
    for command in [["corrections", "forget", "x"], ["corrections", "undo"]] {
      #expect(try RunningAisle(command, in: folder).finish().ending == .exited(1), "\(command)")
    }
    #expect(!isThere("data"))
  }

  @Test("An option names the file, else a variable, else the configuration, else it is in the data folder")
  func whichFile() throws {
    try folder.write("corrections: ./team.db\n", to: "aisle.yaml")
    try folder.write("store: kroger\n", to: "plain.yaml")
    for (arguments, environment, file) in [
      (["--config", "plain.yaml"], [:], "data/aisle/aisle.db"), ([], [:], "team.db"),
      ([], ["AISLE_DB": "variable.db"], "variable.db"),
      (["--db", "flag.db"], ["AISLE_DB": "variable.db"], "flag.db"),
    ] as [([String], [String: String], String)] {
      #expect(!isThere(file))
      let corrected = try RunningAisle(["correct", "oat milk", "Snacks"] + arguments, in: folder, environment: environment)
        .finish()
      #expect(corrected.ending == .exited(0))
      #expect(isThere(file))
      let process = try RunningAisle(["categorize"] + arguments, in: folder, environment: environment)
      process.send("oat milk\n")
      #expect(try process.finish().text == "oat milk\tSnacks\n", "\(file)")
    }
    for environment in [["AISLE_DB": "off"], ["AISLE_DB": "not-there.db"]] {
      #expect(try categorize("oat milk\n", environment: environment) == "oat milk\tDairy & Eggs\n")
    }
    #expect(try categorize("oat milk\n", "--db", "off") == "oat milk\tDairy & Eggs\n")
    let missing = try aisle("categorize", "--db", "typo.db", input: "oat milk\n", in: folder)
    #expect(missing.ending == .exited(0))
    #expect(missing.text == "oat milk\tDairy & Eggs\n")
    #expect(missing.diagnostics.contains("typo.db: no corrections there yet; `aisle correct ITEM SECTION` adds the first"))
    #expect(!isThere("typo.db"))
    #expect(try aisle("correct", "a", "Snacks", "--db", "off", in: folder).diagnostics.contains("name one with --db"))
  }

  @Test("`off` is no file, also in the configuration")
  func off() throws {
    try folder.write("corrections: off\n", to: "aisle.yaml")
    let refused = try aisle("correct", "oat milk", "Snacks", in: folder)
    #expect(refused.ending == .exited(2))
    #expect(refused.diagnostics.contains("no corrections file"))
    #expect(try categorize("oat milk\n") == "oat milk\tDairy & Eggs\n")
    #expect(!isThere("off"))
    #expect(try aisle("correct", "oat milk", "Snacks", "--db", "team.db", in: folder).ending == .exited(0))
  }

  @Test("A name that SQLite takes for something else is the name of a file; an empty one is a mistake")
  func literalNames() throws {
    for name in [":memory:", "file:fresh.db", "file:x.db?mode=memory"] {
      #expect(try aisle("correct", "oat milk", "Snacks", "--db", name, in: folder).ending == .exited(0))
      #expect(isThere(name))
      #expect(try categorize("oat milk\n", environment: ["AISLE_DB": name]) == "oat milk\tSnacks\n", "\(name)")
    }
    for command in [["correct", "oat milk", "Snacks"], ["categorize"], ["corrections"]] {
      let empty = try RunningAisle(command + ["--db", ""], in: folder).finish()
      #expect(empty.ending == .exited(64))
      #expect(empty.diagnostics.contains("--db is empty; name a file, or `off` for none."), "\(empty.diagnostics)")
    }
    try folder.write("corrections: ''\n", to: "aisle.yaml")
    let empty = try aisle("correct", "oat milk", "Snacks", in: folder)
    #expect(empty.ending == .exited(2))
    #expect(empty.diagnostics.contains("aisle.yaml:1:14: `corrections` is empty; name a file, or `off` for none"))
  }

  @Test("A file that is something else is left alone, and the option that names another is said")
  func stranger() throws {
    try folder.write("a diary", to: "diary.txt")
    let refused = try aisle("correct", "oat milk", "Snacks", "--db", "diary.txt", in: folder)
    #expect(refused.ending == .exited(2))
    let message = "diary.txt: is not a corrections file and was left as it is; use another file with --db"
    #expect(refused.diagnostics == "aisle: \(message)\n")
    let passed = try aisle("categorize", "--db", "diary.txt", input: "kale\n", in: folder)
    #expect(passed.text == "kale\tProduce\n")
    #expect(passed.diagnostics.contains("\(message); continuing without corrections"))
    #expect(try aisle("doctor", "--db", "diary.txt", in: folder).text.contains(message))
  }

  @Test("A section or store that is not there is no correction; what was meant is named")
  func unknownNames() throws {
    for (arguments, message) in [
      (["kale", "Snaks"], "no section `Snaks` in kroger; did you mean `Snacks`?"),
      (["kale", "grens"], "no section or shelf `grens` in kroger; did you mean `greens`?"),
      (["kale", "Snacks", "--store", "krogr"], "did you mean `kroger`?"), (["…", "Snacks"], "no letter or digit"),
    ] {
      let finished = try RunningAisle(["correct"] + arguments, in: folder).finish()
      #expect(finished.ending == .exited(2))
      #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
    }
    #expect(try aisle("corrections", in: folder).text == "")
  }

  @Test("A correction for one store informs another through its shelf alone")
  func otherStores() throws {
    _ = try aisle("correct", "kale chips", "Snacks", in: folder)
    #expect(try categorize("kale chips\n", "--store", "corner") == "kale chips\tFront\n")
    _ = try aisle("correct", "zork", "candy", in: folder)
    #expect(try categorize("zork\n", "--store", "corner", "--explain").contains("\tFront\t0.89\tlearned\tzork, by jane"))
    _ = try aisle("correct", "zork", "Back Room", "--store", "corner", in: folder)
    #expect(try categorize("zork\n", "--store", "corner") == "zork\tBack Room\n")
    #expect(try categorize("zork\n") == "zork\tSnacks\n")
  }

  @Test("What was taught can be listed, forgotten and taken back")
  func forgetAndUndo() throws {
    _ = try aisle("correct", "oat milk", "Snacks", in: folder)
    _ = try aisle("correct", "kale", "candy", "--by", "joe", in: folder)
    let rows = try aisle("corrections", "list", in: folder).text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(
      rows.map { $0.prefix(5) } == [["kroger", "kale", "Snacks", "candy", "joe"], ["kroger", "oat milk", "Snacks", "", "jane"]])
    let other = try aisle("corrections", "list", "--store", "Kroger", in: folder)
    #expect(other.text.isEmpty && other.diagnostics == "no corrections for the store `Kroger`; did you mean `kroger`?\n")
    #expect(try aisle("corrections", "forget", "--by", "joe", in: folder).diagnostics == "forgot 1 correction\n")
    #expect(try categorize("kale\n") == "kale\tProduce\n")
    #expect(try aisle("corrections", "undo", in: folder).text == "undone\tforget 1 correction\n")
    #expect(try categorize("kale\n") == "kale\tSnacks\n")
    #expect(try aisle("corrections", "undo", in: folder).text == "undone\tcorrect kale -> Snacks\n")
    #expect(try aisle("corrections", "undo", in: folder).text == "undone\tcorrect oat milk -> Snacks\n")
    #expect(try aisle("corrections", "undo", in: folder).ending == .exited(1))
    let history = try aisle("corrections", "history", "--last", "5", in: folder).text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).enumerated().filter { $0.offset != 1 }.map {
        String($0.element)
      }
    }
    #expect(
      history == [
        ["6", "undo correct oat milk -> Snacks", ""], ["5", "undo correct kale -> Snacks", ""],
        ["4", "undo forget 1 correction", ""],
        ["3", "forget 1 correction", "undone"], ["2", "correct kale -> Snacks", "undone"],
      ], "\(history)")
    for usage in [["forget"], ["forget", "--all", "kale"]] {
      #expect(try RunningAisle(["corrections"] + usage, in: folder).finish().ending == .exited(64))
    }
  }

  @Test("A section's corrections are orphans once it is renamed: listed, not used, until they are given the new name")
  func renamedSection() throws {
    _ = try aisle("correct", "oat milk", "Snacks", in: folder)
    let store = try String(contentsOfFile: "\(folder.path)/taxonomies/kroger.yaml", encoding: .utf8)
    #expect(
      try aisle("stores", "rename-section", "Snacks", "Produce", in: folder).diagnostics.contains(
        "still has the section `Snacks`"))
    try folder.write(store.replacing("name: Snacks", with: "name: Treats"), to: "taxonomies/kroger.yaml")
    #expect(try categorize("oat milk\n") == "oat milk\tDairy & Eggs\n")
    let orphans = try aisle("corrections", "list", "--orphans", in: folder)
    #expect(orphans.text.hasPrefix("kroger\toat milk\tSnacks\t") && orphans.text.hasSuffix("\torphan\t\n"))
    #expect(try aisle("corrections", in: folder).diagnostics.contains("1 is an orphan"))
    #expect(try aisle("stores", "rename-section", "Snacks", "Treat", in: folder).diagnostics.contains("did you mean `Treats`?"))
    let renamed = try aisle("stores", "rename-section", "Snacks", "treats", in: folder)
    #expect(renamed.diagnostics == "Treats: 1 correction, 0 suggestions moved\n")
    #expect(try categorize("oat milk\n") == "oat milk\tTreats\n")
    #expect(try aisle("corrections", "list", "--orphans", in: folder).text == "")
  }

  @Test("An evaluation asks the corrections only where the chain names them")
  func evaluation() throws {
    try folder.write("kale\tProduce\n", to: "corpus/one.tsv")
    _ = try aisle("correct", "kale", "Snacks", in: folder)
    #expect(try aisle("eval", "--corpus", "corpus", in: folder).text.contains("1 right"))
    #expect(try aisle("eval", "--corpus", "corpus", "--chain", "learned,keyword", in: folder).text.contains("0 right"))
  }

  @Test("A damaged file: items are answered without it, and a warning names it; commands about it fail; it stays as it is")
  func damagedFile() throws {
    _ = try aisle("correct", "oat milk", "Snacks", in: folder)
    let file = "\(folder.path)/data/aisle/aisle.db"
    let sound = try Data(contentsOf: URL(fileURLWithPath: file))
    var flipped = sound
    for place in 100..<200 { flipped[place] ^= 0x55 }
    for bytes in [flipped, sound.prefix(4096), sound.prefix(50), Data("a diary".utf8)] {
      try? FileManager.default.removeItem(atPath: file + "-index")
      try bytes.write(to: URL(fileURLWithPath: file))
      let finished = try aisle("categorize", input: "oat milk\n", in: folder)
      #expect(finished.ending == .exited(0))
      #expect(finished.text == "oat milk\tDairy & Eggs\n")
      #expect(finished.diagnostics.hasPrefix("aisle: \(file): "), "\(finished.diagnostics)")
      for command in [
        ["correct", "kale", "Snacks"], ["corrections", "list"], ["suggestions", "list"],
        ["eval", "--chain", "learned", "--corpus", "x"],
      ] {
        let failed = try RunningAisle(command, in: folder).finish()
        #expect(failed.ending == .exited(2), "\(command)")
        #expect(failed.diagnostics.contains(file), "\(command): \(failed.diagnostics)")
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    }
  }
}
