import Foundation
import Testing

/// Input that comes slowly is answered as it comes.
@Suite struct StreamingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Each line is answered before the next one is sent",
    arguments: [
      ["--jobs", "1"], ["--jobs", "3"], ["--line-buffered"], ["--format", "jsonl"], ["--explain"], ["--input-format", "csv"],
      ["--input-format", "jsonl"], ["--input-format", "csv", "--format", "jsonl"],
    ])
  func oneByOne(arguments: [String]) throws {
    let process = try RunningAisle(["categorize"] + arguments, in: folder)
    var expected = 0
    if arguments.contains("csv") {
      process.send("item\n")
      if !arguments.contains("jsonl") {
        expected += 1
        try process.waitForLines(expected)
      }
    }
    for number in 1...5 {
      process.send(arguments.starts(with: ["--input-format", "jsonl"]) ? "{\"item\":\"kale \(number)\"}\n" : "kale \(number)\n")
      expected += 1
      try process.waitForLines(expected)
      #expect(process.output.bytes.split(separator: 0x0A).count == expected)
    }
    #expect(try process.finish().ending == .exited(0))
  }

  @Test("What is done comes out while the header of the next input is awaited", arguments: ["1", "3"])
  func awaitedHeader(jobs: String) throws {
    let rows = 40_000
    try folder.write("item,id\n" + String(repeating: "kale,1\n", count: rows), to: "rows.csv")
    let process = try RunningAisle(["categorize", "--input-format", "csv", "--jobs", jobs, "rows.csv", "-"], in: folder)
    try process.waitForLines(rows + 1)
    process.send("item,id\nmilk,2\n")
    try process.waitForLines(rows + 2)
    #expect(try process.finish().ending == .exited(0))
  }

  @Test("Whole lines are answered even when part of the next one is there already", arguments: ["1", "3"])
  func partOfTheNext(jobs: String) throws {
    let process = try RunningAisle(["categorize", "--jobs", jobs], in: folder, input: .widePipe)
    // All is in the pipe before the first read, which takes in the whole lines; the next read finds but a part.
    process.signal(SIGSTOP)
    let line = "kale and oat ml\n"
    let count = longestRecord / line.utf8.count
    process.feed([Data((String(repeating: line, count: count) + "mi").utf8)], thenEnds: false)
    try process.waitUntilInputIsSent()
    process.signal(SIGCONT)
    try process.waitForLines(count)
    process.send("lk\n")
    try process.waitForLines(count + 1)
    #expect(try process.finish().ending == .exited(0))
  }

  @Test("The lines before an oversized one are answered while it is still coming in")
  func beforeOversized() throws {
    let process = try RunningAisle(["categorize"], in: folder)
    process.send("kale\n")
    process.send(Data(repeating: UInt8(ascii: "x"), count: 1 << 20))
    try process.waitForLines(1)
    process.send("\nmilk\n")
    try process.waitForLines(3)
    #expect(try process.finish().ending == .exited(2))
  }

  @Test("A bad record is reported as it comes in")
  func badRecord() throws {
    let process = try RunningAisle(["categorize", "--input-format", "jsonl"], in: folder)
    process.send("bad\n")
    try process.waitForLines(1)
    try process.waitForErrors { $0.last == 0x0A }
    #expect(try process.finish().diagnostics.hasPrefix("aisle: standard input:1: "))
  }
}
