import Foundation
import Testing

/// What people do with items in English, done in another language.
struct `In another language` {
  private let folder: ScratchFolder

  init() throws { folder = try LanguageFolder.make() }

  private func categorize(_ items: String, _ options: String..., environment: [String: String] = [:]) throws -> String {
    let process = try RunningAisle(["categorize"] + options, in: folder, environment: environment)
    process.feed([Data(items.utf8)])
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    return finished.text
  }

  private func row(_ text: String) -> [String] {
    let cells = text.trimmingCharacters(in: .newlines).split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return cells + Array(repeating: "", count: max(0, 10 - cells.count))
  }

  @Test func `items have sections, with file and line behind them`() throws {
    #expect(try categorize("Milch\n") == "Milch\tOther\n")
    let explained = row(try categorize("2 Liter Milch bitte\n", "--language", "de", "--explain"))
    #expect(explained[1] == "Dairy & Eggs" && explained[3] == "keyword" && explained[4] == "milch" && explained[5] == "8-13")
    #expect(explained[7] == "taxonomies/languages/de/shelves/milk.txt:1")
    #expect(row(try categorize("oat milk\n", "--language", "de"))[1] == "Dairy & Eggs")
  }

  @Test func `the language comes from the option, the variable, aisle.yaml, or the store, in this order`() throws {
    try folder.write("name: Svenska\nenglish: Swedish\nhead: last\n", to: "taxonomies/languages/sv/grammar.txt")
    try folder.write("milch\n", to: "taxonomies/languages/sv/shelves/candy.txt")
    try folder.write("store: eck\nextends: kroger\nlanguage: de\n", to: "taxonomies/eck.yaml")
    #expect(row(try categorize("milch\n", "--store", "eck"))[1] == "Dairy & Eggs")
    try folder.write("language: sv\n", to: "aisle.yaml")
    #expect(row(try categorize("milch\n", "--store", "eck"))[1] == "Snacks")
    #expect(row(try categorize("milch\n", environment: ["AISLE_LANGUAGE": "de"]))[1] == "Dairy & Eggs")
    #expect(row(try categorize("milch\n", "--language", "sv", environment: ["AISLE_LANGUAGE": "de"]))[1] == "Snacks")
    #expect(row(try categorize("milch\n", "--language", "en"))[1] == "Other")
  }

