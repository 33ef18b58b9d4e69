import Foundation
import Testing

/// What a program that decides items gets of aisle's environment.
@Suite struct ProgramEnvironmentTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(Self.program, to: "dump.py")
  }

  /// Writes its environment, and that of the guard that leads its process group, into the file `dump`; decides nothing.
  private static let program = """
    import json, os, sys
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "dump"), "w") as file:
        for name, value in os.environ.items():
            file.write(f"program {name}={value}\\n")
        if os.path.exists("/proc/self/environ"):
            with open(f"/proc/{os.getpgrp()}/environ", errors="replace") as keeper:
                for entry in keeper.read().split("\\0"):
                    file.write(f"guard {entry}\\n")
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            reply = {"type": "hello", "protocol": 1, "name": "dump", "version": "1"}
        else:
            reply = {"type": "decided", "id": message["id"], "answers": [{"type": "abstain"} for _ in message["items"]]}
        print(json.dumps(reply), flush=True)

    """

  private static let secrets = [
    "AISLE_LLM_KEY", "AISLE_LLM_KEY_FILE", "AISLE_LLM_URL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "hf_token",
    "API_TOKENS",
    "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN", "MY_SECRET", "DB_PASSWORD", "PGPASSWORD",
    "GOOGLE_APPLICATION_CREDENTIALS", "APIKEY", "SSH_KEYS",
  ]
  private static let others = ["WINE_MODEL", "TOKENIZERS_PARALLELISM", "KEYBOARD", "PYTHONUNBUFFERED", "AISLE_CELLAR"]
  private static let sentinel = "sentinel-6b1d0c9e"

  /// Runs a command with all of them set, and gives the names of those that the program and its guard got.
  private func passed(_ arguments: [String]) throws -> (program: Set<String>, keeper: Set<String>, run: Finished) {
    let environment = Dictionary(uniqueKeysWithValues: (Self.secrets + Self.others).map { ($0, Self.sentinel) })
    try? FileManager.default.removeItem(atPath: folder.path + "/dump")
    let process = try RunningAisle(arguments, in: folder, environment: environment)
    process.send("kale\n")
    let run = try process.finish()
    let dump = try String(contentsOfFile: folder.path + "/dump", encoding: .utf8).split(separator: "\n")
    func names(_ who: String) -> Set<String> {
      Set(dump.filter { $0.hasPrefix(who) }.compactMap { $0.dropFirst(who.count).split(separator: "=").first.map(String.init) })
    }
    return (names("program "), names("guard "), run)
  }

  private func configure(_ more: String = "") throws {
    try folder.write("chain: [program]\nstrategies:\n  program:\n    command: [python3, ./dump.py]\n\(more)", to: "aisle.yaml")
    try folder.write(Self.program, to: "dump.py")
  }

  @Test("A program gets the variables that hold no key, and its guard no other")
  func clean() throws {
    try configure()
    let passed = try passed(["categorize", "--trust"])
    #expect(passed.run.ending == .exited(0), "\(passed.run.diagnostics)")
    #expect(passed.program.intersection(Self.secrets) == [])
    #expect(passed.program.isSuperset(of: Self.others + ["PATH", "HOME"]), "\(passed.program)")
    #expect(passed.keeper.intersection(Self.secrets) == [])
    #if os(Linux)
      #expect(passed.keeper.contains("PATH"), "the guard was not looked at")
    #endif
  }

  @Test("It gets what the configuration names, and nothing else of that kind; its guard does not")
  func named() throws {
    try configure("    environment: [HF_HOME, hf_token, AWS_ACCESS_KEY_ID]\n")
    let passed = try passed(["categorize", "--trust"])
    #expect(passed.program.intersection(Self.secrets) == ["hf_token", "AWS_ACCESS_KEY_ID"], "\(passed.run.diagnostics)")
    #expect(passed.keeper.intersection(Self.secrets) == [])
  }

  @Test("So does a program of the chain, and one that is tested")
  func otherWays() throws {
    let chain = "process(command=python3 ./dump.py,environment=MY_SECRET GITHUB_TOKEN)"
    #expect(try passed(["categorize", "--chain", chain]).program.intersection(Self.secrets) == ["MY_SECRET", "GITHUB_TOKEN"])
    #expect(try passed(["categorize", "--chain", "process(command=python3 ./dump.py)"]).program.intersection(Self.secrets) == [])
    let test = ["strategies", "test", "--item", "kale"]
    #expect(try passed(test + ["--", "python3", "dump.py"]).program.intersection(Self.secrets) == [])
    let named = try passed(test + ["--environment", "MY_SECRET", "--environment", "PGPASSWORD", "--", "python3", "dump.py"])
    #expect(named.program.intersection(Self.secrets) == ["MY_SECRET", "PGPASSWORD"])
  }

  @Test("What is no list of names is reported where it stands")
  func malformed() throws {
    try configure("    environment: MY_SECRET\n")
    #expect(
      try aisle("config", "check", in: folder).text
        == "aisle.yaml:5:18: `environment` must be a list of variables to pass on: [NAME, …]\n")
    try configure("    environment: [MY_SECRET=x, 9, [a]]\n")
    #expect(
      try aisle("config", "check", in: folder).text == """
        aisle.yaml:5:19: `MY_SECRET=x` is not a variable name; write the name without a value, e.g. MY_SERVICE_TOKEN
        aisle.yaml:5:32: `9` is not a variable name; write the name without a value, e.g. MY_SERVICE_TOKEN
        aisle.yaml:5:35: expected a single value here, not a list or fields

        """)
    let chain = try aisle(
      "categorize", "--config", "off", "--chain", "process(command=true,environment=A=B)", input: "kale\n", in: folder)
    #expect(chain.ending == .exited(2) && chain.diagnostics.contains("`A=B` is not a variable name"), "\(chain.diagnostics)")
    let option = try aisle("strategies", "test", "--environment", "A=B", "--", "true", in: folder)
    #expect(
      option.ending == .exited(64) && option.diagnostics.contains("--environment: `A=B` is not a variable name"),
      "\(option.diagnostics)")
  }
}
