import Foundation
import Testing

/// Help, version and completions.
@Suite struct HelpTests {
  private static let commands = [
    [], ["categorize"], ["stores"], ["stores", "list"], ["stores", "show"], ["stores", "check"],
    ["eval"], ["bless"], ["compare"], ["corpus"], ["corpus", "show"], ["corpus", "check"],
    ["corpus", "agreement"], ["label"],
    ["train"], ["strategies"], ["strategies", "list"], ["strategies", "test"], ["strategies", "show"], ["chain"],
    ["chain", "show"],
    ["config"],
    ["config", "check"],
    ["config", "trust"],
    ["correct"], ["check"], ["suggestions"], ["suggestions", "list"], ["suggestions", "accept"], ["suggestions", "dismiss"],
    ["suggestions", "review"], ["suggestions", "export"], ["suggestions", "import"], ["corrections"], ["corrections", "list"],
    ["corrections", "forget"], ["corrections", "undo"], ["corrections", "history"], ["corrections", "export"],
    ["corrections", "import"],
    ["corrections", "merge"], ["corrections", "sync"], ["corrections", "pull"], ["corrections", "push"],
    ["stores", "rename-section"], ["stores", "add-section"], ["stores", "new"], ["stores", "diff"], ["stores", "pack"],
    ["doctor"], ["read"], ["llm"],
    ["llm", "prices"],
    ["llm", "log"], ["llm", "cache"], ["llm", "cache", "list"], ["llm", "cache", "prune"], ["llm", "cache", "export"],
    ["llm", "cache", "import"], ["llm", "batch"], ["llm", "batch", "submit"], ["llm", "batch", "status"],
    ["llm", "batch", "collect"],
    ["serve"], ["serve", "token"], ["serve", "token", "add"], ["serve", "token", "list"], ["serve", "token", "revoke"],
    ["languages"], ["languages", "list"], ["languages", "check"], ["languages", "new"],
    ["tune"], ["tune", "report"], ["tune", "try"], ["tune", "suggest"], ["tune", "fit"], ["tune", "watch"],
  ]
  /// Commands that only hold others.
  private static let groups = [
    ["stores"], ["languages"], ["corpus"], ["strategies"], ["chain"], ["config"], ["suggestions"], ["corrections"], ["llm"],
    ["llm", "batch"],
    ["llm", "cache"], ["serve", "token"], ["tune"],
  ]
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("Each command's help has examples that can be copied, and the exit codes", arguments: commands)
  func help(command: [String]) throws {
    let finished = try RunningAisle(command + ["--help"], in: folder).finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
    let lines = finished.text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(
      lines.firstIndex(of: "Examples:"), "no examples in the help of `aisle \(command.joined(separator: " "))`")
    let examples = lines[(start + 1)...].prefix { !$0.isEmpty }
    #expect(!examples.isEmpty)
    for example in examples {
      #expect(example.hasPrefix("  ") && example.contains("aisle "), "an example of several lines: \(example)")
    }
    #expect(command.count < 1 || Self.groups.contains(command) || finished.text.contains("Exit codes: 0 "))
  }

