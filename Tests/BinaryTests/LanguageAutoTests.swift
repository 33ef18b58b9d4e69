import Foundation
import Testing

/// `--language auto`: each list is read in the language of its words.
@Suite struct LanguageAutoTests {
  private static let german = "Hafermilch\nÄpfel\n2 Becher Joghurt\nWaschmittel\n"
  private static let taxonomies = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "taxonomies").path

  private func run(_ arguments: [String], _ input: String, environment: [String: String] = [:]) throws -> Finished {
    let folder = try ScratchFolder()
    let aisle = try RunningAisle(
      ["categorize", "--taxonomies", Self.taxonomies] + arguments, in: folder, environment: environment)
    aisle.send(input)
    return try aisle.finish()
  }

  @Test func `a list is answered as in its language, and the summary names that`() throws {
    let auto = try run(["--language", "auto", "--summary"], Self.german)
    let named = try run(["--language", "de"], Self.german)
    #expect(auto.text == named.text && auto.ending == .exited(0))
    #expect(auto.text.hasPrefix("Hafermilch\tDairy & Eggs\nÄpfel\tProduce\n"))
    #expect(auto.diagnostics.contains("\nlanguage: de, detected from the list\n"))
    #expect(named.diagnostics == "")
  }

  @Test(arguments: ["tsv", "jsonl", "json", "csv", "list", "aisle.conf"])
  func `output has the same shape`(format: String) throws {
    let english = "oat milk\napples\npeanut butter\n"
    let auto = try run(["--language", "auto", "--format", format], english)
    let plain = try run(["--format", format], english)
    #expect(auto.output == plain.output && !plain.output.isEmpty)
    #expect(auto.diagnostics == "")
  }

  @Test func `the variable and the configuration say it too`() throws {
    let variable = try run(["--summary"], Self.german, environment: ["AISLE_LANGUAGE": "auto"])
    #expect(variable.diagnostics.contains("language: de,"))
    let folder = try ScratchFolder()
    try folder.write("language: auto\n", to: "aisle.yaml")
    let aisle = try RunningAisle(
      ["categorize", "--summary", "--taxonomies", Self.taxonomies, "--config", "aisle.yaml"], in: folder)
    aisle.send(Self.german)
    #expect(try aisle.finish().diagnostics.contains("language: de,"))
  }

  @Test func `it is decided once, by the first block, and what came is answered before more does`() throws {
    let folder = try ScratchFolder()
    let aisle = try RunningAisle(
      ["categorize", "--taxonomies", Self.taxonomies, "--language", "auto", "--line-buffered"], in: folder)
    aisle.send("Hafermilch\n")
    try aisle.waitForLines(1)
    aisle.send("milk\nEier\n")
    #expect(try aisle.finish().text.hasSuffix("Eier\tDairy & Eggs\n"))
  }

  @Test func `inputs that cannot be read are reported once and passed over`() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "empty.txt")
    try folder.write(Self.german, to: "de.txt")
    let aisle = try RunningAisle(
      ["categorize", "--taxonomies", Self.taxonomies, "--language", "auto", "--summary", "none.txt", "empty.txt", "de.txt"],
      in: folder)
    let done = try aisle.finish()
    #expect(done.ending == .exited(2))
    #expect(done.text.hasPrefix("Hafermilch\tDairy & Eggs\n"))
    #expect(done.diagnostics.components(separatedBy: "none.txt").count == 2)
    #expect(done.diagnostics.contains("4 items in"))
    #expect(done.diagnostics.contains("language: de,"))
  }

  @Test func `nothing of a table whose header differs comes out`() throws {
    let folder = try ScratchFolder()
    try folder.write("item,a\n", to: "one.csv")
    try folder.write("b,item\nx,Milch\n", to: "two.csv")
    let aisle = try RunningAisle(
      ["categorize", "--taxonomies", Self.taxonomies, "--language", "auto", "one.csv", "two.csv"], in: folder)
    let done = try aisle.finish()
    #expect(done.ending == .exited(2))
    #expect(done.text == "item,a,section\n")
  }

  @Test func `a table's items are looked at, not its other columns`() throws {
    let rows = "item,note\nHafermilch,organic milk please\nÄpfel,apples\nWaschmittel,laundry\n"
    let done = try run(["--language", "auto", "--summary", "--input-format", "csv"], rows)
    #expect(done.diagnostics.contains("language: de,"))
  }

  @Test func `an evaluation finds the language of its corpus`() throws {
    let folder = try ScratchFolder()
    try folder.write("Hafermilch\tplant-milk\nÄpfel\tapples-and-pears\nWaschmittel\tlaundry\nEier\teggs\n", to: "de.tsv")
    let common = ["eval", "--taxonomies", Self.taxonomies, "--corpus", "de.tsv", "--db", "off", "--language"]
    let auto = try RunningAisle(common + ["auto"], in: folder).finish()
    let named = try RunningAisle(common + ["de"], in: folder).finish()
    func figures(_ text: String) -> [Substring] { Array(text.split(separator: "\n").dropFirst().prefix(3)) }
    #expect(auto.text.contains("  accuracy   100.0%"))
    #expect(figures(auto.text) == figures(named.text))
  }

  @Test(arguments: [
    ["categorize", "--summary"], ["stores", "check", "kroger"], ["eval", "--corpus", "mine.tsv", "--db", "off"],
  ])
  func `where no other language is there, that is said once`(arguments: [String]) throws {
    let folder = try ScratchFolder()
    try folder.write("kale\tgreens\n", to: "mine.tsv")
    let aisle = try RunningAisle(arguments + ["--language", "auto"], in: folder)
    aisle.send("milk\n")
    let done = try aisle.finish()
    let warning = "aisle: language `auto` has only English to choose from; the files of other languages are in the folder "
    #expect(done.ending == .exited(0) && done.diagnostics.components(separatedBy: warning).count == 2, "\(done.diagnostics)")
    #expect(!done.diagnostics.contains("detected"))
  }

  @Test func `another language beside it is refused`() throws {
    let done = try run(["--language", "auto,de"], "milk\n")
    #expect(done.ending == .exited(2))
    #expect(done.diagnostics.contains("`auto` detects the language"))
  }
}
