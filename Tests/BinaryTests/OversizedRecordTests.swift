import Foundation
import Testing

/// Records that are too long to hold, and how much memory is held.
@Suite struct OversizedRecordTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  #if os(Linux)
    @Test("A line of 100 MB costs one message and little memory, and the lines around it are answered")
    func hugeLine() throws {
      let (count, chunk) = (1600, Data(repeating: UInt8(ascii: "x"), count: 1 << 16))
      let process = try RunningAisle(["categorize"], in: folder)
      process.feed([Data("kale\n".utf8)] + Array(repeating: chunk, count: count) + [Data("\nmilk\n".utf8)], thenEnds: false)
      let last = Data("\nmilk\tDairy & Eggs\n".utf8)
      try process.waitForOutput { $0.suffix(last.count) == last }
      #expect(try process.peakMemory() <= 64 * 1024)
      let finished = try process.finish()
      #expect(finished.ending == .exited(2))
      #expect(finished.diagnostics == "aisle: standard input:2: record longer than 256 KiB; not categorized\n")
      let start = Data("kale\tProduce\n".utf8)
      let length = count * chunk.count
      #expect(finished.output.count == start.count + length + "\tOther".utf8.count + last.count)
      #expect(finished.output.prefix(start.count) == start)
      #expect(Self.isAll("x", finished.output.dropFirst(start.count).prefix(length)))
      #expect(finished.output.dropFirst(start.count + length) == Data("\tOther".utf8) + last)
    }

    @Test(
      "Memory stays flat on a long stream",
      arguments: [
        ["--jobs", "1"], ["--jobs", "3"], ["--format", "jsonl"], ["--input-format", "jsonl"],
      ])
    func flatMemory(arguments: [String]) throws {
      let line = arguments.contains("--input-format") ? "{\"item\":\"oat milk\"}\n" : "2 bottles of oat milk, cold\n"
      let chunk = Data(String(repeating: line, count: 1000).utf8)
      let process = try RunningAisle(["categorize", "--summary"] + arguments, in: folder)
      var lines = 0
      func stream(_ chunks: Int) throws -> Int {
        process.feed(Array(repeating: chunk, count: chunks), thenEnds: false)
        lines += 1000 * chunks
        try process.waitForLines(lines)
        return try process.peakMemory()
      }
      let before = try stream(40)
      let after = try stream(160)
      #expect(after <= before + 2 * 1024, "grew from \(before) to \(after) KiB while 4 MB went through")
      #expect(after <= 64 * 1024)
      #expect(try process.finish().ending == .exited(0))
    }
  #endif

  #if os(Linux)
    @Test(
      "The shortest records cost no more memory than others",
      arguments: [
        ["--jobs", "1"], ["--jobs", "3"], ["--explain"], ["--input-format", "jsonl"], ["--input-format", "csv", "--jobs", "3"],
        ["--format", "jsonl"], ["--format", "csv"],
      ])
    func shortestRecords(arguments: [String]) throws {
      for record in ["\n", "x\n"] where record == "x\n" || !arguments.contains("csv") {
        let chunk = Data(String(repeating: record, count: 1 << 16).utf8)
        let process = try RunningAisle(["categorize"] + arguments, in: folder, errors: .file("/dev/null"))
        let header = arguments.starts(with: ["--input-format", "csv"]) ? "item\n" : ""
        // Two buffers full: without a limit, their records alone would cost more than is allowed.
        let chunks = 2 * longestRecord / chunk.count
        process.feed([Data(header.utf8)] + Array(repeating: chunk, count: chunks), thenEnds: false)
        try process.waitForLines(chunks << 16)
        let peak = try process.peakMemory()
        #expect(peak <= 64 * 1024, "\(peak) KiB for \(String(reflecting: record))")
        _ = try process.finish()
      }
    }

    @Test("More jobs than cores keep busy cost no memory")
    func manyJobs() throws {
      func peak(_ jobs: Int) throws -> Int {
        let process = try RunningAisle(["categorize", "--jobs", "\(jobs)"], in: folder)
        process.feed(Array(repeating: Data(String(repeating: "x\n", count: 1 << 16).utf8), count: 32), thenEnds: false)
        try process.waitForLines(32 << 16)
        defer { _ = try? process.finish() }
        return try process.peakMemory()
      }
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let (few, many) = (try peak(2 * cores), try peak(256))
      #expect(many <= few + 16 * 1024, "\(few) KiB with \(2 * cores) jobs, \(many) with 256")
    }
  #endif

  @Test("A doubled quotation mark stays one wherever a buffer ends", arguments: ["csv", "tsv"])
  func doubledQuotes(format: String) throws {
    // Both halves of the doubled mark come to stand at the edge, and runs of them.
    for shift in 0..<4 {
      for run in [1, 2, 3] {
        let pattern = String(repeating: "\"\"", count: run) + ",x\n"
        let field =
          String(repeating: "z", count: shift) + String(repeating: pattern, count: 2 * longestRecord / pattern.utf8.count)
        let raw = "2,\"\(field)\""
        let rows = "1,kale\n\(raw)\n3,milk\n"
        try folder.write("id,item\n\(rows)", to: "items.csv")
        let finished = try aisle("categorize", "--input-format", "csv", "--format", format, "items.csv", in: folder)
        #expect(
          finished.diagnostics
            == "aisle: items.csv:3: record longer than 256 KiB; not categorized; check that the quote opened on line 3 is closed\n"
        )
        let expected =
          format == "csv"
          ? "id,item,section\n1,kale,Produce\n\"\(raw.replacing("\"", with: "\"\""))\",,Other\n3,milk,Dairy & Eggs\n"
          : "kale\tProduce\n2,\"\(field.replacing("\n", with: "\\n"))\"\tOther\nmilk\tDairy & Eggs\n"
        #expect(finished.output.firstDifference(from: Data(expected.utf8)) == nil, "shift \(shift), \(run) marks")
      }
    }
  }

  @Test("A quoted row that comes in single bytes at the edge of a block is one record")
  func quotesInSingleBytes() throws {
    let process = try RunningAisle(["categorize", "--input-format", "csv"], in: folder)
    process.send("item\n\"" + String(repeating: "z", count: longestRecord))
    for byte in ["\"", "\"", "\n", "\"", "\"", "\"", "\"", ",", "\"", "\n", "kale\n"] {
      process.send(byte)
      try process.waitUntilInputIsRead()
    }
    let finished = try process.finish()
    #expect(finished.text.hasSuffix("z\"\"\"\"\n\"\"\"\"\"\"\"\",\"\"\",Other\nkale,Produce\n"))
    #expect(
      finished.diagnostics
        == "aisle: standard input:2: record longer than 256 KiB; not categorized; check that the quote opened on line 2 is closed\n"
    )
  }

  @Test(
    "An input that fails within an oversized record leaves it ended, and the next input goes on",
    arguments: ["tsv", "jsonl", "csv"])
  func failingInput(format: String) throws {
    try folder.write("kale\n", to: "one.txt")
    let process = try RunningAisle(
      ["categorize", "--summary", "--format", format, "-", "one.txt"], in: folder, input: .resetSocket)
    let long = String(repeating: "z", count: longestRecord + 20_000)
    process.send(long)
    try process.waitForOutput { $0.count > longestRecord + 10_000 }
    let finished = try process.finish()
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("aisle: standard input: "))
    #expect(finished.diagnostics.contains("2 items in"))
    let fault = "record longer than 256 KiB; not categorized"
    let expected =
      switch format {
      case "tsv": "\(long)\tOther\nkale\tProduce\n"
      case "csv": "item,section\n\"\(long)\",Other\nkale,Produce\n"
      default:
        "{\"item\":\"\(long)\",\"section\":\"Other\",\"error\":\"\(fault)\"}\n{\"item\":\"kale\",\"section\":\"Produce\"}\n"
      }
    #expect(finished.output.firstDifference(from: Data(expected.utf8)) == nil)
  }

  @Test(
    "An oversized record is one record in every format, and the rest goes on",
    arguments: [
      ("lines", "tsv", "kale\n%\nmilk\n", "kale\tProduce\n%\tOther\nmilk\tDairy & Eggs\n", 2),
      ("lines", "csv", "kale\n%\nmilk\n", "item,section\nkale,Produce\n\"%\",Other\nmilk,Dairy & Eggs\n", 2),
      (
        "csv", "csv", "id,item\n1,kale\n2,%\n3,milk\n",
        "id,item,section\n1,kale,Produce\n\"2,%\",,Other\n3,milk,Dairy & Eggs\n", 3
      ),
      (
        "csv", "csv", "id,item\n1,kale\n\"2\n\n\",\"%\n,\"\"\n%\"\n3,milk\n",
        "id,item,section\n1,kale,Produce\n\"\"\"2\n\n\"\",\"\"%\n,\"\"\"\"\n%\"\"\",,Other\n3,milk,Dairy & Eggs\n", 3
      ),
    ] as [(String, String, String, String, Int)])
  func everyFormat(inputFormat: String, format: String, input: String, output: String, line: Int) throws {
    let long = String(repeating: "z", count: longestRecord + 5000)
    func filled(_ text: String) -> Data { Data(text.replacingOccurrences(of: "%", with: long).utf8) }
    let finished = try aisle("categorize", "--input-format", inputFormat, "--format", format, input: filled(input), in: folder)
    #expect(finished.ending == .exited(2))
    // The second quote of that record, which is the one that is long.
    let quote = input.contains("\"") ? "; check that the quote opened on line 5 is closed" : ""
    #expect(finished.diagnostics == "aisle: standard input:\(line): record longer than 256 KiB; not categorized\(quote)\n")
    #expect(finished.output.firstDifference(from: filled(output)) == nil)
  }

  @Test("Lines after an oversized record that spans lines keep their numbers in messages")
  func lineNumbersAfterwards() throws {
    let long = String(repeating: "z", count: longestRecord + 5000)
    let input = Data("id,item\n1,\"\(long)\n\n\(long)\"\n2,kale,3\n".utf8)
    let finished = try aisle("categorize", "--input-format", "csv", input: input, in: folder)
    #expect(finished.diagnostics.contains("standard input:2: record longer"))
    #expect(finished.diagnostics.contains("standard input:5: this row has 3 fields"))
  }

  @Test("An oversized record that breaks off with the input is still one record")
  func unended() throws {
    let long = String(repeating: "z", count: 3 * longestRecord)
    let finished = try aisle("categorize", "--summary", input: long, in: folder)
    #expect(finished.output.firstDifference(from: Data("\(long)\tOther\n".utf8)) == nil)
    #expect(finished.diagnostics.contains("1 item in"))
    #expect(finished.diagnostics.contains("bad records: 1"))
  }

  @Test("The shopping list shows the beginning of an oversized item")
  func list() throws {
    let long = String(repeating: "é", count: longestRecord)
    let finished = try aisle("categorize", "--format", "list", input: "kale\n\(long)\n", in: folder)
    #expect(finished.text.hasPrefix("Produce  1\n  kale\n\nOther  1\n  éééé"))
    #expect(finished.text.hasSuffix("é…\n"))
    #expect(finished.output.count < 1000)
  }

  /// Whether all bytes are the same one.
  private static func isAll(_ byte: Unicode.Scalar, _ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > 1 else { return false }
      return buffer[0] == UInt8(ascii: byte) && memcmp(base, base + 1, buffer.count - 1) == 0
    }
  }
}
