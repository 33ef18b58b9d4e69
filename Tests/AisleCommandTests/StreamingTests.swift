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

  @Test("A whole line is answered even when part of the next is there already", arguments: [["--jobs", "1"], ["--jobs", "3"]])
  func partOfTheNext(arguments: [String]) throws {
    let process = try RunningAisle(["categorize"] + arguments, in: folder)
    // The part is sent while the line before it is being worked on, half a microsecond later each time.
    let clock = ContinuousClock()
    for round in 0..<600 {
      process.send("kale\n")
      let moment = clock.now + .nanoseconds(500 * round)
      while clock.now < moment {}
      process.send("mi")
      try process.waitForLines(2 * round + 1)
      process.send("lk\n")
      try process.waitForLines(2 * round + 2)
    }
    #expect(try process.finish().text == String(repeating: "kale\tProduce\nmilk\tDairy & Eggs\n", count: 600))
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
