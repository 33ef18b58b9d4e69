import Foundation
import Testing

/// What people type first, and what they should be told then.
@Suite struct ShellMannersTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("kale\tgreens\tx\nmilk\tmilk\tx\n", to: "corpus/items.tsv")
    try folder.write("kale\n", to: "list.txt")
  }

  @Test(
    "--json is known where a command writes JSON",
    arguments: [
      ["categorize", "--json", "list.txt"], ["eval", "--json"], ["stores", "diff", "kroger", "corner", "--json"],
      ["corpus", "agreement", "corpus/items.tsv", "corpus/items.tsv", "--json"], ["tune", "report", "--json"],
    ])
  func json(arguments: [String]) throws {
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    let first = arguments[0] == "tune" ? Data(finished.output.prefix { $0 != 0x0A }) : finished.output
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: first) }
  }

  @Test("--json after -- is a file, and elsewhere an option that there is not")
  func noJSON() throws {
    let file = try aisle("categorize", "--", "--json", in: folder)
    #expect(file.ending == .exited(2) && file.diagnostics.contains("--json: no such file"), "\(file.diagnostics)")
    #expect(try aisle("stores", "list", "--json", in: folder).ending == .exited(64))
  }

  @Test("The usage is that of the very command that was mistyped")
  func usage() throws {
    for (arguments, usage) in [
      (["stores", "shwo"], "Usage: aisle stores <subcommand>\n"), (["nope"], "Usage: aisle <subcommand>\n"),
      (["tune", "try"], "Usage: aisle tune try "), (["correct", "--nope"], "Usage: aisle correct "),
    ] {
      let finished = try RunningAisle(arguments, in: folder).finish()
      #expect(finished.ending == .exited(64))
      #expect(finished.diagnostics.contains("\n" + usage), "\(finished.diagnostics)")
      #expect(finished.diagnostics.hasPrefix("aisle: "), "\(finished.diagnostics)")
    }
  }

  @Test("Everyday options come before those for language models, and none is lost", arguments: ["categorize", "eval", "check"])
  func order(command: String) throws {
    for arguments in [[command, "--help"], ["help", command]] {
      let text = try RunningAisle(arguments, in: folder).finish().text
      let (options, model) = (text.firstRange(of: "\nOPTIONS:\n"), text.firstRange(of: "\nLANGUAGE MODEL:\n"))
      #expect(try #require(options).lowerBound < #require(model).lowerBound)
      for option in ["--store <id>", "--llm <api>", "--help"] { #expect(text.contains(option), "\(option)") }
    }
  }

  @Test("`stores show` shows the store that is in use")
  func show() throws {
    let chosen = try RunningAisle(["stores", "show"], in: folder, environment: ["AISLE_STORE": "corner"]).finish()
    #expect(chosen.text == (try aisle("stores", "show", "corner", in: folder).text))
    try folder.write("store: corner\n", to: "aisle.yaml")
    #expect(try aisle("stores", "show", in: folder).text == chosen.text)
    #expect(try aisle("stores", "show", "kroger", in: folder).text != chosen.text)
  }

  @Test("Without a corpus, eval says how to come by one")
  func noCorpus() throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/corpus")
    let finished = try aisle("eval", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(
      finished.diagnostics
        == "aisle: no `corpus` folder here or above; name labeled items with --corpus, or label your own: `aisle label list.txt --to mine.tsv`\n"
    )
  }

  @Test("The shells' completions name every command, and complete stores", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let script = try aisle("--generate-completion-script", shell, in: folder)
    #expect(script.ending == .exited(0))
    for command in ["categorize", "label", "corpus", "agreement", "rename-section"] { #expect(script.text.contains(command)) }
  }
}
