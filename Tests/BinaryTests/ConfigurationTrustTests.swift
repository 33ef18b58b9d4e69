import Foundation
import ModelServer
import Testing

/// Whose configuration is obeyed: the user's own, and what runs programs, uses files elsewhere or sends items away only once it is trusted.
@Suite struct ConfigurationTrustTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A program that leaves a trace, and answers nothing.
  private static let program = "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n"
  private static let configuration = "chain: [mine, keyword]\nstrategies:\n  mine: {command: [./mine], timeout: 5}\n"

  /// Writes a configuration that runs a program beside it.
  private func configure(in place: String = "") throws {
    try folder.write(Self.configuration, to: place + "aisle.yaml")
    try folder.write(Self.program, to: place + "mine")
    chmod("\(folder.path)/\(place)mine", 0o755)
  }

  private func hasRun(in place: String = "") -> Bool { FileManager.default.fileExists(atPath: "\(folder.path)/\(place)ran") }

  /// Runs the binary in a folder below the test's.
  private func aisle(in place: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Finished {
    let taxonomies = ["AISLE_TAXONOMIES": "\(folder.path)/taxonomies"]
    let below = try RunningAisle(
      arguments, in: folder, place: place, environment: taxonomies.merging(environment) { $1 })
    below.feed([Data("kale\n".utf8)])
    return try below.finish(endingInput: false)
  }

  // MARK: Trust

  @Test("A program of the configuration runs once the configuration is trusted, and no longer after an edit")
  func program() throws {
    try configure()
    let before = try BinaryTests.aisle("categorize", input: "kale\n", in: folder)
    #expect(before.ending == .exited(2))
    #expect(before.output.isEmpty)
    #expect(
      before.diagnostics
        == "aisle: aisle.yaml:3:3: runs `./mine`, but is not trusted yet; read it, then run `aisle config trust`, "
        + "or add --trust to obey it once\n")
    #expect(!hasRun())

    let trusting = try BinaryTests.aisle("config", "trust", input: "", in: folder)
    #expect(trusting.ending == .exited(0))
    #expect(trusting.diagnostics == "aisle.yaml\n  runs `./mine` (line 3)\nTrusted, until it changes.\n")
    #expect(!hasRun())
    let after = try BinaryTests.aisle("categorize", input: "kale\n", in: folder)
    #expect(after.text == "kale\tProduce\n", "\(after.diagnostics)")
    #expect(hasRun())
    #expect(try aisle(in: "taxonomies", "categorize").ending == .exited(0), "the same file, found from a folder below")

    try folder.write(Self.configuration + "policy: best\n", to: "aisle.yaml")
    #expect(try BinaryTests.aisle("categorize", input: "kale\n", in: folder).ending == .exited(2))
    try folder.write(Self.configuration, to: "aisle.yaml")
    #expect(try BinaryTests.aisle("categorize", input: "kale\n", in: folder).ending == .exited(0))
    let removing = try BinaryTests.aisle("config", "trust", "--remove", input: "", in: folder)
    #expect(removing.diagnostics == "aisle.yaml: no longer trusted\n")
    #expect(try BinaryTests.aisle("categorize", input: "kale\n", in: folder).ending == .exited(2))
  }

  @Test("The same contents in another folder are not trusted")
  func otherPlace() throws {
    try configure()
    try configure(in: "other/")
    #expect(try BinaryTests.aisle("config", "trust", input: "", in: folder).ending == .exited(0))
    #expect(try aisle(in: "other", "categorize").ending == .exited(2))
    #expect(!hasRun(in: "other/"))
  }

  @Test(
    "Naming a configuration is not trusting it; --trust is, for one run",
    arguments: [(["--config", "aisle.yaml"], [:]), ([], ["AISLE_CONFIG": "aisle.yaml"])] as [([String], [String: String])])
  func named(arguments: [String], environment: [String: String]) throws {
    try configure()
    for (more, isObeyed) in [([], false), (["--trust"], true), ([], false)] as [([String], Bool)] {
      try? FileManager.default.removeItem(atPath: "\(folder.path)/ran")
      let run = try RunningAisle(["categorize"] + arguments + more, in: folder, environment: environment)
      run.feed([Data("kale\n".utf8)])
      #expect(try run.finish(endingInput: false).ending == .exited(isObeyed ? 0 : 2))
      #expect(hasRun() == isObeyed)
    }
  }

  @Test(
    "What a configuration does beyond its folder is named",
    arguments: [
      ("corrections: ../team.db\n", "1:14: uses ../team.db, outside its folder"),
      ("corrections: link.db\n", "1:14: uses link.db, outside its folder"),
      ("corrections: linked/new.db\n", "1:14: uses linked/new.db, outside its folder"),
      ("corrections: none/../../team.db\n", "1:14: uses none/../../team.db, outside its folder"),
      ("taxonomies: /usr\n", "1:13: uses /usr, outside its folder"),
      ("chain: model(file=/etc/hostname)\n", "1:8: uses /etc/hostname, outside its folder"),
      ("chain: [\"process(command=touch ran)\", keyword]\n", "1:8: runs `touch ran`"),
      (
        "strategies:\n  mine: {command: [./mine], environment: [MY_TOKEN, HOME]}\n",
        "2:3: runs `./mine`, and passes it MY_TOKEN and HOME"
      ),
      ("chain: [\"process(command=touch ran,environment=MY_TOKEN)\"]\n", "1:8: runs `touch ran`, and passes it MY_TOKEN"),
      ("chain: [keyword, llm(provider=openai)]\n", "1:8: sends items to a language model"),
      ("llm:\n  provider: anthropic\n", "2:13: sends items to a language model (anthropic)"),
      ("llm:\n  url: http://localhost:1\n", "2:8: sends items to http://localhost:1"),
      ("llm:\n  prices: /etc/prices\n", "2:11: uses /etc/prices, outside its folder"),
    ])
  func reach(text: String, expected: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.db", withDestinationPath: "/etc/passwd")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/linked", withDestinationPath: "/tmp")
    try folder.write(text, to: "aisle.yaml")
    for command in [["categorize"], ["eval"], ["stores", "list"], ["correct", "kale", "Snacks"], ["chain", "show"]] {
      let run = try RunningAisle(command, in: folder)
      run.feed([Data("kale\n".utf8)])
      let finished = try run.finish(endingInput: false)
      #expect(finished.ending == .exited(2), "\(command)")
      #expect(
        finished.diagnostics.hasPrefix("aisle: aisle.yaml:\(expected), but is not trusted yet; "), "\(finished.diagnostics)")
    }
    let check = try BinaryTests.aisle("config", "check", input: "", in: folder)
    #expect(check.diagnostics.contains("; not trusted yet, because it "))
  }

  @Test(
    "A configuration that is only data needs no trust",
    arguments: [
      "", "store: corner\n", "chain: [keyword>=0.5, \"keyword(mode=substring)\"]\npolicy: best\n", "corrections: mine.db\n",
      "corrections: off\n", "taxonomies: taxonomies\n", "taxonomies: ./deep/../taxonomies\n", "llm:\n  provider: off\n",
      "llm:\n  max-cost: 0.1\n  batch: 10\n",
    ])
  func data(text: String) throws {
    try folder.makeFolder("deep")
    try folder.write(text, to: "aisle.yaml")
    let finished = try BinaryTests.aisle("categorize", input: "kale\n", in: folder)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    let trusting = try BinaryTests.aisle("config", "trust", input: "", in: folder)
    #expect(trusting.diagnostics == "aisle.yaml: needs no trust: it only holds data\n")
  }

  @Test("No item reaches a language model that only an untrusted configuration names")
  func languageModel() throws {
    let server = try ModelServer(.openai, answers: ["dragon fruit": "Produce"])
    try folder.write("llm:\n  provider: openai\n  url: \(server.url)\n", to: "aisle.yaml")
    let key = ModelRun.key
    let before = try BinaryTests.aisle("categorize", input: "dragon fruit\n", in: folder, environment: key)
    #expect(before.ending == .exited(2))
    #expect(server.count == 0)
    #expect(try BinaryTests.aisle("config", "trust", input: "", in: folder).ending == .exited(0))
    let after = try BinaryTests.aisle("categorize", input: "dragon fruit\n", in: folder, environment: key)
    #expect(after.text == "dragon fruit\tProduce\n", "\(after.diagnostics)")
    #expect(server.count == 1)
  }

  @Test("On a terminal one is asked, and the answer is remembered", arguments: ["y", "n", "\u{4}"])
  func question(answer: String) throws {
    try configure()
    let run = try RunningAisle(["categorize", "\(folder.path)/list.txt"], in: folder, input: .terminal, errors: .terminal)
    try folder.write("kale\n", to: "list.txt")
    try run.waitForErrors { String(decoding: $0, as: UTF8.self).contains("Trust it, until it changes? [y/N] ") }
    #expect(!hasRun())
    run.send(answer)
    let finished = try run.finish(endingInput: false)
    #expect(finished.diagnostics.contains("  runs `./mine` (line 3)"))
    #expect(finished.ending == .exited(answer == "y" ? 0 : 2))
    #expect(hasRun() == (answer == "y"))
    let again = try BinaryTests.aisle("categorize", input: "kale\n", in: folder)
    #expect(again.ending == .exited(answer == "y" ? 0 : 2))
  }

  @Test("A list of what is trusted that others can write counts for nothing")
  func writableTrust() throws {
    try configure()
    #expect(try BinaryTests.aisle("config", "trust", input: "", in: folder).ending == .exited(0))
    chmod("\(folder.path)/data/aisle/trusted", 0o777)
    #expect(try BinaryTests.aisle("categorize", input: "kale\n", in: folder).ending == .exited(2))
    #expect(!hasRun())
  }

  // MARK: Ownership

  @Test(
    "Others can write the configuration or its folder: it is not obeyed", arguments: ["aisle.yaml", "."], [0o666, 0o777, 0o775])
  func writable(path: String, mode: Int) throws {
    try folder.write("store: corner\n", to: "shared/aisle.yaml")
    try folder.makeFolder("shared/below")
    // A group that is not the user's private one.
    chown("\(folder.path)/shared/\(path)", geteuid(), geteuid() == 0 ? 12_345 : getegid())
    chmod("\(folder.path)/shared/\(path)", mode_t(mode))
    if mode == 0o775, geteuid() != 0 { return print("only root can give a file to another group") }
    let finished = try aisle(in: "shared/below", "categorize")
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("can be written by others (to fix that, run: chmod go-w "), "\(finished.diagnostics)")
    let trusting = try aisle(in: "shared/below", "config", "trust")
    #expect(trusting.ending == .exited(2))
    #expect(try aisle(in: "shared/below", "categorize", "--config", "off").text == "kale\tProduce\n")
    #expect(try aisle(in: "shared/below", "categorize", "--trust").text == "kale\tFront\n")
    #expect(try aisle(in: "shared/below", "categorize", "--config", "../aisle.yaml").text == "kale\tFront\n", "data, and named")
  }

  @Test("A configuration of another user above is not obeyed, nor are stores and corpora", .enabled(if: geteuid() == 0))
  func stranger() throws {
    let stranger: uid_t = 65_534
    try configure(in: "shared/")
    try folder.write("kale\tSnacks\t\n", to: "shared/corpus/list.tsv")
    try FileManager.default.copyItem(atPath: "\(folder.path)/taxonomies", toPath: "\(folder.path)/shared/taxonomies")
    try folder.makeFolder("shared/own/below")
    for name in ["aisle.yaml", "mine", "taxonomies", "corpus"] { lchown("\(folder.path)/shared/\(name)", stranger, stranger) }
    chmod("\(folder.path)/shared", 0o1777)
    let key = ["OPENAI_API_KEY": "sk-0123456789"]
    for command in [["categorize"], ["eval"], ["stores", "list"], ["config", "trust"], ["doctor", "--offline"]] {
      let run = try RunningAisle(command, in: folder, place: "shared/own/below", environment: key)
      run.feed([Data("kale\n".utf8)])
      let finished = try run.finish(endingInput: false)
      #expect(finished.ending == .exited(command[0] == "doctor" ? 1 : 2), "\(command): \(finished.text)")
      let said = finished.diagnostics + finished.text
      #expect(said.contains("../../aisle.yaml: belongs to ") && said.contains("(user 65534)"), "\(command): \(said)")
      #expect(!hasRun(in: "shared/"))
    }
    let taxonomies = try aisle(in: "shared/own/below", "categorize", "--config", "off", environment: ["AISLE_TAXONOMIES": ""])
    #expect(taxonomies.ending == .exited(2))
    #expect(taxonomies.diagnostics.contains("../../taxonomies: belongs to "), "\(taxonomies.diagnostics)")
    let corpus = try aisle(in: "shared/own/below", "eval", "--config", "off")
    #expect(corpus.ending == .exited(2))
    #expect(corpus.diagnostics.contains("../../corpus: belongs to "), "\(corpus.diagnostics)")
    // A link of one's own to it, and one of the stranger's to what is one's own, are no better.
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/shared/own/aisle.yaml", withDestinationPath: "../aisle.yaml")
    #expect(try aisle(in: "shared/own", "categorize").ending == .exited(2))
    #expect(!hasRun(in: "shared/own/") && !hasRun(in: "shared/"))
  }

  // MARK: How far up

  @Test("Looking upward ends at a folder with .git, and at the home folder", arguments: [".git", "home"])
  func end(kind: String) throws {
    try folder.write("store: corner\n", to: "aisle.yaml")
    try folder.makeFolder("project/below")
    #expect(try aisle(in: "project/below", "categorize").text == "kale\tFront\n")
    var environment: [String: String] = [:]
    if kind == ".git" {
      try folder.write("gitdir: elsewhere\n", to: "project/.git")
    } else {
      environment["HOME"] = "\(folder.path)/project"
    }
    #expect(try aisle(in: "project/below", "categorize", environment: environment).text == "kale\tProduce\n")
    try folder.write("store: corner\n", to: "project/aisle.yaml")
    #expect(try aisle(in: "project/below", "categorize", environment: environment).text == "kale\tFront\n", "which itself counts")
  }

  @Test("Looking upward ends at the root of a file system", .enabled(if: Self.canMount))
  func mountPoint() throws {
    try folder.write("store: corner\n", to: "aisle.yaml")
    try folder.makeFolder("mounted")
    let script = """
      mount -t tmpfs none "$1/mounted" && mkdir "$1/mounted/below" && cd "$1/mounted/below" &&
      echo kale | AISLE_TAXONOMIES="$1/taxonomies" "$0" categorize && cd .. && echo 'store: corner' >aisle.yaml && cd below &&
      echo kale | AISLE_TAXONOMIES="$1/taxonomies" "$0" categorize
      """
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    shell.arguments = ["unshare", "--mount", "sh", "-c", script, try RunningAisle.binary(), folder.path]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(text == "kale\tProduce\nkale\tFront\n")
  }

  /// Whether file systems can be mounted here, in a namespace of their own.
  static let canMount: Bool = {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "unshare --mount mount -t tmpfs none /mnt 2>/dev/null"]
    guard (try? shell.run()) != nil else { return false }
    shell.waitUntilExit()
    return shell.terminationStatus == 0
  }()
}
