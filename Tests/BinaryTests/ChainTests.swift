import Foundation
import Testing

/// The chain and what sets it: options, variables and `aisle.yaml`.
@Suite struct ChainTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func show(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> [String] {
    let finished = try RunningAisle(["chain", "show"] + arguments, in: folder, environment: environment).finish()
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    return finished.text.split(separator: "\n").map(String.init)
  }

  @Test("Without anything set, the default chain runs, and says so")
  func standard() throws {
    let rows = try show()
    #expect(rows.contains("configuration\tnone\t"))
    #expect(rows.contains("store\tkroger\tdefault"))
    #expect(rows.contains("policy\tweigh\tdefault"))
    #expect(rows.contains { $0.hasPrefix("chain\t") && $0.hasSuffix("\tdefault") })
    #expect(rows.last?.hasSuffix("\tnone\titems that no strategy decides go to Other") == true)
  }

  @Test("A flag wins over a variable, a variable over the file, the file over the default; each is named")
  func precedence() throws {
    try folder.write("store: corner\nchain: [keyword>=0.5, keyword(mode=substring)]\npolicy: best\n", to: "aisle.yaml")
    var rows = try show()
    #expect(rows.contains("configuration\taisle.yaml\t"))
    #expect(rows.contains("store\tcorner\taisle.yaml:1:8"))
    #expect(rows.contains("chain\tkeyword>=0.5,keyword(mode=substring)\taisle.yaml:2:8"))
    #expect(rows.contains("policy\tbest\taisle.yaml:3:9"))
    rows = try show(environment: ["AISLE_STORE": "kroger", "AISLE_CHAIN": "keyword"])
    #expect(rows.contains("store\tkroger\t$AISLE_STORE"))
    #expect(rows.contains("chain\tkeyword\t$AISLE_CHAIN"))
    rows = try show(
      ["--store", "corner", "--chain", "keyword>=0.9", "--policy", "first"], environment: ["AISLE_STORE": "kroger"])
    #expect(rows.contains("store\tcorner\t--store"))
    #expect(rows.contains("chain\tkeyword>=0.9\t--chain"))
    #expect(rows.contains("policy\tfirst\t--policy"))
    #expect(try show(["--config", "off"]).contains("configuration\tnone\t"))
  }

  @Test("The file is found by walking up, and its paths are relative to it")
  func walkingUp() throws {
    try folder.write("taxonomies: taxonomies\nstore: corner\n", to: "aisle.yaml")
    let finished = try aisle(
      "chain", "show", "--config", "aisle.yaml", in: folder, environment: ["AISLE_TAXONOMIES": ""])
    #expect(finished.text.contains("taxonomies\ttaxonomies\t"))
    try folder.write("store: corner\ntaxonomies: ../taxonomies\n", to: "deep/aisle.yaml")
    let deep = try aisle(
      "chain", "show", "--trust", "--config", "deep/aisle.yaml", in: folder, environment: ["AISLE_TAXONOMIES": ""])
    #expect(deep.text.contains("taxonomies\tdeep/../taxonomies\t"))
  }

  @Test("Categorizing and evaluating use the file's store and chain")
  func used() throws {
    try folder.write("store: corner\nchain: keyword(mode=substring)\n", to: "aisle.yaml")
    #expect(try aisle("categorize", input: "skale\n", in: folder).text == "skale\tFront\n")
    #expect(try aisle("categorize", "--chain", "keyword", input: "skale\n", in: folder).text == "skale\tBack Room\n")
    #expect(try aisle("categorize", "--mode", "phrase", input: "skale\n", in: folder).text == "skale\tBack Room\n")
    try folder.write("kale\tgreens\tx\n", to: "corpus/items.tsv")
    #expect(try aisle("eval", in: folder).text.hasPrefix("The Corner Shop · keyword(mode=substring) · 1 item in "))
  }

  @Test("The best policy asks every strategy and takes the surest")
  func best() throws {
    let chain = ["categorize", "--explain", "--chain", "keyword(mode=substring),keyword"]
    let first = try RunningAisle(chain, in: folder)
    first.feed([Data("oat milk\n".utf8)])
    let best = try RunningAisle(chain + ["--policy", "best"], in: folder)
    best.feed([Data("oat milk\n".utf8)])
    let (one, other) = try (first.finish(endingInput: false).text, best.finish(endingInput: false).text)
    func confidence(_ text: String) -> Double { Double(text.split(separator: "\t").dropFirst(2).first ?? "") ?? 0 }
    #expect(confidence(other) > confidence(one))
    #expect(other.contains("\tonly\t"), "\(other)")
  }

  private static let faultCases: [(file: String, lines: [String])] = [
    ("stor: kroger\n", ["aisle.yaml:1:1: unknown field `stor`; did you mean `store`?"]),
    ("store: krogr\n", ["aisle.yaml:1:8: no store `krogr`; did you mean `kroger`?"]),
    ("chain: keywrd\n", ["aisle.yaml:1:8: chain: no strategy `keywrd`; did you mean `keyword`?"]),
    (
      "chain: [keyword>=7]\n",
      ["aisle.yaml:1:8: chain: `7` after >= is not a confidence; write a number in 0…1, e.g. keyword>=0.6"]
    ),
    ("policy: beste\n", ["aisle.yaml:1:9: unknown policy `beste`; did you mean `best`?"]),
    ("strategies:\n  Echo: {command: [cat]}\n", ["aisle.yaml:2:3: strategy name `Echo` may have only a-z, 0-9, and hyphens"]),
    (
      "strategies:\n  echo: {comand: [cat]}\n",
      ["aisle.yaml:2:10: unknown field `comand`; did you mean `command`?"]
    ),
    ("strategies:\n  echo: {command: cat}\n", ["aisle.yaml:2:19: `command` must be a list: [program, argument, …]"]),
    (
      "strategies:\n  echo: {command: [cat], timeout: 0}\n",
      ["aisle.yaml:2:35: `timeout` must be a number of seconds more than 0 and at most 3600"]
    ),
    ("strategies:\n  echo: {command: [cat], required: yes please}\n", ["aisle.yaml:2:36: `required` must be true or false"]),
    (
      "strategies: [a]\n",
      ["aisle.yaml:1:13: `strategies` must be `name:` with fields under it (command, timeout, required, environment)"]
    ),
    (
      "chain: keywrd\nlanguage: \"dee\"\n",
      [
        "aisle.yaml:1:8: chain: no strategy `keywrd`; did you mean `keyword`?",
        "aisle.yaml:2:11: no language `dee`: only English is built in; the files of other languages are in the folder `taxonomies` of "
          + "aisle's source, which tools/install installs; name that folder with --taxonomies",
      ]
    ),
    ("a: &x 1\nb: *x\n", []),
  ]

  @Test("Every mistake in the file is reported with its line and column", arguments: faultCases)
  func faults(file: String, lines: [String]) throws {
    try folder.write(file, to: "aisle.yaml")
    let finished = try aisle("config", "check", in: folder)
    #expect(finished.ending == .exited(1))
    if !lines.isEmpty { #expect(finished.text == lines.map { $0 + "\n" }.joined()) }
  }

  @Test("A broken file stops the commands that use it, with the line that is wrong")
  func broken() throws {
    try folder.write("chain: keyword\npolicy: beste\n", to: "aisle.yaml")
    let finished = try aisle("categorize", input: "kale\n", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: aisle.yaml:2:9: unknown policy `beste`; did you mean `best`?\n")
    #expect(try aisle("--help", in: folder).ending == .exited(0))
    try folder.write("chain: keyword,nope\n", to: "aisle.yaml")
    #expect(
      try aisle("categorize", input: "kale\n", in: folder).diagnostics
        .hasPrefix("aisle: aisle.yaml:1:8: chain: no strategy `nope`; use one of "))
  }

  @Test("A file that says nothing means the defaults", arguments: ["", "# chain: keyword\n", "\u{FEFF}\n", "---\n# nothing\n"])
  func sayingNothing(file: String) throws {
    try folder.write(file, to: "aisle.yaml")
    let finished = try aisle("categorize", input: "kale\n", in: folder)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    #expect(finished.text == "kale\tProduce\n")
    #expect(try aisle("config", "check", in: folder).diagnostics == "aisle.yaml: no errors\n")
  }

  @Test("A sound file has no errors; without one there is nothing to check")
  func sound() throws {
    #expect(try aisle("config", "check", in: folder).ending == .exited(2))
    try folder.write("store: kroger\nchain: keyword>=0.5\n", to: "aisle.yaml")
    let finished = try aisle("config", "check", in: folder)
    #expect(finished.ending == .exited(0))
    try folder.write("chain: keyword,llm\nllm:\n  provider: anthropic\n", to: "aisle.yaml")
    #expect(try aisle("config", "check", in: folder).diagnostics.hasPrefix("aisle.yaml: no errors;"))
    #expect(finished.diagnostics == "aisle.yaml: no errors\n")
  }

  @Test("Strategies are listed with what they do, and shown with their rules, options and examples")
  func strategies() throws {
    let list = try aisle("strategies", in: folder)
    #expect(list.ending == .exited(0))
    #expect(list.text.contains("keyword\twhole-word keywords and phrases from the store's shelves\t\n"))
    let shown = try aisle("strategies", "show", "keyword", in: folder)
    #expect(shown.ending == .exited(0))
    for part in ["mode=phrase|substring", "rules\n", "  head ", "examples\n"] { #expect(shown.text.contains(part), "\(part)") }
    let unknown = try aisle("strategies", "show", "keywork", in: folder)
    #expect(unknown.ending == .exited(2))
    #expect(unknown.diagnostics == "aisle: chain: no strategy `keywork`; did you mean `keyword`?\n")
  }
}
