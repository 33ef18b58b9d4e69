import AisleCore
import Foundation
import Testing

/// The file that `aisle label` writes, the lists that it reads, and what can go wrong with them.
@Suite struct LabelFileTests {
  private let lists: LabelFolder

  init() throws { lists = try LabelFolder() }

  @Test("The same command goes on where the last run ended, and says how many are left")
  func resume() throws {
    _ = try lists.label(["y", "q"], ["list.txt", "--order", "file", "--tag", "list", "--tag", "plain"])
    let second = try lists.label(["y", "y", "y"], ["list.txt", "--order", "file", "--tag", "list"])
    #expect(second.text.hasPrefix("4 items; 1 labeled in mine.tsv already, 3 left\n"))
    #expect(lists.asked(second) == ["oat milk", "milk chocolate", "zork"])
    #expect(lists.written() == "kale\tgreens\tlist,plain\noat milk\tmilk\tlist\nmilk chocolate\tcandy\tlist\nzork\tOther\tlist\n")
    let third = try lists.label([])
    #expect(third.ending == .exited(0))
    #expect(third.text.contains("nothing left to label; to score the labels: aisle eval --corpus mine.tsv\n"))
    #expect(try aisle("corpus", "check", "--corpus", "mine.tsv", in: lists.folder).ending == .exited(0))
  }

  @Test("Each label is in the file before the next item is shown, and survives kill -9")
  func killed() throws {
    let process = try lists.started(["list.txt", "--order", "file"])
    for place in 1...3 {
      try lists.waitForQuestion(process, place)
      #expect(lists.written().split(separator: "\n").count == place - 1)
      process.send("y")
    }
    try lists.waitForQuestion(process, 4)
    process.signal(SIGKILL)
    #expect(try process.finish(endingInput: false).ending == .killed(by: SIGKILL))
    #expect(lists.written() == "kale\tgreens\noat milk\tmilk\nmilk chocolate\tcandy\n")
    #expect(lists.asked(try lists.label(["q"])) == ["zork"])
  }

  @Test(
    "After a loss of power at any moment, every label that was shown as written is there",
    .enabled(if: RecordedWrites.compiler != nil, "there is no C compiler to record what is written with"))
  func powerLoss() throws {
    try lists.folder.makeFolder("kept")
    let (root, log) = (lists.folder.path + "/kept", lists.folder.path + "/log")
    let environment = try RecordedWrites.environment(recording: root, to: log, in: lists.folder)
    let process = try lists.started(["list.txt", "--order", "file"], to: root + "/mine.tsv", environment: environment)
    for (place, key) in ["y", "y", "u", "y", "y", "q"].enumerated() {
      try lists.waitForQuestion(process, place + 1)
      process.send(key)
    }
    #expect(try process.finish(endingInput: false).ending == .exited(0))
    var disk = ForgetfulDisk(root: root)
    var random = SeededGenerator(seed: 1)
    var (labels, losses) = (0, 0)
    for event in try RecordedWrites.read(log) {
      disk.apply(event)
      guard case .say(let text) = event else { continue }
      labels += text.components(separatedBy: "labeled: ").count - text.components(separatedBy: "undone: ").count
      losses += 1
      try disk.write(after: .all, to: "\(lists.folder.path)/after\(losses)", &random)
      let lines = lists.written("after\(losses)/mine.tsv").split(separator: "\n")
      #expect(labels == 0 || lines.count == labels, "after `\(text)`: \(lines)")
    }
    #expect(labels == 3)
  }

