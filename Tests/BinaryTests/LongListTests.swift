import Foundation
import Testing

/// A shopping list that is longer than memory should hold.
@Suite struct LongListTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Items of three sections, more than are kept in memory.
  private static let items = (0..<60_000).map {
    "\(["kale", "milk", "socks"][$0 % 3]) \($0) of a rather long name, as titles have"
  }

  @Test("It comes out as a short one does, with its explanations aligned", arguments: [false, true])
  func sameAsShort(isExplained: Bool) throws {
    let input = Self.items.joined(separator: "\n") + "\nkale\n"
    let arguments = ["categorize", "--format", "list"] + (isExplained ? ["--explain"] : [])
    let process = try RunningAisle(arguments, in: folder, output: .file("\(folder.path)/out"))
    process.feed([Data(input.utf8)])
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    let lines = try String(contentsOfFile: "\(folder.path)/out", encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let produce = Self.items.filter { $0.hasPrefix("kale") }
    #expect(lines.first == "Produce  20001")
    let shown = lines[1...20_001].map { String($0) }
    if isExplained {
      for (line, item) in zip(shown, produce) where !line.hasPrefix("  \(item)  0.") { Issue.record("\(line)") }
      #expect(shown.last?.hasPrefix("  kale" + String(repeating: " ", count: 36 + 2)) == true)
    } else {
      #expect(shown == (produce + ["kale"]).map { "  \($0)" })
    }
    #expect(lines.contains("Other  20000"))
    #expect(lines.count == 3 + 60_001 + 2 + 1)
  }

  #if os(Linux)
    @Test("20 MB of items take little memory")
    func memory() throws {
      let line = Data((String(repeating: "socks of cotton ", count: 60) + "\n").utf8)
      let process = try RunningAisle(["categorize", "--format", "list"], in: folder, output: .stalledPipe)
      process.feed(Array(repeating: line, count: 20_000_000 / line.count))
      let deadline = Date(timeIntervalSinceNow: RunningAisle.patience)
      while process.output.waitingCount == 0, Date() < deadline { usleep(20_000) }
      let peak = try process.peakMemory()
      #expect(peak <= 64 * 1024, "\(peak) KiB")
      process.resumeReading()
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .exited(0))
      #expect(finished.output.count > 20_000_000)
    }
  #endif

  @Test("A folder that cannot hold what is too much for memory is one error", arguments: ["/nowhere", "full"])
  func noRoom(place: String) throws {
    let input = Data(Self.items.joined(separator: "\n").utf8)
    // A limit on the size of files stands in for a full disk.
    let process = try RunningAisle(
      ["categorize", "--format", "list"], in: folder, environment: ["TMPDIR": place == "full" ? folder.path : place],
      wrapper: place == "full" ? ["/bin/sh", "-c", "ulimit -f 8; exec \"$@\"", "sh"] : [])
    process.feed([input])
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(2))
    #expect(finished.output.isEmpty)
    #expect(
      finished.diagnostics.hasPrefix(
        "aisle: \(place == "full" ? folder.path : place): cannot write a temporary file for a long list: "))
    #expect(finished.diagnostics.filter { $0 == "\n" }.count == 1)
  }

  @Test("When the reader has gone it ends while there is still input")
  func readerGone() throws {
    let process = try RunningAisle(["categorize", "--format", "list"], in: folder, output: .brokenPipe)
    process.feed(sequence(state: Data(String(repeating: "kale\n", count: 1000).utf8)) { $0 }, thenEnds: false)
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
  }
}
