import Foundation
import Testing

/// Characters and line ends that lie across the edge of a buffer.
@Suite struct BufferEdgeTests {
  private static let capacity = longestRecord
  private static let pipeCapacity = 64 * 1024
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("Characters of two, three and four bytes come back whole wherever a block ends", arguments: ["é", "☕", "🥬"], ["1", "3"])
  func charactersAcrossBlocks(character: String, jobs: String) throws {
    let width = character.utf8.count
    for shift in 0..<width {
      let line = String(repeating: character, count: 30) + "\n"
      let count = 2 * Self.capacity / line.utf8.count + 10
      let input = Data((String(repeating: "x", count: shift) + String(repeating: line, count: count)).utf8)
      try folder.write(input, to: "items.txt")
      let finished = try aisle("categorize", "--jobs", jobs, "items.txt", in: folder)
      #expect(finished.ending == .exited(0))
      let difference = CutOutput(finished.output).items.firstDifference(from: input)
      #expect(difference == nil, "`\(character)` shifted by \(shift)")
    }
  }

  @Test("Every byte of a character may be the last that a pipe gave", arguments: ["é\n", "🥬\n", "x\r\n"])
  func charactersAcrossPipeReads(end: String) throws {
    let process = try RunningAisle(["categorize", "--jobs", "1"], in: folder)
    var expected = Data()
    for edge in 0...end.utf8.count {
      let filler = String(repeating: "x", count: Self.pipeCapacity - 10 - edge)
      let line = Data((filler + end).utf8)
      let cut = filler.utf8.count + edge
      process.send(line.prefix(cut))
      try process.waitUntilInputIsRead()
      process.send(line.dropFirst(cut))
      expected += line
      try process.waitForOutput { CutOutput($0).items.count == expected.count }
    }
    let finished = try process.finish()
    #expect(CutOutput(finished.output).items.firstDifference(from: expected) == nil)
  }

  @Test(
    "A character at every offset around the edge of a block comes back whole in an oversized item",
    arguments: ["tsv", "csv", "jsonl"])
  func oversizedCharacters(format: String) throws {
    let items = (0...5).map { String(repeating: "x", count: Self.capacity - $0) + "🥬é tail" }
    try folder.write(Data((items.joined(separator: "\n") + "\n").utf8), to: "items.txt")
    let finished = try aisle("categorize", "--format", format, "items.txt", in: folder)
    #expect(finished.ending == .exited(2))
    let fault = "record longer than \(Self.capacity / 1024) KiB; not categorized"
    let expected =
      switch format {
      case "tsv": items.map { "\($0)\tOther\n" }.joined()
      case "csv": "item,section\n" + items.map { "\"\($0)\",Other\n" }.joined()
      default: items.map { "{\"item\":\"\($0)\",\"section\":\"Other\",\"error\":\"\(fault)\"}\n" }.joined()
      }
    #expect(finished.output.firstDifference(from: Data(expected.utf8)) == nil)
  }

  @Test("Lines about as long as a block keep their bytes and their line end", arguments: ["\n", "\r\n"], ["1", "3"])
  func lengthsAroundCapacity(end: String, jobs: String) throws {
    let lengths = (-4...3).map { Self.capacity + $0 }
    let items = lengths.map { "kale" + String(repeating: "y", count: $0 - 4) }
    let input = Data((items.joined(separator: end) + end + "milk" + end).utf8)
    try folder.write(input, to: "items.txt")
    let finished = try aisle("categorize", "--jobs", jobs, "items.txt", in: folder)
    let output = CutOutput(finished.output)
    #expect(output.count == items.count + 1)
    #expect(output.items.firstDifference(from: input) == nil)
  }

  @Test("A last line of any length about a block's needs no newline", arguments: [-1, 0, 1])
  func unendedLineAroundCapacity(difference: Int) throws {
    let item = String(repeating: "y", count: Self.capacity + difference)
    let finished = try aisle("categorize", input: "kale\n\(item)", in: folder)
    #expect(finished.output.firstDifference(from: Data("kale\tProduce\n\(item)\tOther\n".utf8)) == nil)
  }
}
