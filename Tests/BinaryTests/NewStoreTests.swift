import Foundation
import Testing

/// `aisle stores new`.
@Suite struct NewStoreTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8) }

  @Test("A new store checks clean at once, and the next steps are named")
  func template() throws {
    let finished = try aisle("stores", "new", "joes-market", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.output.isEmpty)
    #expect(
      finished.diagnostics == """
        taxonomies/joes-market.yaml: 3 sections, 3 shelves, no errors
        next: put the sections in walking order, move each shelf to its section, and run
          aisle stores check joes-market
          aisle categorize --store joes-market
          aisle stores diff kroger joes-market

        """)
    let check = try aisle("stores", "check", in: folder)
    #expect(check.ending == .exited(0) && check.diagnostics == "3 stores: no errors\n")
    #expect(try aisle("stores", "list", in: folder).text.contains("joes-market\tJoes Market\t"))
    let categorized = try RunningAisle(["categorize", "--store", "joes-market"], in: folder)
    categorized.send("oat milk\nkale\n")
    #expect(try categorized.finish().text == "oat milk\tDairy & Eggs\nkale\tOther\n")
  }

  @Test("With --taxonomies the next steps have it too, and --name is what the store is called")
  func elsewhere() throws {
    try folder.makeFolder("my stores/shelves")
    let finished = try aisle("stores", "new", "joes", "--name", "Joe's: the \"Market\"", "--taxonomies", "my stores", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics.contains("  aisle stores check joes --taxonomies 'my stores'\n"))
    #expect(!finished.diagnostics.contains("diff"))
    #expect(
      try aisle("stores", "list", "--taxonomies", "my stores", in: folder).text.hasPrefix(
        "joes\tJoe's: the \"Market\"\t1 section\n"))
  }

  @Test("A copy has the sections of the other store")
  func copy() throws {
    let finished = try aisle("stores", "new", "mine", "--from", "kroger", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(try aisle("stores", "show", "mine", in: folder).text == (try aisle("stores", "show", "kroger", in: folder)).text)
    #expect(try text("taxonomies/mine.yaml").contains("store: mine\nname: Mine\n"))
  }

  @Test("A store whose lines end as on Windows can be copied")
  func windows() throws {
    try folder.write(
      try text("taxonomies/kroger.yaml").replacingOccurrences(of: "\n", with: "\r\n"), to: "taxonomies/kroger.yaml")
    #expect(try aisle("stores", "new", "mine", "--from", "kroger", in: folder).ending == .exited(0))
    #expect(try aisle("stores", "check", "mine", in: folder).ending == .exited(0))
  }

  @Test("What is there is not overwritten, whatever it is")
  func noOverwriting() throws {
    let before = try text("taxonomies/kroger.yaml")
    for arguments in [["kroger"], ["kroger", "--from", "corner"], ["mine", "--output", "taxonomies/kroger.yaml"]] {
      let finished = try RunningAisle(["stores", "new"] + arguments, in: folder).finish()
      #expect(finished.ending == .exited(2))
      #expect(
        finished.diagnostics
          == "aisle: taxonomies/kroger.yaml: already exists and is not overwritten; choose another name or remove it first\n")
    }
    #expect(try text("taxonomies/kroger.yaml") == before)
  }

  @Test("It can be printed, or written elsewhere, which is then said")
  func output() throws {
    let printed = try aisle("stores", "new", "mine", "--output", "-", in: folder)
    #expect(printed.ending == .exited(0) && printed.diagnostics == "")
    let written = try aisle("stores", "new", "mine", "--output", "mine.yaml", in: folder)
    #expect(written.diagnostics == "mine.yaml: move it to taxonomies/mine.yaml to use it\n")
    #expect(try text("mine.yaml") == printed.text)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/taxonomies/mine.yaml"))
  }

  @Test(
    "A name that is no id is a usage error that says one that fits",
    arguments: [
      (["Joe's Market"], "write `joes-market`"), (["Ünï & Co."], "write `uni-and-co`"), (["../mine"], "write `mine`"),
      ([""], "at most 64."),
      (["template"], "choose another name"), (["mine", "--name", ""], "1 to 100 bytes"), ([], "Missing expected argument"),
    ])
  func badNames(arguments: [String], message: String) throws {
    let finished = try RunningAisle(["stores", "new"] + arguments, in: folder).finish()
    #expect(finished.ending == .exited(64))
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
  }

  @Test("A store to copy that is not there, and a folder that cannot be written, are failures that name it")
  func failures() throws {
    let unknown = try aisle("stores", "new", "mine", "--from", "kroge", in: folder)
    #expect(unknown.ending == .exited(2))
    #expect(unknown.diagnostics == "aisle: taxonomies: no store `kroge`; did you mean `kroger`?\n")
    let nowhere = try aisle("stores", "new", "mine", "--output", "no/such/mine.yaml", in: folder)
    #expect(nowhere.ending == .exited(2) && nowhere.diagnostics.hasPrefix("aisle: no/such/mine.yaml: cannot write"))
    try folder.write("milk\n", to: "taxonomies/shelves/more.txt")
    let conflict = try aisle("stores", "new", "mine", in: folder)
    #expect(conflict.ending == .exited(0))
    #expect(conflict.diagnostics.contains("1 error; run `aisle stores check mine`"))
  }

  @Test("Without a folder of stores it says what is missing")
  func builtInOnly() throws {
    let alone = try ScratchFolder()
    try FileManager.default.removeItem(atPath: "\(alone.path)/taxonomies")
    let finished = try aisle("stores", "new", "mine", in: alone, environment: ["AISLE_TAXONOMIES": ""])
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("name one with --taxonomies"))
  }
}
