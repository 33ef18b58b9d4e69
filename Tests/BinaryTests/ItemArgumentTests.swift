import Foundation
import Testing

/// Items on the command line, and formats by the names of files.
struct `What to categorize` {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `can be said on the command line`() throws {
    let finished = try aisle("categorize", "--item", "oat milk", "--item", "kale", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == "oat milk\tDairy & Eggs\nkale\tProduce\n")
    let list = try aisle("categorize", "--item", "kale", "--format", "jsonl", in: folder)
    #expect(list.text == "{\"item\":\"kale\",\"section\":\"Produce\"}\n")
  }

  @Test(
    arguments: [
      (["--item", "kale", "list.txt"], "--item takes the place of files; use one of them."),
      (["--item", "kale", "--input-format", "csv"], "--item is one line; it cannot be combined with --input-format."),
      (["--item", "kale\nmilk"], "--item has a line break; give each item its own --item."),
      (
        ["--item", String(repeating: "kale ", count: 900)],
        "--item takes at most 4096 bytes; put more items into a file, or pipe them in."
      ),
      (["a.csv", "b.txt"], "a.csv is csv by its name and b.txt is lines; say which with --input-format."),
      (["--field", "name", "a.csv"], "--field needs jsonl or json input; add --input-format jsonl or --input-format json."),
    ])
  func `is refused with the remedy where it cannot be`(arguments: [String], message: String) throws {
    let finished = try RunningAisle(["categorize"] + arguments, in: folder).finish()
    #expect(finished.ending == .exited(64))
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
  }

  @Test func `is read as its file's name says`() throws {
    try folder.write("sku,name\n1,kale\n", to: "goods.CSV")
    try folder.write("{\"name\":\"oat milk\"}\n", to: "goods.ndjson")
    let table = try aisle("categorize", "--column", "name", "goods.CSV", in: folder)
    #expect(table.text == "sku,name,section\n1,kale,Produce\n", "\(table.diagnostics)")
    let lines = try aisle("categorize", "--field", "name", "goods.ndjson", in: folder)
    #expect(lines.text == "{\"name\":\"oat milk\",\"section\":\"Dairy & Eggs\"}\n", "\(lines.diagnostics)")
    let plain = try aisle("categorize", "--input-format", "lines", "goods.CSV", in: folder)
    #expect(plain.text.hasPrefix("sku,name\t"))
  }

  @Test func `that is taken for a file or a command is told what to do`() throws {
    let file = try aisle("categorize", "oat milk", in: folder)
    #expect(file.ending == .exited(2))
    #expect(file.diagnostics.hasSuffix("; --item takes the text of an item itself\n"), "\(file.diagnostics)")
    let command = try aisle("oat milk", in: folder)
    #expect(command.ending == .exited(64))
    #expect(command.diagnostics.contains("no command `oat milk`; `aisle categorize --item` takes the text of an item"))
  }

  @Test func `a store's letters may be of any case`() throws {
    #expect(try aisle("categorize", "--store", "Kroger", "--item", "kale", in: folder).text == "kale\tProduce\n")
    #expect(try aisle("stores", "check", "KROGER", in: folder).ending == .exited(0))
  }
}
