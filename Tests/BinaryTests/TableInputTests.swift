import AisleCore
import Foundation
import Testing

/// Tables: with tabs, with other delimiters, and without a header.
@Suite struct TableInputTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func categorize(_ arguments: [String], _ file: String, _ text: String) throws -> Finished {
    try folder.write(text, to: file)
    return try RunningAisle(["categorize"] + arguments + [file], in: folder).finish()
  }

  @Test("A .tsv or .tab file is a table with a header, and its rows come back with tabs", arguments: ["goods.tsv", "goods.TAB"])
  func tsvByName(file: String) throws {
    let finished = try categorize([], file, "id\titem\n1\tkale\r\n2\t\"oat milk\n")
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
    #expect(finished.text == "id\titem\tsection\n1\tkale\tProduce\r\n2\t\"oat milk\tDairy & Eggs\n")
  }

  @Test(
    "Rows of TSV go into every format",
    arguments: [
      ("csv", "a,item,section\n\"x,\"\"y\",kale,Produce\n"), ("tsv", "kale\tProduce\n"),
      ("jsonl", "{\"a\":\"x,\\\"y\",\"item\":\"kale\",\"section\":\"Produce\"}\n"),
      ("json", "[\n{\"a\":\"x,\\\"y\",\"item\":\"kale\",\"section\":\"Produce\"}\n]\n"),
    ])
  func tsvToOthers(format: String, expected: String) throws {
    let finished = try categorize(["--format", format], "goods.tsv", "a\titem\nx,\"y\tkale\n")
    #expect(finished.text == expected, "\(finished.diagnostics)")
  }

  @Test("TSV without the item's column is refused with the columns there are, and both remedies")
  func noColumn() throws {
    let finished = try categorize([], "mine.tsv", "oat milk\tDairy & Eggs\nkale\tProduce\n")
    #expect(finished.ending == .exited(2) && finished.output.isEmpty)
    let message =
      "mine.tsv:1: no column `item`; choose one of oat milk, Dairy & Eggs with --column, or add --no-header if row 1 is an item"
    #expect(finished.diagnostics == "aisle: \(message)\n")
  }

  @Test("A corpus, and what categorize writes, is read with --no-header")
  func ownOutput() throws {
    try folder.write("oat milk\n\"kale\nx\n", to: "list.txt")
    let first = try aisle("categorize", "list.txt", in: folder)
    let again = try categorize(["--no-header", "--format", "tsv"], "mine.tsv", first.text)
    #expect(again.ending == .exited(0) && again.text == first.text, "\(again.diagnostics)")
  }

  @Test("A row of TSV with too many fields stands in its first column, with its tabs written out")
  func badRowOfTSV() throws {
    let finished = try categorize([], "goods.tsv", "id\titem\n1\tkale\tx\n2\n3\tmilk\n")
    #expect(finished.ending == .exited(2))
    #expect(finished.text == "id\titem\tsection\n1\\tkale\\tx\t\tOther\n2\t\tOther\n3\tmilk\tDairy & Eggs\n")
    #expect(
      finished.diagnostics.hasPrefix("aisle: goods.tsv:2: this row has 3 fields, but the header has 2; each tab ends a field\n"),
      "\(finished.diagnostics)")
  }

  @Test(
    "--delimiter says what separates fields, by a character or its name, and rows come back with it",
    arguments: [
      (";", ";"), ("semicolon", ";"), ("|", "|"), ("pipe", "|"), ("tab", "\t"), ("\t", "\t"), ("\\t", "\t"), ("comma", ","),
      ("~", "~"), (":", ":"),
    ])
  func delimiter(name: String, delimiter: String) throws {
    let text = "id|item|note\n1|\"oat|milk\n|\"\"\"|a, b\n2|kale|\n".replacing("|", with: delimiter)
    let finished = try categorize(["--delimiter", name], "goods.csv", text)
    #expect(finished.ending == .exited(delimiter == "," ? 2 : 0), "\(finished.diagnostics)")
    let expected = "id|item|note|section\n1|\"oat|milk\n|\"\"\"|a, b|Dairy & Eggs\n2|kale||Produce\n"
    if delimiter != "," { #expect(finished.text == expected.replacing("|", with: delimiter)) }
  }

  @Test("A value that is added is quoted for the delimiter, and a bad row padded with it")
  func delimiterInOutput() throws {
    let finished = try categorize(
      ["--delimiter", ";", "--as", "a;b"], "goods.csv", "id;item\n1\n1;2;3\n2;kale\n")
    #expect(finished.text == "id;item;\"a;b\"\n1;;Other\n\"1;2;3\";;Other\n2;kale;Produce\n")
    #expect(finished.diagnostics.contains("has 3 fields, but the header has 2; quote fields that contain semicolons"))
  }

  @Test(
    "A header that seems to have another delimiter is refused with the option that reads it",
    arguments: [
      ([], "goods.csv", "id;item\n1;kale\n", "seem to be separated by semicolons, not by commas; add --delimiter ';'"),
      ([], "goods.csv", "id\titem\n1\tkale\n", "separated by tabs, not by commas; add --delimiter tab"),
      (["--column", "2"], "goods.csv", "id|item\n1|kale\n", "separated by vertical bars, not by commas; add --delimiter '|'"),
      (["--delimiter", ";"], "goods.csv", "id,item\n1,kale\n", "separated by commas, not by semicolons; add --delimiter ','"),
      ([], "goods.tsv", "id,item\n1,kale\n", "separated by commas, not by tabs; add --input-format csv --delimiter ','"),
    ] as [([String], String, String, String)])
  func otherDelimiter(arguments: [String], file: String, text: String, message: String) throws {
    let finished = try categorize(arguments, file, text)
    #expect(finished.ending == .exited(2) && finished.output.isEmpty)
    #expect(
      finished.diagnostics.contains("\(file):1: fields ") && finished.diagnostics.contains(message), "\(finished.diagnostics)")
    // What is said to do does it.
    let remedy = message.split(separator: "add ")[1].replacing("'", with: "").split(separator: " ").map(String.init)
    let kept = arguments.first == "--column" ? arguments : []
    let mended = try categorize(kept + remedy, file, text)
    #expect(mended.ending == .exited(0) && mended.text.contains("Produce"), "\(mended.diagnostics)")
  }

  @Test(
    "--no-header makes row 1 a record",
    arguments: [
      ([], "goods.csv", "kale,3.99\nmilk,1\n", "kale,3.99,Produce\nmilk,1,Dairy & Eggs\n"),
      (["--column", "2"], "goods.csv", "7,kale\n8,\"oat, milk\"\n", "7,kale,Produce\n8,\"oat, milk\",Dairy & Eggs\n"),
      (["--column", "2"], "goods.tsv", "7\tkale\n8\tmilk", "7\tkale\tProduce\n8\tmilk\tDairy & Eggs\n"),
      (["--delimiter", ";"], "goods.csv", "kale;1\n", "kale;1;Produce\n"),
      ([], "goods.csv", "\n\r\nkale,1\n\nmilk,2\n", "\n\r\nkale,1,Produce\n\nmilk,2,Dairy & Eggs\n"),
      ([], "goods.csv", "\u{FEFF}\"kale\n\",1\n", "\u{FEFF}\"kale\n\",1,Produce\n"), ([], "goods.csv", "", ""),
      (["--format", "tsv"], "goods.csv", "\u{FEFF}kale,3.99\n", "kale\tProduce\n"),
      (
        ["--format", "jsonl", "--as", "aisle"], "goods.csv", "kale,3.99\n",
        "{\"1\":\"kale\",\"2\":\"3.99\",\"aisle\":\"Produce\"}\n"
      ),
    ] as [([String], String, String, String)])
  func noHeader(arguments: [String], file: String, text: String, expected: String) throws {
    let finished = try categorize(["--no-header"] + arguments, file, text)
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
    #expect(finished.output == Data(expected.utf8), "\(String(reflecting: finished.text))")
  }

  @Test("Without a header, no row has more fields than the first, in all files")
  func widths() throws {
    try folder.write("milk,1\n", to: "two.csv")
    try folder.write("milk,1,2\n", to: "three.csv")
    try folder.write("kale,1\nmilk\n", to: "one.csv")
    let finished = try aisle("categorize", "--no-header", "one.csv", "three.csv", "two.csv", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.text == "kale,1,Produce\nmilk,,Dairy & Eggs\nmilk,1,Dairy & Eggs\n")
    #expect(!finished.diagnostics.contains("one.csv"))
    #expect(finished.diagnostics.contains("three.csv:1: the first row has 3 fields, but that of the first file 2; "))
    let none = try aisle("categorize", "--no-header", "--column", "3", "two.csv", in: folder)
    #expect(none.ending == .exited(2))
    #expect(none.diagnostics == "aisle: two.csv:1: no column 3; there are 2 columns\n")
  }

  @Test("Where a number names the column, the row taken as the header is told, since it may be an item")
  func headerTold() throws {
    let eaten = try categorize(["--column", "1"], "prices.csv", "oat milk,3.99\nkale,1\n")
    #expect(eaten.ending == .exited(0) && eaten.text == "oat milk,3.99,section\nkale,1,Produce\n")
    let remark = "aisle: prices.csv:1: `oat milk` is taken as the name of column 1; if it is an item, add --no-header\n"
    #expect(eaten.diagnostics == remark)
    try folder.write("oat milk,3.99\nmilk,1\n", to: "more.csv")
    #expect(try aisle("categorize", "--column", "1", "prices.csv", "more.csv", in: folder).diagnostics == remark, "once")
    #expect(try categorize(["--column", "item"], "goods.csv", "item,id\nkale,1\n").errors.isEmpty)
    #expect(try categorize(["--column", "2"], "goods.csv", "2,name\nkale,1\n").errors.isEmpty, "a column of that name")
  }

  @Test(
    "A mistake in the options for tables is a usage error with the remedy",
    arguments: [
      (["--no-header", "--column", "name", "a.csv"], "--column must be a number counted from 1 with --no-header, not `name`"),
      (["--no-header", "--column", "0", "a.csv"], "--column must be a number counted from 1 with --no-header, not `0`"),
      (["--no-header", "--as", "aisle", "a.csv"], "--as names a column, and with --no-header no column has a name; drop one"),
      (["--no-header"], "--no-header needs csv or tsv input; add --input-format csv or --input-format tsv."),
      (["--column", "2", "a.jsonl"], "--column needs csv or tsv input; add --input-format csv or --input-format tsv."),
      (["--delimiter", ";", "a.tsv"], "--delimiter needs csv input; add --input-format csv."),
      (["--delimiter", ";"], "--delimiter needs csv input; add --input-format csv."),
      (["--delimiter", "::", "a.csv"], "--delimiter must be one ASCII character"),
      (["--delimiter", "é", "a.csv"], "or comma, semicolon, tab, or pipe, not `é`."),
      (["--delimiter", "\"", "a.csv"], "--delimiter must be one ASCII character other than a quotation mark"),
      (["--delimiter", "", "a.csv"], "--delimiter must be one ASCII character"),
      (["a.csv", "b.tsv"], "a.csv is csv by its name and b.tsv is tsv; say which with --input-format."),
    ])
  func usage(arguments: [String], message: String) throws {
    let finished = try RunningAisle(["categorize"] + arguments, in: folder).finish()
    #expect(finished.ending == .exited(64) && finished.output.isEmpty)
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
  }

  @Test("Any soup of rows comes back with its bytes, and with a field more", arguments: 1...8 as ClosedRange<UInt64>)
  func soup(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let morsels = ["kale", "oat milk", "\"", "\"\"", ",", ";", " ", "é", "\u{1}", "|", "\r"]
    var rows = ""
    for _ in 0..<Int.random(in: 1...3000, using: &random) {
      func field() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in morsels.randomElement(using: &random) ?? "" }.joined()
      }
      rows += "\(field())\t\(field())x\n"
    }
    let finished = try categorize(["--no-header", "--column", "2"], "soup.tsv", rows)
    #expect(finished.ending == .exited(0), "seed \(seed): \(finished.diagnostics)")
    let cut = finished.text.split(separator: "\n").map { $0.prefix(upTo: $0.lastIndex(of: "\t") ?? $0.startIndex) + "\n" }
      .joined()
    #expect(cut == rows, "seed \(seed)")
  }
}
