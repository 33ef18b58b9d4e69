import AisleCore
import AisleTesting
import Foundation
import Testing

/// Records out = records in, in order, with each item's bytes as they came in.
@Suite struct RecordFidelityTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Every line comes back with its bytes and its section",
    arguments: [
      ("nothing at all", "", ""),
      ("one line", "kale\n", "kale\tProduce\n"),
      ("no final newline", "kale\nmilk", "kale\tProduce\nmilk\tDairy & Eggs\n"),
      ("an empty line", "\n", "\tOther\n"),
      ("empty lines between", "kale\n\n\nmilk\n", "kale\tProduce\n\tOther\n\tOther\nmilk\tDairy & Eggs\n"),
      ("CR-LF", "kale\r\nmilk\r\n", "kale\tProduce\r\nmilk\tDairy & Eggs\r\n"),
      ("CR-LF and LF mixed", "kale\r\nmilk\n\r\nkale", "kale\tProduce\r\nmilk\tDairy & Eggs\n\tOther\r\nkale\tProduce\n"),
      ("CR within a line", "ka\rle\rxx\n", "ka\rle\rxx\tOther\n"),
      ("CR at the very end", "kale\r", "kale\r\tProduce\n"),
      ("a tab within an item", "kale\tmilk\n", "kale\tmilk\tDairy & Eggs\n"),
      ("blanks around an item", "  kale \n", "  kale \tProduce\n"),
      ("NUL before, within and after", "\0kale\0\nx\0y\n", "\0kale\0\tProduce\nx\0y\tOther\n"),
      ("an escape sequence", "\u{1B}[31m kale\n", "\u{1B}[31m kale\tProduce\n"),
      ("capitals and accents", "KALE\nKalé\n", "KALE\tProduce\nKalé\tProduce\n"),
      ("a byte order mark", "\u{FEFF}kale\n", "\u{FEFF}kale\tProduce\n"),
      ("a line separator of Unicode", "kale\u{2028}\u{85}x\n", nil),
    ] as [(String, String, String?)])
  func lines(name: String, input: String, output: String?) throws {
    let finished = try aisle("categorize", input: input, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.errors.isEmpty)
    if let output { #expect(finished.output == Data(output.utf8), "\(name): \(String(reflecting: finished.text))") }
    #expect(CutOutput(finished.output).items == Data(input.utf8).endingInNewline, "\(name)")
  }

  @Test(
    "Bytes that are no UTF-8 come back as they are",
    arguments: [
      [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0xA5], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func invalidText(bytes: [UInt8]) throws {
    let input = Data(bytes) + Data(" kale ".utf8) + Data(bytes) + [0x0A] + Data(bytes)
    let finished = try aisle("categorize", input: input, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.errors.isEmpty)
    let output = CutOutput(finished.output)
    #expect(output.items == input.endingInNewline)
    #expect(output.sections.isSubset(of: ScratchFolder.sections))
  }

  @Test("All 256 bytes come back within one item, in every format that can hold them", arguments: ["tsv", "csv"])
  func everyByte(format: String) throws {
    let item = Data((0...255).filter { $0 != 0x0A })
    let finished = try aisle("categorize", "--format", format, input: item, in: folder)
    #expect(finished.ending == .exited(0))
    let quoted = Data("item,section\n\"".utf8) + item.flatMap { $0 == 0x22 ? [$0, $0] : [$0] } + Data("\",Other\n".utf8)
    #expect(finished.output == (format == "csv" ? quoted : item + Data("\tOther\n".utf8)))
  }

  @Test(
    "Cutting the last field gives back any soup of bytes, with one job and with three", arguments: 1...16 as ClosedRange<UInt64>)
  func soup(seed: UInt64) throws {
    let input = Self.soup(seed: seed)
    for jobs in ["1", "3"] {
      let process = try RunningAisle(["categorize", "--jobs", jobs], in: folder)
      process.feed(Self.pieces(of: input, seed: seed))
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .exited(0), "seed \(seed), --jobs \(jobs): \(finished.diagnostics)")
      let output = CutOutput(finished.output)
      let difference = output.items.firstDifference(from: input.endingInNewline)
      #expect(difference == nil, "seed \(seed), --jobs \(jobs)")
      #expect(output.sections.isSubset(of: ScratchFolder.sections), "seed \(seed), --jobs \(jobs): \(output.sections)")
    }
  }

  @Test("Line by line gives the same bytes as block by block", arguments: 1...4 as ClosedRange<UInt64>)
  func lineBuffered(seed: UInt64) throws {
    let input = Self.soup(seed: seed).prefix(20_000)
    let blocks = try aisle("categorize", input: input, in: folder)
    let lines = try aisle("categorize", "--line-buffered", input: input, in: folder)
    #expect(lines.ending == .exited(0))
    #expect(lines.output == blocks.output, "seed \(seed)")
  }

  @Test("Several files follow each other, and a last line without its newline stays a line of its own")
  func severalFiles() throws {
    try folder.write("kale\nspinach", to: "one.txt")
    try folder.write("", to: "empty.txt")
    try folder.write("milk\r\nx", to: "two.txt")
    let finished = try aisle("categorize", "one.txt", "empty.txt", "-", "two.txt", input: "butter", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == "kale\tProduce\nspinach\tProduce\nbutter\tDairy & Eggs\nmilk\tDairy & Eggs\r\nx\tOther\n")
  }

  @Test("Eight jobs keep the order of a long input whose lines cost different time", arguments: ["tsv", "jsonl"])
  func order(format: String) throws {
    var generator = SeededGenerator(seed: 11)
    var input = ""
    for number in 0..<12_000 {
      input +=
        "\(number) \(["kale", "x", "oat milk, with spinach and butter for chocolate licorice"].randomElement(using: &generator) ?? "")"
      if number % 1000 == 0 { input += String(repeating: " milk", count: 10_000) }
      input += "\n"
    }
    let bytes = Data(input.utf8)
    let alone = try aisle("categorize", "--format", format, "--jobs", "1", input: bytes, in: folder)
    let together = try aisle("categorize", "--format", format, "--jobs", "8", input: bytes, in: folder)
    #expect(together.ending == .exited(0))
    #expect(together.output.firstDifference(from: alone.output) == nil)
    if format == "tsv" { #expect(CutOutput(alone.output).items == bytes) }
  }

  /// Bytes drawn from an alphabet that has everything that could confuse a reader of lines; every fourth soup spans several blocks.
  private static func soup(seed: UInt64) -> Data {
    var generator = SeededGenerator(seed: UInt64(seed))
    let morsels: [[UInt8]] = [
      [0x0A], [0x0D, 0x0A], [0x0D], [0x00], [0x09], [0xFF], [0xC3], [0xC3, 0xA9], [0xF0, 0x9F, 0xA5, 0xAC], [0x22], [0x2C],
      [0x20],
      Array("kale".utf8), Array("oat milk".utf8), Array("butter".utf8), [0xE2, 0x80, 0xA8], [0x1B], [0x7F],
    ]
    let chosen =
      morsels.filter { _ in Bool.random(using: &generator) } + [[UInt8.random(in: 0...255, using: &generator)], [0x61]]
    let size = seed % 4 == 0 ? 700_000 : Int.random(in: 0...5000, using: &generator)
    var soup = Data(capacity: size + 16)
    while soup.count < size { soup.append(contentsOf: chosen[Int.random(in: 0..<chosen.count, using: &generator)]) }
    return soup
  }

  private static func pieces(of input: Data, seed: UInt64) -> [Data] {
    var generator = SeededGenerator(seed: UInt64(seed))
    var pieces: [Data] = []
    var start = input.startIndex
    while start < input.endIndex {
      let end = min(input.endIndex, start + Int.random(in: 1...max(200, input.count / 10), using: &generator))
      pieces.append(input[start..<end])
      start = end
    }
    return pieces
  }
}
