import AisleFiles
import Foundation
import Testing

@Suite("Labels are added to a corpus file a line at a time")
struct CorpusWriterTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "aisle-\(UUID().uuidString).tsv").path
  private let labels: Set<String> = ["milk", "milk-powder", "greens", "Dairy & Eggs"]

  private func contents() -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "(no file)" }

  private func withFile(_ text: String, _ body: (CorpusWriter) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(filePath: path))
    try body(try CorpusWriter(path, labels: labels))
  }

  @Test("A new file has a line for each item, and loses the last one when it is taken back")
  func addAndRemove() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try CorpusWriter(path, labels: labels)
    try writer.append("kale", labels: ["greens"], tags: [])
    try writer.append("oat milk", labels: ["milk", "Dairy & Eggs"], tags: ["list", "plain"])
    #expect(contents() == "kale\tgreens\noat milk\tmilk|Dairy & Eggs\tlist,plain\n")
    try writer.removeLast()
    #expect(contents() == "kale\tgreens\n")
    try writer.removeLast()
    try writer.removeLast()
    #expect(contents() == "")
    writer.removeIfEmpty()
    #expect(contents() == "(no file)")
  }

  @Test("What was in the file stays, byte for byte")
  func append() throws {
    try withFile("# mine\r\nkale\tgreens\tx\r\n") { writer in
      #expect(writer.corpus.count == 1)
      let cut = try writer.mend()
      #expect(cut == nil)
      try writer.append("rye", labels: ["greens"], tags: [])
      try writer.removeLast()
      try writer.removeLast()
      #expect(contents() == "# mine\r\nkale\tgreens\tx\r\n")
    }
  }

  @Test(
    "A last line without its end is kept if it is whole, and removed if it was cut short",
    arguments: [
      ("kale\tgreens", true), ("kale\tgreens|milk-powder", true), ("kale\tmilk\tlist", true), ("kale\tmilk-powder", true),
      ("kale\tgree", false), ("kale\t", false), ("kale\tgreens|", false),
      // `milk` may be the beginning of `milk-powder`.
      ("kale\tmilk", false), ("kal", false),
    ])
  func tail(line: String, isWhole: Bool) throws {
    try withFile("rye\tgreens\n\(line)") { writer in
      #expect(writer.findings.isEmpty)
      #expect(writer.corpus.count == (isWhole ? 2 : 1))
      let cut = try writer.mend()
      #expect(cut == (isWhole ? nil : line))
      #expect(contents() == (isWhole ? "rye\tgreens\n\(line)\n" : "rye\tgreens\n"))
      try writer.append("fig", labels: ["greens"], tags: [])
      #expect(contents().hasSuffix("\nfig\tgreens\n"))
    }
  }

  @Test(
    "A file that is no corpus is left as it is",
    arguments: ["oat milk", "oat milk\nkale", "oat milk\nkale\n", "a\tb\tc\td\nx\tgr"])
  func noCorpus(text: String) throws {
    try withFile(text) { writer in
      #expect(!writer.findings.isEmpty)
      let cut = try writer.mend()
      #expect(cut == nil)
      #expect(contents() == text)
    }
  }

  @Test("Two writers, and someone else's change, are errors that name the file")
  func others() throws {
    try withFile("kale\tgreens\n") { writer in
      let second = try #require(throws: FileError.self) { try CorpusWriter(path, labels: labels) }
      #expect(second.description.hasPrefix("\(path): another run"))
      try writer.append("rye", labels: ["greens"], tags: [])
      try Data("kale\tmilk\n".utf8).write(to: URL(filePath: path))
      let changed = try #require(throws: FileError.self) { try writer.append("fig", labels: ["greens"], tags: []) }
      #expect(changed.reason.contains("changed by someone else"))
      #expect(throws: FileError.self) { try writer.removeLast() }
      #expect(contents() == "kale\tmilk\n")
    }
  }

  @Test("What cannot be written to is an error with the remedy", arguments: ["/dev/null", "/nowhere/at/all.tsv", "/tmp", "a\0b"])
  func unfit(path: String) throws {
    let error = try #require(throws: FileError.self) { try CorpusWriter(path, labels: labels) }
    #expect(error.reason.contains(";"))
  }
}
