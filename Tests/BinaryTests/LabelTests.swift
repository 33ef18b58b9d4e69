import Foundation
import Testing

/// Labeling items with single keys, at a real terminal.
@Suite struct LabelTests {
  private let lists: LabelFolder

  init() throws { lists = try LabelFolder() }

  // MARK: What is shown

  @Test("An item is shown with the answer, its shelf, how sure it is, the keyword's file and line, the rule, and other labels")
  func question() throws {
    try lists.folder.write("milk chocolate\n", to: "one.txt")
    let finished = try lists.label(["q"], ["one.txt", "--chain", "keyword,model", "--policy", "weigh"])
    #expect(finished.ending == .exited(0))
    #expect(finished.text.hasPrefix("1 item\nEnter accept  1-9 choose  / search  "))
    let lines = finished.text.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "1/1  milk chocolate"))
    #expect(lines[start + 1].wholeMatch(of: #/ {6}candy \(Snacks\)  0\.\d\d/#) != nil, "\(lines)")
    #expect(lines[start + 2] == "      keyword: chocolate, taxonomies/shelves/candy.txt:2")
    #expect(lines[start + 3].hasPrefix("      head: "))
    #expect(lines.contains("    1 milk (Dairy & Eggs)  runner-up milk"))
    #expect(!finished.output.contains(0x1B))
  }

  @Test("The second opinion is shown, and what another strategy says alone can be chosen: a section, where it names no shelf")
  func secondOpinion() throws {
    try lists.folder.write("butter toffee\n", to: "one.txt")
    let finished = try lists.label(["1"], ["one.txt"])
    #expect(finished.text.contains(#/\n {6}candy \(Snacks\)  0\.\d\d\n {6}model: like candy\n/#))
    #expect(finished.text.contains(#/\n {6}second opinion: keyword 0\.\d\d \(Dairy & Eggs\)\n/#))
    #expect(finished.text.contains(#/\n {4}1 Dairy & Eggs  keyword 0\.\d\d, butter\n> labeled: Dairy & Eggs\n/#))
    #expect(lists.written() == "butter toffee\tDairy & Eggs\n")
  }

  @Test("An item that no strategy decides has the fallback section's label")
  func undecided() throws {
    try lists.folder.write("zork\n", to: "one.txt")
    let finished = try lists.label(["\n"], ["one.txt", "--store", "corner"])
    #expect(finished.text.contains("1/1  zork\n      Other (Back Room)  0.00\n      no strategy decides\n> labeled: Other\n"))
    #expect(lists.written() == "zork\tOther\n")
  }

  @Test("Control characters of an item never reach the terminal raw")
  func hostile() throws {
    try lists.folder.write("zork \u{1B}[2Jx\n", to: "one.txt")
    let finished = try lists.label(["\n"], ["one.txt"])
    #expect(finished.text.contains("zork ␛[2Jx"))
    #expect(!finished.output.contains(0x1B))
    #expect(lists.written() == "zork \u{1B}[2Jx\tOther\n")
  }

  // MARK: Keys

  @Test("Enter and y accept, s skips, q quits; the corpus file has the shelf, and what was done is counted")
  func accept() throws {
    let finished = try lists.label(["\n", "s", "y", "q"])
    #expect(finished.ending == .exited(0))
    #expect(lists.asked(finished) == ["kale", "oat milk", "milk chocolate", "zork"])
    #expect(finished.text.contains("> labeled: greens\n"))
    #expect(finished.text.hasSuffix("\n2 labeled, 1 skipped, 2 left; to score the labels: aisle eval --corpus mine.tsv\n"))
    #expect(lists.written() == "kale\tgreens\nmilk chocolate\tcandy\n")
    #expect(try aisle("eval", "--corpus", "mine.tsv", in: lists.folder).text.contains("2 right"))
  }

  @Test("Other keys, digits that are not shown, and arrows do nothing")
  func otherKeys() throws {
    let finished = try lists.label(["\u{1B}[A9xé0\t\u{7F}\u{1B}s", "q"])
    #expect(finished.text.contains("0 labeled, 1 skipped, 4 left\n"))
    #expect(lists.written() == "(no file)")
  }

  @Test("/ searches by name and by product; a digit or Enter takes a match, letters search again, Escape goes back")
  func search() throws {
    let finished = try lists.label([
      "/oat milk\n\n", "/zzz\nmil\u{7F}k\n1", "/grns\ndairy\n\n", "/snacks\n\u{1B}", "/\n", "/\u{1B}", "s",
    ])
    #expect(finished.text.contains("    1 milk (Dairy & Eggs)  oat milk\n"))
    #expect(finished.text.contains("no shelf or section like `zzz`; Escape goes back"))
    #expect(finished.text.contains("search: d"))
    #expect(lists.written() == "kale\tmilk\noat milk\tmilk\nmilk chocolate\tDairy & Eggs\n")
    #expect(finished.text.contains("3 labeled, 1 skipped, 1 left"))
  }

  @Test("+ gives several labels, best first; Escape starts over with one")
  func several() throws {
    let finished = try lists.label(["+", "\n", "/candy\n\n", "/candy\n\n", "\n", "+", "/candy\n\n", "\u{1B}", "\n", "q"])
    #expect(finished.text.contains("greens|candy\n> labeled: greens|candy\n"))
    #expect(lists.written() == "kale\tgreens|candy\noat milk\tmilk\n")
  }

  @Test("u goes back and removes the line; the item is asked again; nothing before this run is undone")
  func undo() throws {
    try lists.folder.write("milk\tmilk\n", to: "mine.tsv")
    let finished = try lists.label(["u", "\n", "s", "u", "u", "s", "\n", "u", "q"])
    #expect(finished.text.contains("> nothing to undo here\n"))
    #expect(finished.text.contains("undone: asked again\n"))
    #expect(finished.text.contains("undone: the label is removed\n"))
    #expect(
      lists.asked(finished) == [
        "kale", "oat milk", "milk chocolate", "oat milk", "kale", "oat milk", "milk chocolate", "oat milk",
      ])
    #expect(lists.written() == "milk\tmilk\n")
  }

  @Test("? shows the keys; Ctrl-D and a terminal that goes away end it; Ctrl-C too, and what was labeled stays")
  func end() throws {
    #expect(try lists.label(["?", "\u{4}"]).text.components(separatedBy: "Enter accept  1-9 choose").count == 3)
    let process = try lists.started(["list.txt", "--order", "file"])
    try lists.waitForQuestion(process, 1)
    process.send("y")
    try lists.waitForQuestion(process, 2)
    process.signal(SIGINT)
    #expect(try process.finish(endingInput: false).ending == .exited(130))
    #expect(lists.written() == "kale\tgreens\n")
    let hungUp = try lists.started()
    try lists.waitForQuestion(hungUp, 1)
    #expect([.exited(0), .exited(2)].contains(try hungUp.finish().ending))
    #expect(lists.written() == "kale\tgreens\n")
  }

  // MARK: Order

  @Test("The least sure come first; an item that is there twice is asked once")
  func unsure() throws {
    let finished = try lists.label(["s", "s", "s", "s"], ["list.txt"])
    #expect(lists.asked(finished).first == "zork")
    #expect(lists.asked(finished).count == 4)
    #expect(finished.text.hasSuffix("\n0 labeled, 4 skipped, 4 left\n"))
  }

  @Test("Items on which strategies disagree come first")
  func disagree() throws {
    try lists.folder.write("zork\nkale\nmilk chocolate\nmilk\n", to: "list.txt")
    let chain = ["--chain", "keyword,keyword(mode=substring)", "--order", "disagree"]
    #expect(lists.asked(try lists.label(["s", "s", "s", "s"], ["list.txt"] + chain)).prefix(2) == ["milk chocolate", "zork"])
  }

  @Test("A random order is the same for a seed, goes on where it was, and --sample ends it")
  func random() throws {
    try lists.folder.write((1...30).map { "kale \($0)x\n" }.joined(), to: "list.txt")
    func order(_ seed: String, _ count: Int, to file: String) throws -> [String] {
      lists.asked(
        try lists.label(
          Array(repeating: "y", count: count),
          ["list.txt", "--order", "random", "--seed", seed, "--sample", "\(count)"], to: file))
    }
    let whole = try order("7", 12, to: "a.tsv")
    #expect(whole.count == 12)
    #expect(whole != (1...12).map { "kale \($0)x" })
    #expect(try order("8", 12, to: "b.tsv") != whole)
    let parts = try [5, 7].map { try order("7", $0, to: "c.tsv") }
    #expect(parts[0] + parts[1] == whole)
  }
}