  @Test("No command is missing in these tests")
  func allCommands() throws {
    let dump = try RunningAisle(["--experimental-dump-help"], in: folder).finish().output
    let root = try #require(try JSONSerialization.jsonObject(with: dump) as? [String: Any])
    var found: Set<[String]> = []
    func walk(_ command: [String: Any], _ path: [String]) {
      found.insert(path)
      for inner in command["subcommands"] as? [[String: Any]] ?? [] {
        if let name = inner["commandName"] as? String, name != "help" { walk(inner, path + [name]) }
      }
    }
    walk(try #require(root["command"] as? [String: Any]), [])
    #expect(found == Set(Self.commands))
  }

  @Test("The version is a version", arguments: [["--version"], ["categorize", "--version"]])
  func version(arguments: [String]) throws {
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test("Without a command, the help is shown as the remedy of a usage error")
  func noCommand() throws {
    let finished = try RunningAisle([], in: folder).finish()
    #expect(finished.ending == .exited(64))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics.contains("USAGE: aisle <subcommand>"))
  }

  @Test(
    "A command that is not there, and help for one, is a usage error that names those there are",
    arguments: [
      (["nope"], ["no command `nope`", "categorize, stores"]), (["categorze"], ["did you mean `categorize`?"]),
      (["stores", "shwo"], ["no command `shwo`; did you mean `show`?", "list, show, check"]),
      (["categorize", "files"], ["no command `files`"]),
    ])
  func unknownHelp(words: [String], parts: [String]) throws {
    // `categorize` takes files, so that only its help can be asked for a command below it.
    for help in words.first == "categorize" ? [["help"]] : [["help"], []] {
      let finished = try RunningAisle(help + words, in: folder).finish()
      #expect(finished.ending == .exited(64))
      #expect(finished.output.isEmpty)
      for part in parts { #expect(finished.diagnostics.contains(part), "\(finished.diagnostics)") }
    }
  }

  @Test(
    "`aisle help` shows what --help shows",
    arguments: [[], ["categorize"], ["categorise"], ["stores", "show"]])
  func helpCommand(words: [String]) throws {
    let finished = try RunningAisle(["help"] + words, in: folder).finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text == (try RunningAisle(words + ["--help"], in: folder).finish().text))
  }

  @Test("Completions are written for each shell, and ask the binary for stores and sections", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let finished = try aisle("--generate-completion-script", shell, in: folder)
    #expect(finished.ending == .exited(0))
    for part in [
      "---completion categorize -- --store", "---completion stores show -- --section",
      "---completion stores check -- positional@0", "line-buffered",
    ] {
      #expect(finished.text.contains(part), "\(part)")
    }
  }

  @Test(
    "Store and section names complete from the files at hand",
    arguments: [
      (["categorize", "--", "--store", "3", "0", "aisle", "categorize", "--store", ""], ["corner", "kroger"]),
      (["stores", "show", "--", "positional@0", "3", "0", "aisle", "stores", "show", ""], ["corner", "kroger"]),
      (["stores", "check", "--", "positional@0", "3", "0", "aisle", "stores", "check", ""], ["corner", "kroger"]),
      (["stores", "show", "--", "--section", "4", "0", "aisle", "stores", "show", "--section", ""], ScratchFolder.sections),
      (
        ["stores", "show", "--", "--section", "5", "0", "aisle", "stores", "show", "corner", "--section", ""],
        ["Front", "Back Room"]
      ),
      (["stores", "diff", "--", "positional@0", "3", "0", "aisle", "stores", "diff", ""], ["corner", "kroger"]),
      (["stores", "diff", "--", "positional@1", "4", "0", "aisle", "stores", "diff", "kroger", ""], ["corner", "kroger"]),
      (
        ["stores", "new", "--", "--from", "5", "0", "aisle", "stores", "new", "mine", "--from", ""],
        ["template", "corner", "kroger"]
      ),
      (
        ["categorize", "--", "--store", "5", "0", "aisle", "categorize", "--taxonomies", "other", "--store", ""], ["market"]
      ),
      (["categorize", "--", "--store", "4", "0", "aisle", "categorize", "--taxonomies=other", "--store", ""], ["market"]),
    ])
  func dynamic(words: [String], names: [String]) throws {
    try folder.write("store: market\nfallback: Other\nsections:\n  - name: Other\n", to: "other/market.yaml")
    let finished = try RunningAisle(["---completion"] + words, in: folder).finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text.split(separator: "\n").map(String.init) == names)
  }

  @Test("Completing where no store can be read gives nothing, quietly")
  func dynamicWithoutStores() throws {
    let words = ["---completion", "categorize", "--", "--store", "3", "0", "aisle", "categorize", "--store", ""]
    let finished = try RunningAisle(words, in: folder, environment: ["AISLE_TAXONOMIES": "nowhere"]).finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text.trimmingCharacters(in: .newlines) == "")
    #expect(finished.diagnostics == "")
  }
}
