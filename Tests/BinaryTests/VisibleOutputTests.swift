import Foundation
import Testing

/// What reaches a terminal from items and names that are meant to deceive.
@Suite struct VisibleOutputTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Controls, C1 as characters and as bytes, format, separators, tags, private, unassigned and ignorable characters.
  private static let hostile =
    Data(
      "kale \u{1B}[31mred\u{7}\r\u{8}\u{7F}\u{9B}2J\u{AD}\u{200B}\u{200D}\u{202E}\u{2066}\u{2028}\u{2029}\u{FEFF}\u{E0041}".utf8)
    + Data([0x9B, 0x84, 0xFF])
    + Data("\u{E000}\u{FFFE}\u{378}\u{115F}\u{3164}\u{FE0F}\u{34F}\u{180B} end".utf8)

  /// The characters that must not have come out, apart from the sequences that color.
  private static func raw(_ output: Data) -> [String] {
    let text = String(decoding: output, as: UTF8.self).replacing(/\u{1B}\[[0-9;]*m/, with: "")
    return text.unicodeScalars.filter { scalar in
      if scalar == "\n" || scalar == "\t" { return false }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return true
      default: return scalar.properties.isDefaultIgnorableCodePoint
      }
    }.map { String($0.value, radix: 16) }
  }

  @Test(
    "No format shows a terminal anything that it would obey or hide, and in a pipe the bytes stay",
    arguments: [
      ["--format", "tsv"], ["--format", "csv"], ["--format", "jsonl"], ["--format", "list"], ["--format", "tsv", "--explain"],
      ["--format", "list", "--explain"],
    ])
  func formats(arguments: [String]) throws {
    let long = Data(repeating: UInt8(ascii: "z"), count: 300 * 1024) + Self.hostile
    for input in [Self.hostile + Data("\r\nmilk\r\n".utf8), long] {
      let process = try RunningAisle(["categorize", "--color", "never"] + arguments, in: folder, output: .terminal)
      process.feed([input])
      let finished = try process.finish(endingInput: false)
      #expect(Self.raw(finished.output) == [])
      #expect(!finished.output.contains(0x1B))
      #expect(finished.text.contains("␛[31mred") || finished.text.contains("\\u001b[31mred") || arguments.contains("list"))
    }
    guard arguments == ["--format", "tsv"] else { return }
    let piped = try aisle("categorize", input: Self.hostile + Data("\n".utf8), in: folder)
    #expect(piped.output.starts(with: Self.hostile))
  }

  @Test("No command shows a terminal a hostile item, note or file name raw")
  func commands() throws {
    let item = String(decoding: Self.hostile, as: UTF8.self).replacing("\r", with: "").replacing("\u{FFFD}", with: "")
    try folder.write("\(item)\tProduce\n", to: "corpus/a\u{1B}[31m\u{200B}.tsv")
    _ = try aisle("correct", item, "Snacks", in: folder)
    for arguments in [
      ["correct", item, "Produce"], ["corrections", "list"], ["corrections", "export"],
      ["check", "corpus/a\u{1B}[31m\u{200B}.tsv"],
      ["eval"], ["eval", "--format", "json"], ["eval", "--format", "markdown"], ["eval", "--errors", "5"], ["tune", "report"],
      ["doctor"], ["stores", "list"], ["stores", "show"], ["suggestions", "list"], ["config"], ["chain"], ["strategies", "list"],
      ["categorize", "--store", item], ["categorize", item], [item],
    ] {
      let process = try RunningAisle(arguments, in: folder, output: .terminal, errors: .terminal)
      let finished = try process.finish()
      #expect(Self.raw(finished.output) == [], "\(arguments)")
      #expect(Self.raw(finished.errors) == [], "\(arguments)")
      #expect(!finished.text.contains("\u{1B}[31mred"), "\(arguments)")
      #expect(!finished.diagnostics.contains("\u{1B}[31mred"), "\(arguments)")
    }
  }
}
