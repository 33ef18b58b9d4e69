import AisleFiles
import AisleKit
import Foundation
import Testing

/// An app and the command, side by side.
@Suite struct LibraryTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func app() throws -> Aisle {
    let taxonomy = try TaxonomyFolder(path: "\(folder.path)/taxonomies").load("kroger").taxonomy
    return try Aisle(taxonomy: taxonomy, corrections: URL(filePath: "\(folder.path)/app.db"))
  }

  private func run(_ arguments: String..., input: String = "") throws -> String {
    let process = try RunningAisle(arguments + ["--db", "app.db"], in: folder)
    process.send(input)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    return finished.text
  }

  @Test func `an app knows what the command teaches while it runs, without being told, and the command what the app teaches`()
    throws
  {
    let app = try app()
    #expect(app.categorize("oat milk").section == "Dairy & Eggs")
    for section in ["Snacks", "Produce", "Snacks"] {
      _ = try run("correct", "oat milk", section)
      #expect(app.categorize("oat milk").section == section)
    }
    try app.correct("kale", to: "snacks", by: "app")
    #expect(try run("categorize", input: "kale\n2 oat milks\n") == "kale\tSnacks\n2 oat milks\tSnacks\n")
    #expect(try run("corrections", "undo") == "undone\tcorrect kale -> Snacks\n")
    #expect(app.categorize("kale").section == "Produce")
  }

  @Test(.timeLimit(.minutes(30))) func `an app that follows the changes is told of what the command does`() async throws {
    var changes = try app().changes.makeAsyncIterator()
    _ = try run("correct", "oat milk", "Snacks")
    #expect(await changes.next()?.items == ["oat milk"])
    _ = try run("corrections", "undo")
    #expect(await changes.next()?.items == ["oat milk"])
  }

  @Test func `an answer's JSON has what the command writes, by the same names`() throws {
    let app = try app()
    try app.correct("red thing", to: "milk", by: "jane")
    let items = ["oat milk", "2 kale", "red thing", "xyzzy", "butter"]
    let lines = try run(
      "categorize", "--explain", "--format", "jsonl", input: items.joined(separator: "\n") + "\n"
    ).split(separator: "\n")
    #expect(lines.count == items.count)
    for (item, line) in zip(items, lines) {
      let written = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let coded = try JSONEncoder().encode(app.categorize(item))
      let answer = try #require(try JSONSerialization.jsonObject(with: coded) as? [String: Any])
      #expect(
        Set(answer.keys).subtracting(written.keys).isSubset(of: ["section_id", "color", "shelf", "match", "note"]), "\(answer)")
      for (name, value) in written {
        switch (value, answer[name]) {
        case (let one as String, let two as String): #expect(name == "source" ? two.hasSuffix(one) : one == two, "\(name)")
        case (let one as NSNumber, let two as NSNumber): #expect(abs(one.doubleValue - two.doubleValue) <= 0.005, "\(name)")
        default: Issue.record("\(item): `\(name)` is \(value) and \(String(describing: answer[name]))")
        }
      }
    }
  }
}