  @Test("A last line that was cut short is removed, and its item is asked again")
  func torn() throws {
    try lists.folder.write("kale\tgreens\noat milk\tmil", to: "mine.tsv")
    let process = try lists.started(["list.txt", "--order", "file"])
    try lists.waitForQuestion(process, 1)
    process.send("y")
    try lists.waitForQuestion(process, 2)
    process.send("q")
    let finished = try process.finish(endingInput: false)
    #expect(
      finished.diagnostics
        == "aisle: mine.tsv: the last line was cut short (oat milk␉mil) and is removed; its item is asked again\n")
    #expect(lists.written() == "kale\tgreens\noat milk\tmilk\n")
  }

  @Test("The labels go to the nearest corpus folder where no file is named")
  func corpusFolder() throws {
    try lists.folder.makeFolder("corpus")
    #expect(try lists.label(["y", "q"], to: nil).text.contains("aisle eval --corpus corpus/labels.tsv\n"))
    #expect(lists.written("corpus/labels.tsv") == "kale\tgreens\n")
    try lists.folder.makeFolder("other")
    _ = try lists.label(["y", "q"], to: "other")
    #expect(lists.written("other/labels.tsv") == "kale\tgreens\n")
  }

  @Test("The first column of a .tsv file is the item, as `categorize` and corpora have it")
  func table() throws {
    try lists.folder.write("# mine\nkale\tSnacks\n\noat milk\nRYE\tx\ty\tz\n", to: "list.tsv")
    #expect(lists.asked(try lists.label(["s", "s", "s"], ["list.tsv", "--order", "file"])) == ["kale", "oat milk", "RYE"])
  }

  @Test("Lines that no corpus can hold are named and left out; line ends and a byte order mark are no part of an item")
  func oddLines() throws {
    try lists.folder.write(
      Data([0xEF, 0xBB, 0xBF]) + Data("kale\r\n# greens\na\tb\n#2 pencils\n".utf8) + Data([0xFF, 0x0A]), to: "odd.txt")
    let process = try lists.started(["odd.txt", "--order", "file"])
    try lists.waitForQuestion(process, 1)
    process.send("yq")
    let finished = try process.finish(endingInput: false)
    #expect(lists.asked(finished) == ["kale", "#2 pencils"])
    #expect(
      finished.diagnostics == """
        aisle: odd.txt:2: begins with `#` like a comment in a corpus; left out
        aisle: odd.txt:3: has a tab; left out; name the file .tsv if the item is its first column
        aisle: odd.txt:5: not valid UTF-8 text; left out

        """)
    #expect(lists.written() == "kale\tgreens\n")
  }

  // MARK: Mistakes

  @Test(
    "What cannot work says what to do instead, and writes nothing",
    arguments: [
      (["list.txt"], nil, 2, "name the file for the labels with --to"), (["gone.txt"], "mine.tsv", 2, "gone.txt: cannot open"),
      (["empty.txt"], "mine.tsv", 2, "empty.txt: no items to label"),
      (["list.txt"], "list.txt", 2, "is the list list.txt itself"),
      (["list.txt"], "empty.txt/x.tsv", 2, "empty.txt/x.tsv: cannot write"),
      (["list.txt"], "words.txt", 2, "words.txt:1:5: no label"),
      (["orders.csv"], "mine.tsv", 2, "aisle categorize --format tsv"),
      (["list.txt", "--sample", "0"], "mine.tsv", 64, "--sample"),
      (["list.txt", "--tag", "a,b"], "mine.tsv", 64, "--tag `a,b`"), (["-"], "mine.tsv", 64, "is the keyboard"),
      (["list.txt", "--order", "surest"], "mine.tsv", 64, "unsure"), ([], "mine.tsv", 64, "<files>"),
    ] as [([String], String?, Int32, String)])
  func mistakes(arguments: [String], file: String?, code: Int32, message: String) throws {
    try lists.folder.write("\n", to: "empty.txt")
    try lists.folder.write("kale\nrye", to: "words.txt")
    try lists.folder.write("item\nkale\n", to: "orders.csv")
    let finished = try lists.started(arguments, to: file).finish(endingInput: false)
    #expect(finished.ending == .exited(code))
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
    #expect(lists.written() == "(no file)")
    #expect(lists.written("words.txt") == "kale\nrye")
  }

  @Test("Without a terminal it says how to label with an editor")
  func piped() throws {
    let finished = try aisle("label", "my list.txt", "--to", "mine.tsv", input: "y", in: lists.folder)
    #expect(finished.ending == .exited(2))
    #expect(
      finished.diagnostics
        == "aisle: standard input is not a terminal; `aisle categorize 'my list.txt' > labels.tsv` writes a corpus to correct in an editor instead\n"
    )
  }

  @Test("Two runs do not write to one file, and a change by someone else is not overwritten")
  func others() throws {
    let process = try lists.started(["list.txt", "--order", "file"])
    try lists.waitForQuestion(process, 1)
    let second = try lists.started().finish(endingInput: false)
    #expect(second.ending == .exited(2))
    #expect(second.diagnostics.contains("mine.tsv: another run is adding labels to it"))
    try lists.folder.write("rye\tgreens\n", to: "mine.tsv")
    process.send("y")
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("mine.tsv: was changed by someone else; run the command again"))
    #expect(lists.written() == "rye\tgreens\n")
  }
}
