import Foundation
import Testing

/// SIGINT and SIGTERM: whole records only.
@Suite struct InterruptionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("A signal ends the wait for input; what was no whole line yet gets no answer", arguments: [SIGINT, SIGTERM], ["1", "3"])
  func waiting(signal: Int32, jobs: String) throws {
    let process = try RunningAisle(["categorize", "--jobs", jobs], in: folder)
    process.send("kale\nmil")
    try process.waitForLines(1)
    process.signal(signal)
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(128 + signal))
    #expect(finished.text == "kale\tProduce\n")
    #expect(finished.diagnostics == "")
  }

  @Test(
    "SIGINT at full speed leaves whole records, in order, and none twice",
    arguments: [
      ["--jobs", "1"], ["--jobs", "3"], ["--format", "jsonl"], ["--format", "csv"], ["--explain"], ["--line-buffered"],
    ])
  func fullSpeed(arguments: [String]) throws {
    let process = try RunningAisle(["categorize"] + arguments, in: folder)
    process.feed(Self.numberedLines, thenEnds: false)
    try process.waitForOutput { $0.count > 100_000 }
    process.signal(SIGINT)
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(130))
    #expect(finished.diagnostics == "")
    try Self.expectWholeRecords(finished.output, hasHeader: arguments.contains("csv"))
  }

  @Test("SIGINT while the reader stalls leaves whole records once it reads on", arguments: ["tsv", "csv", "jsonl"], ["1", "3"])
  func stalledReader(format: String, jobs: String) throws {
    let process = try RunningAisle(["categorize", "--format", format, "--jobs", jobs], in: folder, output: .stalledPipe)
    process.feed(Self.numberedLines, thenEnds: false)
    try Self.waitUntilStalled(process)
    process.signal(SIGINT)
    process.resumeReading()
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(130))
    #expect(finished.diagnostics == "")
    try Self.expectWholeRecords(finished.output, hasHeader: format == "csv")
  }

  @Test(
    "SIGTERM while the reader stalls ends it at a record's end and is told, even when all input was read",
    arguments: [RunningAisle.Sink.stalledPipe, .stalledNonBlockingPipe, .stalledSocket], ["1", "3"])
  func stalledAtTheEnd(sink: RunningAisle.Sink, jobs: String) throws {
    // More than the pipe or socket holds, less than a block.
    let lines = (0..<10_000).map { "item \($0)\n" }.joined()
    try folder.write(lines, to: "items.txt")
    let process = try RunningAisle(
      ["categorize", "--jobs", jobs, "items.txt", "items.txt", "items.txt"], in: folder, output: sink)
    try Self.waitUntilStalled(process)
    process.signal(SIGTERM)
    // Only a write that waits elsewhere than in the write itself hears of the signal before there is room.
    usleep(100_000)
    process.resumeReading()
    let finished = try process.finish()
    #expect(finished.ending == .exited(128 + SIGTERM))
    #expect(finished.output.count < lines.utf8.count, "it went on")
    try Self.expectWholeRecords(finished.output, hasHeader: false)
  }

  @Test("A signal is heeded soon where a CSV field has very many lines")
  func manyLinesInAField() throws {
    let row = "\"kale" + String(repeating: "\n", count: 200_000) + "\"\n"
    try folder.write("item\n" + String(repeating: row, count: 3), to: "items.csv")
    let process = try RunningAisle(["categorize", "--input-format", "csv", "items.csv"], in: folder, output: .stalledPipe)
    try Self.waitUntilStalled(process)
    process.signal(SIGINT)
    // Another thread hears of the signal than the one that writes.
    usleep(200_000)
    process.resumeReading()
    let finished = try process.finish()
    #expect(finished.ending == .exited(130))
    #expect(finished.text == "item,section\n\(row.dropLast()),Produce\n")
  }

  #if os(Linux)
    @Test("A signal ends the wait for somebody to write to a named pipe", arguments: [SIGINT, SIGTERM], ["1", "3"])
    func namedPipe(signal: Int32, jobs: String) throws {
      try #require(mkfifo("\(folder.path)/items", 0o600) == 0)
      try folder.write("kale\n", to: "one.txt")
      let process = try RunningAisle(["categorize", "--jobs", jobs, "one.txt", "items"], in: folder)
      try process.waitForLines(1)
      usleep(50_000)
      process.signal(signal)
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .exited(128 + signal))
      #expect(finished.text == "kale\tProduce\n")
    }

    @Test("A reader that stalls costs no processor time, also where writes do not wait")
    func idle() throws {
      let process = try RunningAisle(["categorize"], in: folder, output: .stalledNonBlockingPipe)
      process.feed(Self.numberedLines, thenEnds: false)
      try Self.waitUntilStalled(process)
      let before = try process.processorTime()
      usleep(500_000)
      #expect(try process.processorTime() - before < 10)
      process.signal(SIGINT)
      process.resumeReading()
      #expect(try process.finish(endingInput: false).ending == .exited(130))
    }
  #endif

  @Test("A named pipe is read from its first writer on, to its end")
  func namedPipeWithWriter() throws {
    try #require(mkfifo("\(folder.path)/items", 0o600) == 0)
    let process = try RunningAisle(["categorize", "items"], in: folder)
    let writer = open("\(folder.path)/items", O_WRONLY | O_CLOEXEC)
    try #require(write(writer, "kale\nmi", 7) == 7)
    try process.waitForLines(1)
    try #require(write(writer, "lk\n", 3) == 3)
    close(writer)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text == "kale\tProduce\nmilk\tDairy & Eggs\n")
  }

  @Test("A second SIGINT ends it at once though the reader stalls")
  func impatience() throws {
    let process = try RunningAisle(["categorize"], in: folder, output: .stalledPipe)
    process.feed(Self.numberedLines, thenEnds: false)
    try Self.waitUntilStalled(process)
    process.signal(SIGINT)
    let deadline = Date(timeIntervalSinceNow: RunningAisle.patience)
    while process.isRunning && Date() < deadline {
      usleep(20_000)
      process.signal(SIGINT)
    }
    process.resumeReading()
    #expect([.killed(by: SIGINT), .exited(130)].contains(try process.finish(endingInput: false).ending))
  }

  @Test("SIGINT within an oversized record still leaves it ended", arguments: ["tsv", "jsonl", "csv"])
  func oversized(format: String) throws {
    let process = try RunningAisle(["categorize", "--format", format], in: folder)
    let chunk = Data(repeating: UInt8(ascii: "x"), count: 10_000)
    process.feed(sequence(state: chunk) { $0 }, thenEnds: false)
    try process.waitForOutput { $0.count > 1_000_000 }
    process.signal(SIGINT)
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(130))
    #expect(finished.output.last == 0x0A)
    #expect(String(decoding: finished.output.suffix(100), as: UTF8.self).contains("Other"))
  }

  @Test("An interrupted shopping list prints nothing rather than half a list")
  func list() throws {
    let process = try RunningAisle(["categorize", "--format", "list"], in: folder)
    process.send("kale\n")
    try process.waitUntilInputIsRead()
    process.signal(SIGINT)
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(130))
    #expect(finished.output.isEmpty)
  }

  /// `item 0`, `item 1` … without end.
  private static var numberedLines: some Sequence<Data> & Sendable {
    sequence(state: 0) { start in
      defer { start += 1000 }
      return Data((start..<start + 1000).map { "item \($0)\n" }.joined().utf8)
    }
  }

  private static func expectWholeRecords(_ output: Data, hasHeader: Bool) throws {
    #expect(output.last == 0x0A)
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").dropFirst(hasHeader ? 1 : 0)
    let first = try #require(lines.first)
    let parts = first.components(separatedBy: "item 0")
    try #require(parts.count == 2)
    let wrong = lines.enumerated().first { $0.element != "\(parts[0])item \($0.offset)\(parts[1])" }
    #expect(wrong == nil)
  }

  /// Waits until the pipe is full: nothing more comes in a while although input is there.
  private static func waitUntilStalled(_ process: RunningAisle) throws {
    let deadline = Date(timeIntervalSinceNow: RunningAisle.patience)
    var before = -1
    while process.output.waitingCount < 30_000 || process.output.waitingCount != before {
      try #require(Date() < deadline)
      before = process.output.waitingCount
      usleep(50_000)
    }
  }
}
