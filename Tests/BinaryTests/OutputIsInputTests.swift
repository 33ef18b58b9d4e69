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
}
