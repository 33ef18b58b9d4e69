import Foundation
import Testing

/// `aisle stores diff`.
@Suite struct DiffStoresTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func diff(_ arguments: String..., items: String? = nil) throws -> Finished {
    let running = try RunningAisle(["stores", "diff"] + arguments, in: folder)
    if let items { running.send(items) }
    return try running.finish()
  }

  @Test("Two stores as a screen")
  func text() throws {
    let finished = try diff("kroger", "corner")
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
    #expect(
      finished.text == """
        Kroger → The Corner Shop · 4 sections → 2 · 2 of 3 shelves are in different sections

             kroger           corner     shelves in common
          1  Produce       1  Front                      1
          2  Dairy & Eggs     –
          3  Other         2  Back Room                  0
          4  Snacks           –

        shelves in different sections  2
          Dairy & Eggs → Front
              milk
          Snacks → Front
              candy

        own keywords  1
          Dairy & Eggs → (corner: none)
              butter

        """)
  }

  @Test("As tsv, with items from a file or standard input, by the default chain of each store")
  func items() throws {
    let expected = """
      kind\tfrom\tto\twhat
      section\tProduce\tFront\t1
      section\tDairy & Eggs\t\t0
      section\tOther\tBack Room\t0
      section\tSnacks\t\t0
      shelf\tDairy & Eggs\tFront\tmilk
      shelf\tSnacks\tFront\tcandy
      keyword\tDairy & Eggs\t\tbutter
      item\tDairy & Eggs\tFront\toat milk

      """
    let list = "kale\r\noat milk\n\nblorp"
    #expect(try diff("kroger", "corner", "--format", "tsv", "--items", "-", items: list).text == expected)
    try folder.write(list, to: "list.txt")
    #expect(try diff("kroger", "corner", "--format", "tsv", "--items", "list.txt").text == expected)
  }

  @Test("As json")
  func json() throws {
    let finished = try diff("kroger", "corner", "--format", "json")
    let object = try #require(try JSONSerialization.jsonObject(with: finished.output) as? [String: Any])
    #expect(object["from"] as? String == "kroger" && object["to"] as? String == "corner" && object["items"] == nil)
    #expect((object["shelves"] as? [[String: String]])?.first == ["shelf": "milk", "from": "Dairy & Eggs", "to": "Front"])
  }

  @Test("A store does not differ from itself")
  func same() throws {
    let finished = try diff("kroger", "kroger")
    #expect(finished.ending == .exited(0))
    #expect(finished.text.contains("\n\nno differences\n"))
  }

  @Test("Colors come only where they are asked for")
  func color() throws {
    #expect(!(try diff("kroger", "corner").text.contains("\u{1B}")))
    #expect(try diff("kroger", "corner", "--color", "always").text.contains("\u{1B}[1;38;5;35mProduce\u{1B}[0m"))
  }

  @Test("A store that is not there or has errors, and items that cannot be read, are failures")
  func failures() throws {
    let unknown = try diff("kroger", "cornr")
    #expect(unknown.ending == .exited(2) && unknown.output.isEmpty)
    #expect(unknown.diagnostics == "aisle: taxonomies: no store `cornr`; did you mean `corner`?\n")
    #expect(try diff("kroger", "corner", "--items", "nowhere.txt").ending == .exited(2))
    #expect(try diff("kroger").ending == .exited(64))
    #expect(try diff("kroger", "corner", "--format", "xml").ending == .exited(64))
    try folder.write("socks\n", to: "taxonomies/shelves/socks.txt")
    #expect(try diff("kroger", "corner").diagnostics.contains("shelf `socks` has no place in store `kroger`"))
  }
}
