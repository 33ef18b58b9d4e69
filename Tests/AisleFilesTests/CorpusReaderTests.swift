import AisleCore
import AisleFiles
import Foundation
import Testing

@Suite("Corpus files are read as they are written")
struct CorpusReaderTests {
  private func read(_ text: String) -> (corpus: Corpus, findings: [Finding]) {
    CorpusReader.read([("c.tsv", Array(text.utf8))])
  }

  @Test("Items, labels, tags and lines; comments and blank lines are passed over")
  func items() {
    let (corpus, findings) = read(
      "# a comment\noat milk\tplant-milk|Dairy & Eggs\tplain,brand\n\n#2 pencils\tOther\t\r\nkale \tgreens")
    #expect(findings.isEmpty)
    #expect(corpus.entries.map { corpus.item($0) } == ["oat milk", "#2 pencils", "kale "])
    #expect(corpus.entries.map { corpus.labels[Int($0.labels)] } == [["plant-milk", "Dairy & Eggs"], ["Other"], ["greens"]])
    #expect(corpus.entries.map { corpus.tags[Int($0.tags)] } == [["plain", "brand"], [], []])
    #expect(corpus.entries.map { corpus.location($0).description } == ["c.tsv:2", "c.tsv:4", "c.tsv:5"])
  }

  @Test(
    "What is wrong with a line is named with its place",
    arguments: [
      ("kale", "c.tsv:1:5: no label; write item<TAB>label<TAB>tags"),
      ("\tgreens\tx", "c.tsv:1:1: no item; write item<TAB>label<TAB>tags"),
      ("kale\t\tx", "c.tsv:1:6: a label is empty; write a shelf or section, or several as label|label"),
      ("kale\ta||b\tx", "c.tsv:1:6: a label is empty; write a shelf or section, or several as label|label"),
      ("kale\ta\tx,,y", "c.tsv:1:8: a tag is empty; write tags as word,word"),
      ("kale\ta\tx\ty", "c.tsv:1:9: there is a fourth column; write three: item<TAB>label<TAB>tags"),
      ("kale\ta\tx\nb\u{0}d\ta\tx", "c.tsv:2:2: NUL byte; save the file as plain UTF-8 text"),
    ])
  func faults(text: String, message: String) { #expect(read(text).findings.map(\.description) == [message]) }

  @Test("A bad line takes no other with it")
  func others() {
    let (corpus, findings) = read("a\tx\tt\nbroken\nb\ty\tt\n")
    #expect(corpus.count == 2)
    #expect(findings.map(\.location.line) == [2])
  }

  @Test(
    "Two ways to write an item are in the same split",
    arguments: [
      ("oat milk", "Oat Milk!"), ("2 lbs chicken thighs", "chicken thigh"), ("milk, oat", "oat milk"),
      ("salt & pepper", "salt and pepper"), ("Pringles Sour Cream", "pringles sour creams 5.5 oz"), ("bob's mill", "bobs mill"),
    ])
  func sameSplit(one: String, other: String) { #expect(Corpus.Split(of: one.utf8) == Corpus.Split(of: other.utf8)) }

  @Test("The split is what it has always been, and holds out two in five")
  func split() {
    #expect(
      ["oat milk", "kale", "bread", "tofu", "oj", "tp", "apples", "soy sauce"].map { Corpus.Split(of: $0.utf8).name }
        == Self.known)
    let holdout = (0..<10_000).count { Corpus.Split(of: "word\(String($0, radix: 26)) thing".utf8) == .holdout }
    #expect((3800...4200).contains(holdout), "\(holdout)")
  }

  private static let known: [String] = ["holdout", "tune", "tune", "tune", "holdout", "holdout", "holdout", "tune"]

  @Test("The fingerprint tells other labels and items, not other order and files")
  func fingerprint() {
    let print = read("a\tx\tt\nb\ty\tt\n").corpus.fingerprint
    #expect(read("b\ty\tt\n# note\na\tx\tt\n").corpus.fingerprint == print)
    #expect(
      CorpusReader.read([("1.tsv", Array("a\tx\tt\n".utf8)), ("2.tsv", Array("b\ty\tt\n".utf8))]).corpus.fingerprint == print)
    #expect(read("a\ty\tt\nb\tx\tt\n").corpus.fingerprint != print)
    #expect(read("a\tx\tt\nb\ty\tu\n").corpus.fingerprint != print)
  }

  @Test("A folder's files are read in the order of their names; one without any is an error")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: FileError.self) { try CorpusReader.read([folder.path]) }
    try Data("b\tx\n".utf8).write(to: folder.appending(path: "2.tsv"))
    try Data("a\tx\n".utf8).write(to: folder.appending(path: "1.tsv"))
    try Data("no corpus".utf8).write(to: folder.appending(path: "README.md"))
    let corpus = try CorpusReader.read([folder.path + "/"]).corpus
    #expect(corpus.entries.map { corpus.item($0) } == ["a", "b"])
    #expect(corpus.files == ["\(folder.path)/1.tsv", "\(folder.path)/2.tsv"])
  }

  @Test("A file that is named twice, in whatever way, is read once")
  func twice() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, link) = ("\(folder.path)/1.tsv", "\(folder.path)/link.tsv")
    try Data("a\tx\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "1.tsv")
    for paths in [
      [file, file], [folder.path, file], [file, "\(folder.path)/../\(folder.lastPathComponent)/1.tsv"], [file, link],
    ] {
      let corpus = try CorpusReader.read(paths).corpus
      #expect(corpus.count == 1, "\(paths)")
      #expect(corpus.files == [file], "\(paths)")
    }
  }
}

@Suite("Files are replaced whole")
struct FileWriterTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test("A new file is made, an old one replaced with its permissions kept, and nothing else is left")
  func replace() throws {
    try withFolder { folder in
      let path = folder + "/report.json"
      try FileWriter.replace(path, with: Array("one".utf8))
      #expect(chmod(path, 0o640) == 0)
      try FileWriter.replace(path, with: Array("two".utf8))
      #expect(try FileReader.read(path) == Array("two".utf8))
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
      #expect(FileReader.list(folder) == ["report.json"])
    }
  }

  @Test("A link stays a link, and its target is replaced")
  func link() throws {
    try withFolder { folder in
      try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "target")
      try FileWriter.replace(folder + "/target", with: [1])
      try FileWriter.replace(folder + "/link", with: [2])
      #expect(try FileReader.read(folder + "/target") == [2])
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "target")
    }
  }

  @Test("What cannot be written is named, and left as it was")
  func failures() throws {
    try withFolder { folder in
      #expect(throws: FileError.self) { try FileWriter.replace(folder, with: [1]) }
      #expect(throws: FileError.self) { try FileWriter.replace(folder + "/none/x", with: [1]) }
      #expect(throws: FileError.self) { try FileWriter.replace("/dev/full", with: [1]) }
      #expect(FileReader.list(folder) == [])
    }
  }
}
