import Foundation
import Testing

/// Words that two languages write alike and mean differently, in `Fixtures/false-friends.tsv`, at the project's own stores.
struct `False friends` {
  private struct Row: Hashable {
    let language, word, shelf, englishShelf: String
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let rows: [Row] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/false-friends.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let cells = line.split(separator: "\t").map(String.init)
      return Row(language: cells[0], word: cells[1], shelf: cells[2], englishShelf: cells[3])
    }
  }()

  /// The shelf of the keyword that decides each word; empty for a word that no keyword decides.
  private static func shelves(of words: [String], in language: String) throws -> [String] {
    let finished = try aisle(
      "categorize", "--language", language, "--chain", "keyword", "--explain", input: words.map { $0 + "\n" }.joined(),
      in: ScratchFolder(), environment: ["AISLE_TAXONOMIES": root.path + "/taxonomies"])
    try #require(finished.ending == .exited(0), "\(finished.diagnostics)")
    return finished.text.split(separator: "\n").map { line in
      let source = line.split(separator: "\t", omittingEmptySubsequences: false)[7]
      return source.split(separator: "/").last.flatMap { $0.split(separator: ".").first }.map(String.init) ?? ""
    }
  }

  @Test func `mean in each language what they mean there`() throws {
    try #require(Self.rows.count > 300)
    for (language, rows) in Dictionary(grouping: Self.rows, by: \.language) {
      for (row, shelf) in zip(rows, try Self.shelves(of: rows.map(\.word), in: language)) {
        #expect(shelf == row.shelf, "\(row.word) in \(language)")
      }
    }
  }

  @Test func `mean in English what they mean in English`() throws {
    for (row, shelf) in zip(Self.rows, try Self.shelves(of: Self.rows.map(\.word), in: "en")) {
      if row.englishShelf == "-" {
        #expect(shelf != row.shelf, "\(row.word) of \(row.language)")
      } else {
        #expect(shelf == row.englishShelf, "\(row.word) of \(row.language)")
      }
    }
  }

  @Test func `mean what the language that is named first says`() throws {
    for (languages, shelf) in [("es,en", "sliced-bread"), ("en,es", "kitchenware"), ("es,fr", "sliced-bread")] {
      #expect(try Self.shelves(of: ["pan"], in: languages) == [shelf], "\(languages)")
    }
  }
}
