import Foundation
import Testing

/// Two hundred mistakes in command lines, each with its exit code and the first line that is said about it, in `Fixtures/wrong-command-lines.tsv`.
/// With `AISLE_RECORD=1` the table is written anew; read every line that changes.
@Suite struct WrongCommandLineTests {
  private static let table = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
    path: "Fixtures/wrong-command-lines.tsv")

  private struct Row {
    let exit: String
    let line: String
    let message: String
  }

  private static func rows() throws -> [Row] {
    try String(contentsOf: table, encoding: .utf8).split(separator: "\n").map { text in
      let cells = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Row(exit: cells[0], line: cells[1], message: cells[2])
    }
  }

  /// The words of a line, as a shell splits it; single quotes alone are known.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    for (place, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if place.isMultiple(of: 2) { words += part.split(separator: " ").map(String.init) } else { words.append(String(part)) }
    }
    return words
  }

  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write("kale\tgreens\tplain\nmilk\tmilk\tplain\n", to: "corpus/items.tsv")
    try folder.write("kale\nmilk\n", to: "list.txt")
    try folder.write("qty,product\n2,kale\n", to: "data.csv")
    try folder.write("{\"id\": 1, \"product\": \"kale\"}\n", to: "data.jsonl")
    try folder.write("store: kroger\nchian: keyword\n", to: "broken.yaml")
    try folder.write("PK\u{3}\u{4}", to: "book.xlsx")
    try folder.write("%PDF-1.7\n", to: "page.pdf")
    return folder
  }

  @Test("Each says what is wrong and what to do, and ends with its code")
  func table() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 200)
    let isRecording = ProcessInfo.processInfo.environment["AISLE_RECORD"] == "1"
    var recorded = ""
    for row in rows {
      // A folder of its own: a line that changes anything changes nothing for the next.
      let folder = try Self.folder()
      let finished = try withExtendedLifetime(folder) { try RunningAisle(Self.words(row.line), in: folder).finish() }
      let first = finished.diagnostics.split(separator: "\n").first.map(String.init) ?? ""
      let message = first.replacingOccurrences(of: folder.path, with: "FOLDER")
      let exit = if case .exited(let code) = finished.ending { "\(code)" } else { "\(finished.ending)" }
      if isRecording {
        recorded += "\(exit)\t\(row.line)\t\(message)\n"
        continue
      }
      #expect(exit == row.exit, "aisle \(row.line)")
      #expect(message == row.message, "aisle \(row.line)")
      // What is wrong is one line in one style; only a command without a subcommand answers with its help.
      #expect(message.hasPrefix("aisle: ") || message.hasPrefix("OVERVIEW: ") || exit == "1", "aisle \(row.line): \(message)")
    }
    if isRecording {
      try recorded.write(to: Self.table, atomically: true, encoding: .utf8)
      Issue.record("recorded wrong-command-lines.tsv; run again without AISLE_RECORD")
    }
  }
}
