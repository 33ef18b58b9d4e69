import Foundation
import Testing

/// Output that goes nowhere.
@Suite struct WriteFailureTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("item\nkale\n", to: "items.csv")
  }

  @Test(
    "A full disk is an error with a message",
    arguments: [
      ["categorize"], ["categorize", "--jobs", "3"], ["categorize", "--format", "jsonl"], ["categorize", "--format", "csv"],
      ["categorize", "--format", "list"], ["categorize", "--explain"], ["stores", "list"], ["stores", "show"],
      ["stores", "show", "--section", "Produce"], ["--help"], ["categorize", "--help"], ["--version"],
      ["--generate-completion-script", "bash"],
    ])
  func fullDisk(arguments: [String]) throws {
    let process = try RunningAisle(arguments, in: folder, output: .file("/dev/full"))
    process.feed([Data("kale\nmilk\n".utf8)])
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: standard output: no space left on device; "))
    #expect(finished.diagnostics.filter { $0 == "\n" }.count == 1)
  }

  @Test("Findings that cannot be written are an error, not an empty report")
  func fullDiskDuringCheck() throws {
    try folder.write("store: kroger\n", to: "taxonomies/kroger.yaml")
    let finished = try aisle("stores", "check", "kroger", in: folder, output: .file("/dev/full"))
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("standard output: no space left on device"))
  }

  @Test(
    "A reader that has seen enough ends the run at once and quietly",
    arguments: [
      [], ["--jobs", "1"], ["--jobs", "3"], ["--format", "jsonl"], ["--format", "csv"], ["--explain"], ["--line-buffered"],
    ],
    [false, true])
  func head(arguments: [String], isPipeSignalIgnored: Bool) throws {
    let process = try RunningAisle(["categorize"] + arguments, in: folder, isPipeSignalIgnored: isPipeSignalIgnored)
    process.feed(sequence(state: Data(String(repeating: "kale\n", count: 1000).utf8)) { $0 }, thenEnds: false)
    try process.waitForOutput { $0.contains(0x0A) }
    process.closeOutput()
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
  }

  @Test(
    "A closed pipe ends a listing quietly", arguments: [["stores", "list"], ["stores", "show"], ["--help"]], [false, true])
  func closedPipe(arguments: [String], isPipeSignalIgnored: Bool) throws {
    let process = try RunningAisle(arguments, in: folder, output: .brokenPipe, isPipeSignalIgnored: isPipeSignalIgnored)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
  }

  @Test("A closed standard output is an error with a message")
  func closedOutput() throws {
    let finished = try aisle("categorize", input: "kale\n", in: folder, output: .closed)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: standard output: "))
  }

  @Test("A closed standard input is an error with a message, not a wait without end")
  func closedInput() throws {
    let process = try RunningAisle(["categorize"], in: folder, input: .closed)
    let finished = try process.finish()
    #expect(finished.ending == .exited(2))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics.hasPrefix("aisle: standard input: "))
  }

  @Test(
    "Nobody listening to standard error does not stop the results",
    arguments: [RunningAisle.Sink.closed, .brokenPipe, .file("/dev/full")])
  func closedErrors(errors: RunningAisle.Sink) throws {
    let finished = try aisle(
      "categorize", "--input-format", "jsonl", "--summary", input: "{\"item\":\"kale\"}\nbad\n{\"item\":\"milk\"}\n",
      in: folder, errors: errors)
    #expect(finished.ending == .exited(2))
    #expect(finished.text.split(separator: "\n").count == 3)
  }
}
