import AisleFiles
import Foundation
import Testing

/// What `aisle stores new` writes.
@Suite("The draft of a store")
struct StoreDraftTests {
  private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "taxonomies")

  private static func text(of folder: StoreFolder, _ store: String, _ name: String) -> String {
    StoreDraft.template(store, named: name, in: TaxonomyFolder(path: folder.path))
  }

  @Test("The template places every shelf of the project, and puts none into the fallback for not knowing it")
  func knowsAll() throws {
    let text = StoreDraft.template("corner", named: "Corner", in: TaxonomyFolder(path: Self.project.path))
    let placed = text.split(separator: "\n").filter { $0.hasPrefix("      - ") }.map { String($0.dropFirst(8)) }
    #expect(placed.sorted() == TaxonomyFolder(path: Self.project.path).shelves)
    let last = try #require(text.components(separatedBy: "  - name: Other\n").last)
    #expect(last.split(separator: "\n").filter { $0.hasPrefix("      - ") }.count == 5)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 130 })
  }

  @Test("It suits a folder with few shelves, and with shelves of its own: those stand in the fallback section")
  func fewShelves() throws {
    let folder = try StoreFolder(StoreFolder.soundStore, ["shelves/milk.txt": "milk\n", "shelves/zebras.txt": "zebra\n"])
    try folder.write("corner.yaml", Self.text(of: folder, "corner", "Corner"))
    let (taxonomy, findings) = try folder.load("corner")
    #expect(findings == [])
    #expect(taxonomy.sections.map(\.name) == ["Dairy & Eggs", "Other"])
    #expect(taxonomy.shelves.map(\.name) == ["milk", "fruit", "zebras"])
    #expect(taxonomy[taxonomy.fallback].name == "Other")
  }

  @Test("A folder without shelves gives a store with the fallback alone")
  func noShelves() throws {
    let folder = try StoreFolder(StoreFolder.soundStore, ["shelves/fruit.txt": nil])
    try folder.write("corner.yaml", Self.text(of: folder, "corner", "Corner"))
    #expect(try folder.findings("corner") == [])
  }

  @Test(
    "Any name is a name afterwards",
    arguments: [
      "Trader Joe's", "H-E-B", "7-Eleven", "yes", "No", "a: b", "#1 \"Best\" \\ Foods", "Łódź Café", "- x", "~", "*", " x ",
      "1",
    ])
  func names(name: String) throws {
    let folder = try StoreFolder()
    try folder.write("corner.yaml", Self.text(of: folder, "corner", name))
    try folder.write("copy.yaml", StoreDraft.copy(of: "small", as: "copy", named: name, in: TaxonomyFolder(path: folder.path)))
    for store in ["corner", "copy"] {
      let (taxonomy, findings) = try folder.load(store)
      #expect(findings == [] && taxonomy.name == name, "\(store)")
    }
  }

  @Test("A copy is the other store under its own id and name; comments inside stay, those on top go")
  func copy() throws {
    let original = """
      # About the old store.
      # More.
      name: Small
      store: small   # the id

      fallback: Other
      sections:
        # Fresh things.
        - name: Produce
          shelves: [fruit]
          keywords: ["!durian"]
        - name: Other

      """
    let folder = try StoreFolder(original)
    let text = try StoreDraft.copy(of: "small", as: "twin", named: "Twin", in: TaxonomyFolder(path: folder.path))
    #expect(
      text == """
        # Twin: its sections in walking order. Created as a copy of small by `aisle stores new`.
        store: twin
        name: Twin

        fallback: Other
        sections:
          # Fresh things.
          - name: Produce
            shelves: [fruit]
            keywords: ["!durian"]
          - name: Other

        """)
    try folder.write("twin.yaml", text)
    #expect(try folder.findings("twin") == [])
  }

  @Test(
    "What cannot be copied is named with the remedy",
    arguments: [
      ("{store: small, fallback: Other, sections: [{name: Other, shelves: [fruit]}]}", "small", "cannot be copied"),
      ("store: small\nfallbak: Other\n", "small", "cannot be copied"), ("", "small", "cannot be copied"),
      (StoreFolder.soundStore, "smal", "did you mean `small`?"), (StoreFolder.soundStore, "../small", "no store `../small`"),
    ])
  func copyFails(original: String, from: String, message: String) throws {
    let folder = try StoreFolder(original)
    let error = #expect(throws: FileError.self) {
      _ = try StoreDraft.copy(of: from, as: "twin", named: "Twin", in: TaxonomyFolder(path: folder.path))
    }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("A file that is there is never overwritten, also not where a link leads nowhere")
  func make() throws {
    let folder = try StoreFolder()
    try FileWriter.make("\(folder.path)/new.yaml", with: Array("a".utf8))
    #expect(try folder.read("new.yaml") == Array("a".utf8))
    #expect(throws: FileError.self) { try FileWriter.make("\(folder.path)/new.yaml", with: Array("b".utf8)) }
    #expect(try folder.read("new.yaml") == Array("a".utf8))
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.yaml", withDestinationPath: "nowhere")
    #expect(throws: FileError.self) { try FileWriter.make("\(folder.path)/link.yaml", with: []) }
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/nowhere"))
    #expect(throws: FileError.self) { try FileWriter.make("\(folder.path)/no/such.yaml", with: []) }
  }
}
