import Foundation
import Testing

/// `aisle tune suggest` and `watch`.
@Suite struct TuneSuggestTests {
  private let folder: ScratchFolder

  init() throws { folder = try TuningFolder.make() }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
  }

  @Test("Proposals are those that gain most, checked on the holdout, with the items that they move")
  func suggest() throws {
    let finished = try aisle("tune", "suggest", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
    #expect(finished.text == Self.suggestText)
  }

  private static let suggestText = """
    14 items to tune on, 5 of them wrong; 3 holdout items to check on
    3 proposals

    1  +greens: chard
        tune +3 −0, holdout +1 −0
        won  rainbow chard  Other -> Produce
        won  red chard  Other -> Produce
        won  green chard  Other -> Produce

    From here on, each proposal gains only one item: accept it only if it would help other items too.

    2  +candy: kale chips
        tune +1 −0, holdout +0 −0
        won  kale chips  Produce -> Snacks

    3  +milk: hot chocolate
        tune +1 −0, holdout +0 −0
        won  hot chocolate  Snacks -> Dairy & Eggs

    To apply one: aisle tune try '+greens: chard' --apply

    """

  @Test(
    "A keyword is not proposed to be removed where it would lose its section by itself, and is where items of its name want that")
  func stranded() throws {
    try folder.write("zork\nvelm\n", to: "taxonomies/shelves/candy.txt")
    let items = ["zork a1", "zork b2", "zork c3", "velm d4", "velm e5", "velm", "kale"].map { "\($0)\tOther\tx\n" }.joined()
    try folder.write(items.replacing("kale\tOther", with: "kale\tgreens"), to: "corpus/items.tsv")
    let text = try aisle("tune", "suggest", "--examples", "0", in: folder).text
    #expect(text.contains("-candy: velm\n"), "\(text)")
    #expect(!text.contains("-candy: zork\n"), "\(text)")
  }

  @Test("What people corrected is learned from too")
  func corrections() throws {
    _ = try aisle("correct", "zorkfruit jelly", "Snacks", in: folder)
    let finished = try aisle("tune", "suggest", in: folder)
    #expect(finished.text.contains("1 of the items to tune on is a correction\n"))
    #expect(finished.text.contains("zorkfruit jelly  Other -> Snacks"), "\(finished.text)")
  }

  @Test("Rows for programs have the changes as `tune try` takes them")
  func rows() throws {
    let lines = try aisle("tune", "suggest", "--format", "jsonl", in: folder).text.split(separator: "\n")
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let edits = try #require(object["edits"] as? [String])
      let tried = try RunningAisle(["tune", "try", "--split", "tune"] + edits, in: folder).finish()
      #expect(tried.ending == .exited(0))
      let (won, lost) = (object["won"] as? Int ?? -1, object["lost"] as? Int ?? -1)
      #expect(tried.text.contains("won \(won), lost \(lost)"), "\(tried.text)")
    }
    #expect(!lines.isEmpty)
  }

  @Test("--interactive needs a terminal")
  func noTerminal() throws {
    let finished = try aisle("tune", "suggest", "--interactive", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("standard input is not a terminal"))
  }

  /// Types keys, each once the question for it is there, and gives what was shown.
  private func review(_ keys: [String]) throws -> Finished {
    let process = try RunningAisle(
      ["tune", "suggest", "--interactive", "--color", "never"], in: folder, input: .terminal, output: .terminal)
    for (place, key) in keys.enumerated() {
      try process.waitForOutput { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n> ").count > place + 1 }
      process.send(key)
    }
    return try process.finish(endingInput: false)
  }

  @Test("y writes a proposal into the file at once, u takes it back, n rejects, q ends")
  func interactive() throws {
    let before = try text("taxonomies/shelves/greens.txt")
    let undone = try review(["y", "u", "n", "q"])
    #expect(undone.ending == .exited(0))
    #expect(undone.text.contains("accepted: taxonomies/shelves/greens.txt:"))
    #expect(undone.text.contains("undone\n") && undone.text.contains("rejected\n"))
    #expect(try text("taxonomies/shelves/greens.txt") == before)
    let accepted = try review(["u", "y", "q"])
    #expect(accepted.text.contains("nothing to undo here\n"))
    #expect(accepted.text.contains("\n1 accepted, 0 rejected; tune: 9 -> 12 of 14 right\n"), "\(accepted.text)")
    #expect(try text("taxonomies/shelves/greens.txt").contains("\nchard\n"))
    #expect(!accepted.output.contains(0x1B))
  }

  @Test("Ctrl-C ends it; what was accepted stays")
  func interrupted() throws {
    let process = try RunningAisle(["tune", "suggest", "-i"], in: folder, input: .terminal, output: .terminal)
    try process.waitForOutput { String(decoding: $0, as: UTF8.self).contains("\n> ") }
    process.send("y")
    try process.waitForOutput { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n> ").count > 2 }
    process.signal(SIGINT)
    #expect(try process.finish(endingInput: false).ending == .exited(130))
    #expect(try text("taxonomies/shelves/greens.txt").contains("\nchard\n"))
  }

  @Test("Watching names the keyword that made items flip, and its line")
  func watch() throws {
    let running = try RunningAisle(["tune", "watch", "--color", "never"], in: folder)
    try running.waitForOutput {
      String(decoding: $0, as: UTF8.self).contains("watching taxonomies, corpus; press Ctrl-C to stop\n")
    }
    try folder.write("# Leaves.\nkale\nspinach\n?leafy\nchard\n", to: "taxonomies/shelves/greens.txt")
    try running.waitForOutput {
      let text = String(decoding: $0, as: UTF8.self)
      return text.contains("+greens: chard  taxonomies/shelves/greens.txt:5\n")
        && text.contains("  green chard    Other -> Produce  +greens: chard  taxonomies/shelves/greens.txt:5\n")
        && text.contains("tune: won 3, lost 0   holdout: won 1, lost 0 (its items are not shown)\n")
    }
    try folder.write("# Leaves.\nspinach\n?leafy\nchard\n", to: "taxonomies/shelves/greens.txt")
    try running.waitForOutput {
      String(decoding: $0, as: UTF8.self).contains(
        "-greens: kale  taxonomies/shelves/greens.txt:2\n")
    }
    running.signal(SIGINT)
    #expect(try running.finish(endingInput: false).ending == .exited(130))
  }
}
