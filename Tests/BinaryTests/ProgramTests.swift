import Foundation
import Testing

/// Programs that decide items, as the configuration names them: what a faulty one costs, and what it leaves behind.
@Suite struct ProgramTests {
  private let folder: ScratchFolder
  private let traces = Traces()

  init() throws { folder = try ScratchFolder() }

  static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Programs/faulty.py")
    .standardized.path

  /// Writes a configuration with a program before the keywords.
  private func configure(_ fault: String, _ more: String = "timeout: 1") throws {
    try folder.write(
      """
      chain: [program, keyword]
      strategies:
        program:
          command: [python3, "\(Self.program)", \(fault), "\(folder.path)/starts"]
          \(more)

      """, to: "aisle.yaml")
    try trustConfiguration(in: folder)
  }

  private var startCount: Int {
    ((try? String(contentsOfFile: "\(folder.path)/starts", encoding: .utf8)) ?? "").split(separator: "\n").count
  }

  /// Items that the program abstains from when it is well, and more than a pipe holds.
  private static let items =
    ["kale?", "oat milk?", "nothing?"]
    + (0..<80).map { "\($0) \(["kale", "chocolate", "butter"][$0 % 3])? " + String(repeating: "x", count: 2_000) }

  @Test(
    "Whatever is wrong with a program, the next strategy answers every item, and nothing is left of it",
    arguments: [
      "none", "hangs", "hangs-before-hello", "dies-at-once", "dies-mid-line", "garbage", "wrong-id", "repeats", "floods-stderr",
      "endless-line", "stops-reading", "forks", "ignores-sigterm", "survives-the-end", "hangs-and-ignores-sigterm",
      "closes-its-output",
      "speaks-protocol-2", "cannot-work",
    ])
  func faults(fault: String) throws {
    try configure(fault)
    let input = Self.items.joined(separator: "\n") + "\n"
    let expected = try aisle("categorize", "--config", "off", input: input, in: folder)
    let process = try RunningAisle(["categorize"], in: folder, environment: traces.environment)
    process.feed([Data(input.utf8)], thenEnds: false)
    try process.waitForLines(Self.items.count)
    #expect(try process.peakMemory() <= 64 * 1024)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    #expect(finished.output == expected.output)
    // A line of the flood is passed on each time the program runs, which is more than once where it takes longer than its timeout.
    #expect(finished.diagnostics.utf8.count < 1_000 + 1_100 * startCount, "\(startCount) starts")
    #expect(traces.left() == [])
  }

  @Test(
    "Nothing is left of a program when aisle is killed",
    arguments: ["none", "hangs-and-ignores-sigterm", "forks", "survives-the-end"])
  func killed(fault: String) throws {
    try configure(fault, "timeout: 3000")
    let process = try RunningAisle(["categorize"], in: folder, environment: traces.environment)
    process.send("kale\n")
    if fault.hasPrefix("hangs") {
      while startCount == 0 { usleep(10_000) }
    } else {
      try process.waitForLines(1)
    }
    #expect(traces.commands.count { $0.contains("faulty.py") } == (fault == "forks" ? 101 : 1))
    process.signal(SIGKILL)
    #expect(try process.finish().ending == .killed(by: SIGKILL))
    #expect(traces.left() == [])
  }

  @Test("A signal ends the wait for a program, and the program", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    try configure("hangs-and-ignores-sigterm", "timeout: 3000")
    let process = try RunningAisle(["categorize"], in: folder, environment: traces.environment)
    process.send("kale\n")
    while startCount == 0 { usleep(10_000) }
    process.signal(signal)
    #expect(try process.finish(endingInput: false).ending == .exited(128 + signal))
    #expect(traces.left() == [])
  }

  @Test("A program that is broken breaks neither the help nor other chains, and is not even started for them")
  func otherChains() throws {
    for fault in ["hangs-before-hello", "dies-at-once"] {
      try configure(fault, "required: true")
      for arguments in [
        ["--help"], ["strategies"], ["strategies", "show", "keyword"], ["chain", "show"], ["config", "check"],
        ["categorize", "--chain", "keyword"], ["categorize", "--chain", "keyword,program"],
      ] {
        let process = try RunningAisle(arguments, in: folder, environment: traces.environment)
        process.send("kale\n")
        let finished = try process.finish()
        #expect(finished.ending == .exited(0), "\(arguments): \(finished.diagnostics)")
      }
    }
    #expect(startCount == 0)
  }

