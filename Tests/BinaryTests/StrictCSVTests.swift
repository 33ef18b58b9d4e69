import AisleCore
import Foundation
import Testing

/// CSV that a reader takes which forgives nothing: Python's with `strict`.
@Suite struct StrictCSVTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Whatever came in, every row of CSV that comes out has a field for each column", arguments: [["csv"], ["jsonl"], ["lines"]])
  func soup(inputFormat: [String]) throws {
    guard Self.hasPython else { return print("skipped: no python3") }
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<6 {
      var input = "id,item,note\n"
      for _ in 0..<200 { input += Self.record(&random) }
      // What is longer than a buffer, at its edge: with a quote that is never closed, or an ordinary row.
      if round > 2 {
        let fill = String(repeating: "z", count: longestRecord - Int.random(in: -3...3, using: &random))
        input += ["1,\"\(fill)\"\"x\",2\n", "\(fill)\r,\r\n", "1,2,\"\(fill)"].randomElement(using: &random) ?? ""
        for _ in 0..<20 { input += Self.record(&random) }
      }
      try folder.write(input, to: "in")
      let arguments = ["categorize", "--format", "csv", "--input-format"] + inputFormat + (round % 2 == 0 ? ["--explain"] : [])
      let finished = try RunningAisle(arguments + ["in"], in: folder, output: .file("\(folder.path)/out")).finish()
      if case .killed = finished.ending { Issue.record("ended by a signal; seed \(seed)") }
      #expect(try python(Self.counts) == "", "round \(round), seed \(seed)")
    }
  }

  @Test(
    "A bad row is one field as it was written, in the first column, and a bare return is quoted",
    arguments: [
      ("1,2,3,4", "\"1,2,3,4\",,"), ("1,\"2\"x,3", "\"1,\"\"2\"\"x,3\",,"), ("1", "1,,"), ("a\rb,kale,", "\"a\rb\",kale,"),
      ("1,kale,c\r\r", "1,kale,\"c\r\""), ("1,\"kale\"\r,3", "\"1,\"\"kale\"\"\r,3\",,"), ("1,12\" pizza,3", "1,12\" pizza,3"),
      ("1,\"kale\r\nor\rchard\",\"\"", "1,\"kale\r\nor\rchard\",\"\""),
    ])
  func badRow(row: String, expected: String) throws {
    let finished = try aisle("categorize", "--input-format", "csv", input: "id,item,note\n\(row)\n9,milk,\n", in: folder)
    let lines = finished.text.replacing("9,milk,,Dairy & Eggs\n", with: "")
    #expect(lines.hasPrefix("id,item,note,section\n\(expected),"), "\(String(reflecting: lines))")
  }

  @Test("A bare return in the header is quoted too, and a byte order mark stays before it")
  func header() throws {
    let finished = try aisle(
      "categorize", "--input-format", "csv", input: "\u{FEFF}id,\"a\r\nb\",x\ry,item\n1,2,3,kale\n", in: folder)
    #expect(finished.text == "\u{FEFF}id,\"a\r\nb\",\"x\ry\",item,section\n1,2,3,kale,Produce\n")
  }

  private static let counts = """
    import csv
    csv.field_size_limit(1 << 30)
    with open('out', newline='', encoding='utf-8', errors='surrogateescape') as file:
        rows = [row for row in csv.reader(file, strict=True) if row]
    wrong = [row for row in rows if len(row) != len(rows[0])]
    if wrong: print(len(wrong), len(rows[0]), repr(wrong[0])[:200])
    """

  private static let hasPython = (try? run("pass", in: "/tmp")) == ""

  private func python(_ script: String) throws -> String { try Self.run(script, in: folder.path) }

  /// What a Python program writes, also to standard error.
  private static func run(_ script: String, in folder: String) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let written = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: written, as: UTF8.self) + (process.terminationStatus == 0 ? "" : " exit \(process.terminationStatus)")
  }

  /// A record of CSV that may have anything wrong.
  private static func record(_ random: inout SeededGenerator) -> String {
    let pieces = ["\"", "\"\"", ",", "\r", "\0", "kale", "milk", "é", "\t", "\r\n", " ", "\u{FEFF}", "x"]
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
    return text + (Bool.random(using: &random) ? ",kale,\n" : "\n")
  }
}
