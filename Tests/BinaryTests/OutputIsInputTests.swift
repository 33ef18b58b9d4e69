import Foundation
import Testing

/// Results that go into a file that is being read would be read back without end.
@Suite struct OutputIsInputTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("kale\nmilk\n", to: "list")
    try folder.write("chocolate\n", to: "other")
  }

  /// Runs the binary with redirections that a shell makes; a file that grew beyond 1 MiB ends it, as it would never end by itself.
  private func aisle(_ arguments: [String], redirections: String) throws -> Finished {
    try RunningAisle(
      ["categorize"] + arguments, in: folder,
      wrapper: ["/bin/sh", "-c", "ulimit -f 2048; exec \"$@\" \(redirections)", "sh"]
    ).finish()
  }

  private func content(_ name: String) throws -> String { try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }

  @Test(
    "A file that the output is appended to is refused by its name, and left as it was",
    arguments: [
      (["list"], ">> list", "list"), ([], "< list >> list", "standard input"), (["-"], "< list >> list", "standard input"),
      (["link"], ">> list", "link"), (["list"], ">> link", "list"), (["hard"], ">> list", "hard"), (["list"], "1<> list", "list"),
      (["--format", "list", "list"], ">> list", "list"), (["--format", "csv", "--jobs", "3", "list"], ">> list", "list"),
      (["/dev/stdout"], ">> list", "/dev/stdout"),
    ])
  func refused(arguments: [String], redirections: String, name: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "list")
    try FileManager.default.linkItem(atPath: "\(folder.path)/list", toPath: "\(folder.path)/hard")
    let finished = try aisle(arguments, redirections: redirections)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: \(name): the input is also the output file; write the output to another file\n")
    #expect(try content("list") == "kale\nmilk\n")
  }

  @Test("The other files are still answered")
  func othersGoOn() throws {
    let finished = try aisle(["other", "list", "-", "other"], redirections: "< list >> list")
    #expect(finished.ending == .exited(2))
    #expect(try content("list") == "kale\nmilk\nchocolate\tSnacks\nchocolate\tSnacks\n")
    #expect(finished.diagnostics.filter { $0 == "\n" }.count == 2)
  }

  @Test("A file that is empty, or read to its end, holds nothing that could be read back", arguments: ["> list", ">> list"])
  func emptied(redirection: String) throws {
    try folder.write("", to: "list")
    #expect(try aisle([], redirections: "< list \(redirection)").ending == .exited(0))
    #expect(try content("list") == "")
    let csv = try aisle(["--format", "csv", "list", "other"], redirections: redirection)
    #expect(csv.ending == .exited(0))
    #expect(try content("list") == "item,section\nchocolate,Snacks\n")
  }

  @Test("Messages that are appended to the file being read are no input either")
  func messages() throws {
    try folder.write("bad\n", to: "list")
    let finished = try aisle(["--input-format", "jsonl", "list"], redirections: "2>> list")
    #expect(finished.ending == .exited(2))
    #expect(finished.output.isEmpty)
    #expect(try content("list").filter { $0 == "\n" }.count == 2)
  }

  @Test(
    "A report, a packed store, or a model that would replace a file that is read is refused by its name",
    arguments: [
      (["eval", "--corpus", "mine.tsv", "--output", "mine.tsv"], "mine.tsv"),
      (["eval", "--corpus", "mine.tsv", "--output", "link"], "mine.tsv"),
      (["eval", "--corpus", "labels", "--output", "labels/hard.tsv"], "labels/hard.tsv"),
      (["eval", "--corpus", "mine.tsv", "--output", "taxonomies/corner.yaml"], "taxonomies/corner.yaml"),
      (["eval", "--corpus", "mine.tsv", "--output", "taxonomies/shelves/milk.txt"], "taxonomies/shelves/milk.txt"),
      (["eval", "--corpus", "mine.tsv", "--baseline", "one.json", "--output", "one.json"], "one.json"),
      (["eval", "--corpus", "mine.tsv", "--db", "mine.db", "--output", "mine.db"], "mine.db"),
      (["eval", "--corpus", "mine.tsv", "--output", "aisle.yaml"], "aisle.yaml"),
      (["compare", "one.json", "two.json", "--output", "two.json"], "two.json"),
      (["stores", "pack", "--output", "taxonomies/kroger.yaml"], "taxonomies/kroger.yaml"),
      (["train", "--corpus", "mine.tsv", "--db", "off", "--output", "mine.tsv"], "mine.tsv"),
    ])
  func reports(arguments: [String], file: String) throws {
    for name in ["mine.tsv", "labels/mine.tsv"] { try folder.write("kale\tgreens\tx\n", to: name) }
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "mine.tsv")
    try FileManager.default.linkItem(atPath: "\(folder.path)/labels/mine.tsv", toPath: "\(folder.path)/labels/hard.tsv")
    for name in ["one.json", "two.json", "mine.db"] { try folder.write("", to: name) }
    try folder.write("store: kroger\n", to: "aisle.yaml")
    let before = try content(file)
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(2))
    let name = arguments[arguments.count - 1]
    #expect(finished.diagnostics == "aisle: \(name): the input is also the output file; write the output to another file\n")
    #expect(try content(file) == before)
  }

  @Test("A report is replaced by the next one, beside the files that are read too")
  func replaced() throws {
    try folder.write("kale\tgreens\tx\n", to: "corpus/mine.tsv")
    for _ in 0..<2 {
      #expect(try RunningAisle(["eval", "--output", "corpus/report.html"], in: folder).finish().ending == .exited(0))
    }
  }
}