  @Test("A required program that fails ends the run, and the message names both")
  func required() throws {
    try configure("dies-before-the-answer", "required: true")
    let finished = try aisle("categorize", input: "kale\n", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics == "aisle: strategy `program` ended before it answered (exit code 4)\n")
  }

  @Test("Its options can be set in the chain")
  func options() throws {
    try configure("dies-before-the-answer")
    let chain = "program(required=true,timeout=20)"
    #expect(try aisle("categorize", "--chain", chain, input: "kale\n", in: folder).ending == .exited(2))
    let wrong = try aisle("categorize", "--chain", "program(timeout=soon)", input: "kale\n", in: folder)
    #expect(wrong.ending == .exited(2))
    #expect(
      wrong.diagnostics.contains("chain: program(timeout=soon): write a number of seconds more than 0 and at most 3600"),
      "\(wrong.diagnostics)")
    let unnamed = try aisle("categorize", "--chain", "process", input: "kale\n", in: folder)
    #expect(unnamed.diagnostics.contains("`process` needs its option `command`"), "\(unnamed.diagnostics)")
    let command = "process(command=python3 \(Self.program) none)"
    let found = try aisle("categorize", "--chain", command, input: "butter\n", in: folder)
    #expect(found.text == "butter\tProduce\n", "\(found.diagnostics)")
  }

  @Test("A program is shown in its own words, and listed without being started")
  func shown() throws {
    try configure("none", "timeout: 30")
    let listed = try aisle("strategies", in: folder)
    #expect(listed.text.contains("program\tdecisions by the program python3 \(Self.program) none"), "\(listed.text)")
    #expect(listed.text.contains("\tneeds the program python3\n"))
    #expect(startCount == 0)
    let shown = try aisle("strategies", "show", "program", in: folder)
    #expect(shown.text.hasPrefix("program  plays none\n"), "\(shown.text)")
    #expect(shown.text.contains("  kale?  abstains\n"))
    #expect(startCount == 1)
  }

  @Test("A program cannot take the name of a built-in strategy")
  func names() throws {
    try folder.write("strategies:\n  keyword:\n    command: [true]\n  none:\n    command: [true]\n", to: "aisle.yaml")
    let checked = try aisle("config", "check", in: folder)
    #expect(checked.ending == .exited(1))
    #expect(
      checked.text == """
        aisle.yaml:2:3: the name `keyword` belongs to a built-in strategy; choose another
        aisle.yaml:4:3: the name `none` belongs to a built-in strategy; choose another

        """)
    #expect(try aisle("categorize", input: "kale\n", in: folder).ending == .exited(2))
  }

  @Test("What a program answers is shown with its confidence and evidence, and what it remarks with its name")
  func explained() throws {
    try configure("wants-shelves")
    let finished = try aisle("categorize", "--explain", input: "butter\n", in: folder)
    #expect(finished.text.hasPrefix("butter\tProduce\t0.75\tprogram\tit is butter\t"), "\(finished.text)")
    #expect(finished.diagnostics == "aisle: program: 4 shelves\n")
  }

  @Test("A program gets no file that aisle reads")
  func descriptors() throws {
    try configure("shows-its-descriptors")
    try folder.write("kale\n", to: "list.txt")
    let finished = try aisle("categorize", "--explain", "list.txt", in: folder)
    #expect(finished.text.contains("\tprogram\t0 of aisle's files []\t"), "\(finished.text)")
  }

  @Test("An evaluation rather fails than leaves a program out")
  func failedEvaluation() throws {
    try configure("dies-before-the-answer")
    try folder.write("kale\tgreens\tplain\n", to: "corpus/items.tsv")
    let finished = try aisle("eval", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics == "aisle: strategy `program` ended before it answered (exit code 4)\n")
  }

  @Test("An evaluation says what the answers of a program took and cost")
  func evaluation() throws {
    try configure("costs")
    try folder.write("kale\tgreens\tplain\nbutter\tDairy & Eggs\tplain\n", to: "corpus/items.tsv")
    let report = try aisle("eval", in: folder)
    #expect(report.text.contains(/program +2 +50.0% +[0-9.]+ m?s +1 +20 +\$0\.50/), "\(report.text)")
  }
}
