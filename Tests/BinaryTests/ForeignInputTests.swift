import Foundation
import Testing

/// Files that are no text, and text that is not what it is read as.
@Suite struct ForeignInputTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("kale\n", to: "list.txt")
  }

  @Test(
    "A file that is no text is known by its first bytes, whatever its name, with the remedy",
    arguments: [
      ([0x50, 0x4B, 3, 4, 20, 0, 6, 0], "a spreadsheet or another ZIP archive; save it as CSV"),
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an Excel workbook or another Office document; save it as CSV first"),
      (Array("%PDF-1.7\n".utf8), "a PDF; take its text out first: pdftotext -layout FILE - | aisle categorize"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "a photo; read it first: aisle read FILE | aisle categorize"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a picture; read it first: aisle read FILE"),
    ] as [([UInt8], String)])
  func byContent(mark: [UInt8], message: String) throws {
    try folder.write(Data(mark) + Data("\u{0}\u{1}kale\n".utf8), to: "items")
    for inputFormat in [[], ["--input-format", "csv"], ["--input-format", "jsonl"], ["--input-format", "json"]] {
      let finished = try RunningAisle(["categorize"] + inputFormat + ["items"], in: folder).finish()
      #expect(finished.ending == .exited(2) && !finished.text.contains("kale"))
      #expect(finished.diagnostics.hasPrefix("aisle: items: the file is \(message)"), "\(finished.diagnostics)")
    }
    let piped = try aisle("categorize", input: Data(mark) + Data("\n".utf8), in: folder)
    #expect(piped.ending == .exited(2) && piped.diagnostics.hasPrefix("aisle: standard input: the file is \(message)"))
  }

  @Test(
    "A spreadsheet or PDF by its name is refused, the other files come out", arguments: ["a.xlsx", "a.XLS", "a.ods", "a.pdf"])
  func byName(file: String) throws {
    try folder.write("item\nmilk\n", to: file)
    let finished = try aisle("categorize", file, "list.txt", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(
      finished.diagnostics == "aisle: \(file): the file looks like a spreadsheet or PDF by its name; save it as CSV first\n")
    #expect(finished.text == "kale\tProduce\n")
    let named = try aisle("categorize", "--input-format", "csv", file, in: folder)
    #expect(
      named.ending == .exited(0) && named.text == "item,section\nmilk,Dairy & Eggs\n", "what is CSV all the same can be read")
    #expect(try aisle("categorize", "none.xlsx", in: folder).diagnostics.contains("none.xlsx: no such file or directory"))
  }

  @Test(
    "JSON that is read as lines is told, with the option that reads it",
    arguments: [
      ("{\"name\":\"kale\"}\n", "jsonl"), (" \n", nil), ("{ \"name\":\"kale\"}\n", "jsonl"), ("[{\"name\":\"kale\"}]\n", "json"),
      ("[\n  {\"name\":\"kale\"}\n]\n", "json"), ("\u{FEFF}{\"name\":\"kale\"}\n", "jsonl"), ("{kale}\n", nil),
      ("[x] kale\n", nil),
    ] as [(String, String?)])
  func json(text: String, format: String?) throws {
    let finished = try aisle("categorize", input: text, in: folder)
    #expect(finished.ending == .exited(0) && finished.output.count > text.utf8.count)
    let remark = format.map { "aisle: standard input looks like JSON; --input-format \($0) reads its fields\n" }
    #expect(finished.diagnostics == remark ?? "")
    #expect(try aisle("categorize", "--input-format", "lines", input: text, in: folder).errors.isEmpty)
    if let format {
      let named = try aisle("categorize", "--input-format", format, "--field", "name", input: text, in: folder)
      #expect(named.ending == .exited(0) && named.text.contains("Produce"))
    }
  }

  @Test(
    "A table that is read as lines is told, with the options that read it",
    arguments: [
      ("name,qty\nkale,2\n", "csv --column name"), ("\"Qty\",\"Item Name\"\r\n2,kale\r\n", "csv --column 'Item Name'"),
      ("sku\ttitle\n1\tkale\n", "tsv --column title"), ("item;price\nkale;2\n", "csv --delimiter ';' --column item"),
      ("milk,eggs\n", nil), ("CRACKERS, GRAHAM\n", nil), ("item, qty\nkale, 2\n", nil), ("item\nkale\n", nil),
      ("name,name\n", nil),
    ] as [(String, String?)])
  func table(text: String, options: String?) throws {
    let finished = try aisle("categorize", input: text, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(
      finished.diagnostics
        == (options.map { "aisle: standard input looks like a table; --input-format \($0) reads its column\n" } ?? ""))
  }

  @Test("Only the first bytes of an input tell what it is, however slowly they come")
  func slowly() throws {
    let process = try RunningAisle(["categorize"], in: folder)
    for line in ["x\n", "{\"name\":\"kale\"}\n", "%PDF-1.7\n"] {
      process.send(line)
      try process.waitUntilInputIsRead()
      usleep(20_000)
    }
    let finished = try process.finish()
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
  }

  @Test("An item on the command line is no JSON")
  func item() throws {
    let finished = try aisle("categorize", "--item", "{\"kale\"}", in: folder)
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty)
  }
}
