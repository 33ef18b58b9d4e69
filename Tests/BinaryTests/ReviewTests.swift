import Foundation
import Testing

/// Reviewing suggestions with single keys, at a real terminal.
@Suite struct ReviewTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    let lines = ["kale", "leek", "rye"].map {
      "{\"store\":\"kroger\",\"item\":\"\($0)\",\"from\":\"Other\",\"to\":\"Produce\",\"confidence\":0.93,\"by\":\"llm\",\"model\":\"m-1\",\"time\":\"2026-11-21T16:03:42Z\"}\n"
    }
    _ = try aisle("suggestions", "import", "-", input: lines.joined(), in: folder)
  }

  /// Types keys, each once the question for it is there, and gives what was shown.
  private func review(_ keys: [String], _ arguments: [String] = [], errors: RunningAisle.Sink = .pipe) throws -> Finished {
    let process = try RunningAisle(
      ["suggestions", "review"] + arguments, in: folder, input: .terminal, output: .terminal, errors: errors)
    for (place, key) in keys.enumerated() {
      try process.waitForOutput { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n> ").count > place + 1 }
      process.send(key)
    }
    return try process.finish(endingInput: false)
  }

  private func states() throws -> [String] {
    try aisle("suggestions", "list", "--state", "all", in: folder).text.split(separator: "\n").map {
      String($0.split(separator: "\t").last ?? "")
    }
  }

  @Test("a accepts, d dismisses, s skips, and nothing is left to ask")
  func decide() throws {
    let finished = try review(["a", "d", "s"], ["--color", "never"])
    #expect(finished.ending == .exited(0))
    #expect(try states() == ["accepted", "dismissed", "pending"])
    #expect(
      finished.text.contains("1/3  kale\n      Other -> Produce\n      kroger, 0.93, llm, m-1, 2026-11-21\n> accepted: Produce\n")
    )
    #expect(finished.text.hasSuffix("\n1 accepted, 1 dismissed, 1 pending\n"))
    #expect(!finished.output.contains(0x1B))
    #expect(try aisle("corrections", in: folder).text.hasPrefix("kroger\tkale\tProduce\t\tllm\tm-1\t"))
  }

  @Test("u takes back what was decided here, and asks again; nothing else is undone")
  func undo() throws {
    let finished = try review(["u", "a", "d", "u", "u", "u", "s", "q"])
    #expect(finished.text.contains("nothing to undo here"))
    #expect(finished.text.contains("undone: dismiss suggestion 2"))
    #expect(finished.text.contains("undone: accept suggestion 1"))
    #expect(try states() == ["pending", "pending", "pending"])
    #expect(try aisle("corrections", in: folder).text == "")
  }

  @Test("e takes another section, by number, name or its beginning; mistakes are asked again, Escape goes back")
  func edit() throws {
    let finished = try review(["e4\n", "eSnaks\ndai\u{8}\u{7F}airy\n", "e\u{1B}", "q"], ["--color", "never"])
    #expect(finished.text.contains("no section `Snaks`; did you mean `Snacks`?"))
    #expect(finished.text.contains("  2 Dairy & Eggs\n"))
    #expect(
      try aisle("corrections", in: folder).text.split(separator: "\n").map { $0.split(separator: "\t")[2] } == [
        "Snacks", "Dairy & Eggs",
      ])
    #expect(try states() == ["accepted", "accepted", "pending"])
  }

  @Test("Arrows, other keys and letters beyond ASCII decide nothing; ? helps")
  func otherKeys() throws {
    let finished = try review(["\u{1B}[Axé☕️\t\n?", "q"])
    #expect(finished.text.components(separatedBy: "a accept  d dismiss").count == 3)
    #expect(try states() == ["pending", "pending", "pending"])
  }

  @Test("q, Ctrl-D, Ctrl-C and a terminal that goes away end it; what was decided stays")
  func end() throws {
    #expect(try review(["a", "q"]).ending == .exited(0))
    #expect(try review(["a", "\u{4}"]).ending == .exited(0))
    let process = try RunningAisle(["suggestions", "review"], in: folder, input: .terminal, output: .terminal)
    try process.waitForOutput { String(decoding: $0, as: UTF8.self).contains("\n> ") }
    process.signal(SIGINT)
    #expect(try process.finish(endingInput: false).ending == .exited(130))
    let hungUp = try RunningAisle(["suggestions", "review"], in: folder, input: .terminal, output: .terminal)
    try hungUp.waitForOutput { String(decoding: $0, as: UTF8.self).contains("\n> ") }
    #expect([.exited(0), .exited(2)].contains(try hungUp.finish().ending))
    #expect(try states() == ["accepted", "accepted", "pending"])
  }

  @Test("What someone else decides meanwhile is told, and the review goes on")
  func meanwhile() throws {
    let process = try RunningAisle(["suggestions", "review"], in: folder, input: .terminal, output: .terminal)
    try process.waitForOutput { String(decoding: $0, as: UTF8.self).contains("\n> ") }
    _ = try aisle("suggestions", "dismiss", "1", in: folder)
    process.send("a")
    try process.waitForOutput { String(decoding: $0, as: UTF8.self).contains("2/3") }
    process.send("q")
    let finished = try process.finish(endingInput: false)
    #expect(finished.text.contains("suggestion 1 is already dismissed"))
    #expect(try states() == ["dismissed", "pending", "pending"])
  }

  @Test("Control characters of an item never reach the terminal raw; without a terminal it says what to use instead")
  func hostile() throws {
    let line =
      "{\"store\":\"kroger\",\"item\":\"zork \\u001b[2Jx\",\"from\":\"O\",\"to\":\"P\",\"by\":\"l\",\"time\":\"2026-11-21T16:03:42Z\"}\n"
    _ = try aisle("suggestions", "import", "-", input: line, in: folder)
    let finished = try review(["s", "s", "s", "s"], ["--color", "never"])
    #expect(finished.text.contains("zork ␛[2Jx"))
    #expect(!finished.output.contains(0x1B))
    let piped = try aisle("suggestions", "review", in: folder)
    #expect(piped.ending == .exited(2))
    #expect(piped.diagnostics.contains("`aisle suggestions accept`"))
  }
}