  @Test func `stores are listed with their language`() throws {
    try folder.write("store: eck\nname: Eck\nextends: kroger\nlanguage: de\n", to: "taxonomies/eck.yaml")
    let listed = try aisle("stores", "list", in: folder)
    #expect(listed.ending == .exited(0), "\(listed.text)")
    #expect(
      listed.text.split(separator: "\n")
        == ["corner\tThe Corner Shop\t2 sections", "eck\tEck\t4 sections\tde", "kroger\tKroger\t4 sections"])
  }

  @Test func `an evaluation says which language it was`() throws {
    try folder.write("Milch\tmilk\tplain\nKohl\tgreens\tplain\nLakritzen\tcandy\tplain\n", to: "corpus/languages/de.tsv")
    let arguments = ["eval", "--language", "de", "--corpus", "corpus/languages/de.tsv"]
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    #expect(finished.text.hasPrefix("Kroger (de) · ") && finished.text.contains("100.0%"), "\(finished.text)")
    for (reporter, part) in [
      ("json", "\"languages\":[\"de\",\"en\"]"), ("markdown", "Kroger \\(de\\)"), ("junit", "aisle eval kroger-de"),
      ("html", "Kroger (de)"),
    ] {
      let report = try RunningAisle(arguments + ["--reporter", reporter], in: folder).finish()
      #expect(
        report.text.contains(part) || report.text.contains(part.replacingOccurrences(of: "\\", with: "")),
        "\(reporter): \(report.text.prefix(400))")
    }
    let english = try aisle("eval", "--corpus", "corpus/languages/de.tsv", in: folder)
    #expect(english.text.hasPrefix("Kroger · "))
  }

  @Test func `tuning adds words to the language's shelf and takes them from it`() throws {
    try folder.write("Milch\tmilk\tplain\nKefir\tmilk\tplain\nKefir mild\tmilk\tplain\n", to: "corpus/de.tsv")
    let report = try aisle("tune", "report", "--language", "de", "--corpus", "corpus/de.tsv", in: folder)
    #expect(report.ending == .exited(0) && report.text.hasPrefix("Kroger (de) · "), "\(report.text)\(report.diagnostics)")
    let tried = try aisle(
      "tune", "try", "+milk: kefir", "-candy: lakritze", "--language", "de", "--corpus", "corpus/de.tsv", "--apply", in: folder)
    #expect(tried.ending == .exited(0), "\(tried.text)\(tried.diagnostics)")
    func text(_ file: String) throws -> String {
      try String(contentsOfFile: "\(folder.path)/taxonomies/\(file)", encoding: .utf8)
    }
    #expect(try text("languages/de/shelves/milk.txt").contains("kefir\n"))
    #expect(try text("languages/de/shelves/candy.txt") == "schokolade\n")
    #expect(try !text("shelves/milk.txt").contains("kefir"))
    #expect(row(try categorize("Kefir\n", "--language", "de"))[1] == "Dairy & Eggs")
    #expect(row(try categorize("Kefir\n"))[1] == "Other")
  }

  @Test func `corrections are learned, and found in other forms`() throws {
    let taught = try aisle("correct", "Hafermilch", "snacks", "--language", "de", in: folder)
    #expect(taught.ending == .exited(0) && taught.text == "Hafermilch\tSnacks\n", "\(taught.diagnostics)")
    #expect(try categorize("Hafermilch\nMilch\n", "--language", "de") == "Hafermilch\tSnacks\nMilch\tDairy & Eggs\n")
    let explained = row(try categorize("hafermilch\n", "--language", "de", "--explain"))
    #expect(explained[3] == "learned")
  }

  @Test func `overlays add words, take them away, and win`() throws {
    try folder.makeFolder("shop/.git")
    try folder.write(
      "store: eck\nextends: kroger\nlanguage: de\nsections:\n  - name: Hofladen\n    keywords: [grünkohl, -lakritze]\n",
      to: "taxonomies/eck.yaml")
    #expect(try aisle("stores", "check", "eck", in: folder).text == "")
    let answers = try categorize("Grünkohl\nKohl\nLakritze\nSchokolade\n", "--store", "eck")
    #expect(answers == "Grünkohl\tHofladen\nKohl\tProduce\nLakritze\tOther\nSchokolade\tSnacks\n")
  }

  @Test func `a keyword that English has too is changed in the language's own file`() throws {
    try folder.write("milch\nhafermilch\n", to: "taxonomies/languages/de/shelves/milk.txt")
    try folder.write("oat milk\nmilk\nmilch\n", to: "taxonomies/shelves/milk.txt")
    try folder.write("milch\tDairy & Eggs\n", to: "items.tsv")
    let finished = try aisle(
      "tune", "try", "-milk: milch", "+milk: !milch", "--language", "de", "--corpus", "items.tsv", "--apply", in: folder)
    #expect(finished.ending == .exited(0), "\(finished.text)\(finished.diagnostics)")
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: "\(folder.path)/taxonomies/\(path)", encoding: .utf8)
    }
    #expect(try text("languages/de/shelves/milk.txt") == "!milch\nhafermilch\n")
    #expect(try text("shelves/milk.txt") == "oat milk\nmilk\nmilch\n")
  }

  @Test func `a new store is read in the languages that are named`() throws {
    #expect(try aisle("stores", "new", "eck", "--language", "de,en", in: folder).ending == .exited(0))
    #expect(row(try categorize("Hafermilch\n", "--store", "eck"))[1] == "Dairy & Eggs")
    let copied = try aisle("stores", "new", "ecke", "--from", "eck", "--language", "de", "--output", "-", in: folder)
    #expect(
      copied.text.components(separatedBy: "\n").filter { $0.hasPrefix("language:") } == ["language: de"], "\(copied.diagnostics)")
    for arguments in [["stores", "new", "x", "--language", "auto"], ["languages", "new", "gsw", "--name", ""]] {
      #expect(try RunningAisle(arguments, in: folder).finish().ending == .exited(64))
    }
  }

  @Test func `two stores are compared and one is packed`() throws {
    try folder.write("store: eck\nextends: kroger\nlanguage: de\n", to: "taxonomies/eck.yaml")
    #expect(try aisle("stores", "diff", "kroger", "eck", in: folder).ending == .exited(0))
    let packed = try aisle("stores", "pack", "--store", "eck", "--output", "eck.aisle", in: folder)
    #expect(packed.ending == .exited(0) && packed.diagnostics.hasPrefix("eck.aisle: eck, "), "\(packed.diagnostics)")
  }

  @Test func `a model of the language decides what keywords leave, and nothing else`() throws {
    #expect(row(try categorize("schokoladig\n", "--language", "de"))[1] == "Other")
    let trained = try aisle("train", "--language", "de", "--db", "off", in: folder)
    #expect(
      trained.ending == .exited(0) && trained.diagnostics.contains("taxonomies/languages/de/shelves.model: 250 KiB"),
      "\(trained.diagnostics)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/taxonomies/shelves.model"))
    let rows = try categorize("schokoladig\nMilch\nqwertz\n", "--language", "de", "--explain").split(separator: "\n").map {
      row(String($0))
    }
    #expect(rows.map { $0[1] } == ["Snacks", "Dairy & Eggs", "Other"] && rows.map { $0[3] } == ["model", "keyword", "none"])
    #expect(row(try categorize("schokoladig\n", "--explain"))[3] != "model", "English does not ask the model of another language")
    // Its text goes into a packed store.
    let packed = try aisle("stores", "pack", "--language", "de", "--output", "de.aisle", in: folder)
    #expect(packed.ending == .exited(0))
    #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/de.aisle")).count > 250_000)
    try folder.write("aisle-model 3\n", to: "taxonomies/languages/de/shelves.model")
    let process = try RunningAisle(["categorize", "--language", "de"], in: folder)
    process.feed([Data("schokoladig\n".utf8)])
    let refused = try process.finish(endingInput: false)
    #expect(refused.ending == .exited(2))
    #expect(
      refused.diagnostics.contains("taxonomies/languages/de/shelves.model: line 1: ")
        && refused.diagnostics.contains("`aisle train`"),
      "\(refused.diagnostics)")
  }
}

/// The binary without its folder.
struct `A binary alone` {
  @Test func `says what is missing for another language, and where it is`() throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("empty/.git")
    let place =
      "are in the folder `taxonomies` of aisle's source, which tools/install installs; name that folder with --taxonomies"
    for (arguments, message) in [
      (
        ["--language", "de"],
        "aisle: --language: no language `de`: only English is built in; the files of other languages \(place)\n"
      ),
      (
        ["--store", "rewe"],
        "aisle: built-in stores: no store `rewe`: its lists are in another language, and only stores in English are built in; its files \(place)\n"
      ),
      (
        ["--store", "Rewe"],
        "aisle: built-in stores: no store `rewe`: its lists are in another language, and only stores in English are built in; its files \(place)\n"
      ),
    ] {
      let process = try RunningAisle(
        ["categorize"] + arguments, in: folder, place: "empty", environment: ["AISLE_TAXONOMIES": ""])
      process.feed([Data("Milch\n".utf8)])
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .exited(2) && finished.diagnostics == message)
    }
  }
}
