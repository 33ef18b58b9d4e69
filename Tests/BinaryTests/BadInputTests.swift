import Foundation
import Testing

/// What cannot be used is named in one line, with its place and a remedy, and everything else still comes out.
@Suite struct BadInputTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("kale\n", to: "one.txt")
    try folder.write("milk\n", to: "two.txt")
    try folder.makeFolder("folder")
  }

  @Test(
    "An unknown store is named with the one that was meant",
    arguments: [
      ("kroegr", "did you mean `kroger`?"), ("corn", "did you mean `corner`?"),
      ("xyz", "corner, kroger"),
    ])
  func unknownStore(name: String, hint: String) throws {
    for arguments in [["categorize", "--store", name], ["stores", "show", name], ["stores", "check", name]] {
      let finished = try RunningAisle(arguments, in: folder).finish()
      Self.expectOneLine(finished, exit: 2, naming: ["taxonomies: no store `\(name)`", hint])
      #expect(finished.output.isEmpty)
    }
  }

  @Test("An unknown store of the compiled-in ones names those there are")
  func unknownBuiltInStore() throws {
    let empty = try ScratchFolder()
    try FileManager.default.removeItem(atPath: "\(empty.path)/taxonomies")
    let finished = try aisle("categorize", "--store", "krogr", in: empty, environment: ["AISLE_TAXONOMIES": ""])
    Self.expectOneLine(finished, exit: 2, naming: ["`krogr`", "did you mean `kroger`?", "--taxonomies"])
  }

  @Test("A store's name cannot lead out of the folder", arguments: ["../taxonomies/kroger", "/etc/passwd", "", "."])
  func storeOutside(name: String) throws {
    let finished = try aisle("categorize", "--store", name, input: "kale\n", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["no store `\(name)`"])
    #expect(finished.output.isEmpty)
  }

  @Test("A missing taxonomies folder is named, and who named it")
  func missingFolder() throws {
    let flag = try aisle("categorize", "--taxonomies", "nowhere", input: "kale\n", in: folder)
    Self.expectOneLine(flag, exit: 2, naming: ["nowhere: ", "--taxonomies", "; "])
    let variable = try aisle("categorize", input: "kale\n", in: folder, environment: ["AISLE_TAXONOMIES": "nowhere"])
    Self.expectOneLine(variable, exit: 2, naming: ["nowhere: ", "AISLE_TAXONOMIES", "; "])
  }

  @Test(
    "A broken store is refused at its first error, with the place, and says how to see the others",
    arguments: [
      (
        "store: kroger\nfallback: Other\nsections:\n  - name: Other\n    colour: gray\n",
        "kroger.yaml:5:5: unknown field `colour`; did you mean `color`?"
      ),
      (
        "store: kroger\nfallback: Othr\nsections:\n  - name: Other\n    shelves: [greens, milk, candy]\n",
        "kroger.yaml:2:11: no section `Othr`; did you mean `Other`?"
      ),
      ("store: kroger\nfallback: [\n", "kroger.yaml:3:1: not valid YAML"), ("", "kroger.yaml: the file is empty"),
    ])
  func brokenStore(text: String, message: String) throws {
    try folder.write(text, to: "taxonomies/kroger.yaml")
    let finished = try aisle("categorize", input: "kale\n", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["taxonomies/\(message)"])
    #expect(finished.output.isEmpty)
  }

  @Test("Many errors in a store are counted")
  func manyErrors() throws {
    try folder.write("store: kroger\nfallback: Other\nsections:\n  - name: Other\n", to: "taxonomies/kroger.yaml")
    let finished = try aisle("categorize", input: "kale\n", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["(and 2 more; run `aisle stores check kroger`)"])
  }

  @Test(
    "A file that cannot be read is named with a remedy, and the others still come out in order",
    arguments: [("missing.txt", "missing.txt: no such file or directory; "), ("folder", "folder: is a directory; ")])
  func unreadable(file: String, message: String) throws {
    for jobs in ["1", "3"] {
      let finished = try aisle("categorize", "--jobs", jobs, "one.txt", file, "two.txt", in: folder)
      Self.expectOneLine(finished, exit: 2, naming: [message])
      #expect(finished.text == "kale\tProduce\nmilk\tDairy & Eggs\n")
    }
  }

  @Test("A file without permission is named with a remedy, unless one may read everything")
  func forbidden() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder.path)/one.txt")
    let finished = try aisle("categorize", "one.txt", "two.txt", in: folder)
    if geteuid() == 0 {
      #expect(finished.text == "kale\tProduce\nmilk\tDairy & Eggs\n")
    } else {
      Self.expectOneLine(finished, exit: 2, naming: ["one.txt: permission denied; "])
      #expect(finished.text == "milk\tDairy & Eggs\n")
    }
  }

  #if os(Linux)
    @Test("A file that fails while it is read is named, and the others still come out")
    func failingRead() throws {
      let finished = try aisle("categorize", "one.txt", "/proc/self/mem", "two.txt", in: folder)
      Self.expectOneLine(finished, exit: 2, naming: ["/proc/self/mem: "])
      #expect(finished.text == "kale\tProduce\nmilk\tDairy & Eggs\n")
    }
  #endif

  @Test("Every file unreadable leaves no output")
  func allUnreadable() throws {
    let finished = try aisle("categorize", "a", "b", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics.split(separator: "\n").count == 2)
  }

  @Test(
    "A bad JSON line is named by its line and column, and is a record of its own",
    arguments: [
      ("nope", "2: not a JSON object"), ("{\"item\":\"kale\"", "2: bad JSON at column 15: expected `}`"),
      ("{\"item\":kale}", "2: bad JSON at column 9: expected a value"),
      ("{\"item\":\"kale}", "2: bad JSON at column 15: string without a closing quote"),
      ("{\"item\":\"ka\tle\"}", "2: bad JSON at column 13: control character in a string"),
      ("{\"item\":\"\\x\"}", "2: bad JSON at column 12: unknown escape"),
      ("{\"item\":\"\\u12\"}", "2: bad JSON at column 14: expected four hexadecimal digits"),
      ("{\"item\":\"kale\"} {}", "2: bad JSON at column 17: text after the value"), ("[\"kale\"]", "2: not a JSON object"),
      ("{\"name\":\"kale\"}", "2: no field \"item\"; name the item's field with --field"),
      ("{\"item\":7}", "2: field \"item\" is not a string"),
      ("{\"item\":null}", "2: field \"item\" is not a string"),
      ("{\"item\":\"kale\",\"section\":\"x\"}", "2: there is already a field \"section\"; choose another name with --as"),
      (
        "{\"item\":\"kale\",\"rule\":\"x\"}",
        "2: there is already a field \"rule\"; rename it, or drop --explain, which adds one"
      ),
      ("{\"item\":\"kale\",\"n\":01}", "2: bad JSON at column 22: expected a value"),
      ("{\"item\":\"kale\",\"n\":" + String(repeating: "[", count: 100), "2: bad JSON at column 8"),
    ])
  func badJSON(line: String, message: String) throws {
    let input = "{\"item\":\"kale\"}\n\(line)\n{\"item\":\"milk\"}\n"
    let more = message.contains("--explain") ? "--explain" : "--format=jsonl"
    let finished = try aisle("categorize", "--input-format", "jsonl", more, input: input, in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["standard input:\(message)"])
    let lines = finished.text.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == 4)
    #expect(lines[0].hasPrefix("{\"item\":\"kale\",\"section\":\"Produce\""))
    #expect(lines[2].hasPrefix("{\"item\":\"milk\",\"section\":\"Dairy & Eggs\""))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any])
    #expect(object["record"] as? String == line || lines[1].hasPrefix(line.dropLast() + ","))
    #expect((object["error"] as? String)?.hasPrefix(message.dropFirst(3)) == true)
    #expect(object["section"] as? String == "Other" || line.contains("section"))

    // Where no field of the record comes out none is in the way; what cannot be read comes out as it was written.
    let isInTheWay = message.contains("already")
    let tsv = try aisle("categorize", "--input-format", "jsonl", "--format", "tsv", input: input, in: folder)
    #expect(tsv.ending == .exited(isInTheWay ? 0 : 2))
    let rows = tsv.text.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(rows.count == 4)
    #expect(rows[0] == "kale\tProduce" && rows[2] == "milk\tDairy & Eggs")
    #expect(rows[1] == (isInTheWay ? "kale\tProduce" : "\(line.replacing("\t", with: "\\t"))\tOther"))
  }

  @Test("Bad records keep their line numbers across blocks, jobs and files", arguments: ["1", "3"])
  func lineNumbers(jobs: String) throws {
    let good = "{\"item\":\"kale\"}\n"
    try folder.write(String(repeating: good, count: 39_999) + "bad\n" + good, to: "one.jsonl")
    try folder.write(good + "bad\n", to: "two.jsonl")
    let finished = try aisle(
      "categorize", "--input-format", "jsonl", "--format", "tsv", "--jobs", jobs, "one.jsonl", "two.jsonl", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.output.count { $0 == 0x0A } == 40_003)
    let places = finished.diagnostics.split(separator: "\n").map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
    #expect(places == ["aisle: one.jsonl:40000", "aisle: two.jsonl:2"])
  }

  @Test(
    "CSV without the item's column is named with the columns there are",
    arguments: [
      ("id,itme\n1,kale\n", ["items.csv:1: no column `item`; did you mean `itme`?", "--column", "id, itme"]),
      (
        "id,name\n1,kale\n",
        ["items.csv:1: no column `item`; choose one of id, name with --column, or add --no-header if row 1 is an item"]
      ),
      (
        " item ,Qty\nkale,1\n",
        ["items.csv:1: no column `item`; did you mean ` item `? If not, choose one of ` item `, `Qty` with"]
      ),
      ("id,item,section\n1,kale,x\n", ["items.csv:1: there is already a column `section`; choose another name with --as"]),
      ("item,\"id\nkale,1\nmilk,2\n", ["items.csv:1: a quoted field is not closed"]),
      ("", ["items.csv:1: the file is empty; CSV needs a header row with the column `item`"]),
      (
        "item,id,item\nkale,1,milk\n",
        ["items.csv:1: 2 columns are named `item`: 1, 3; choose one by number with --column"]
      ),
    ])
  func missingColumn(text: String, parts: [String]) throws {
    try folder.write(text, to: "items.csv")
    try folder.write("id,item\n7,milk\n", to: "good.csv")
    let finished = try aisle("categorize", "--input-format", "csv", "items.csv", "good.csv", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: parts)
    #expect(finished.text == "id,item,section\n7,milk,Dairy & Eggs\n")
  }

  @Test(
    "A row that cannot be told apart into the header's columns stands in the first one, so that all rows have as many",
    arguments: [
      ("milk,1,2", "\"milk,1,2\",,Other"), ("milk,\"1\"x", "\"milk,\"\"1\"\"x\",,Other"),
      ("\"milk,1", "\"\"\"milk,1\",,Other"),
    ])
  func rowsOfOtherWidth(row: String, shown: String) throws {
    try folder.write("item,id\nkale,1\n\(row)", to: "bad.csv")
    try folder.write("item,id\nmilk,2\n", to: "good.csv")
    let finished = try aisle("categorize", "--input-format", "csv", "bad.csv", "good.csv", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["bad.csv:3: "])
    #expect(finished.text == "item,id,section\nkale,1,Produce\n\(shown)\nmilk,2,Dairy & Eggs\n")
    let tsv = try aisle("categorize", "--input-format", "csv", "--format", "tsv", "bad.csv", in: folder)
    #expect(tsv.text == "kale\tProduce\n\(row)\tOther\n")
  }

  @Test("A gzip file is an input that cannot be read, with the remedy", arguments: ["lines", "csv"])
  func gzip(inputFormat: String) throws {
    let packed = Data([
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x4E, 0xCC, 0x49, 0xE5, 2, 0, 0x80, 0xEB, 0x4D, 0x0C, 5, 0, 0, 0,
    ])
    try folder.write(packed, to: "items.gz")
    try folder.write("item\nmilk\n", to: "good.txt")
    let finished = try aisle("categorize", "--input-format", inputFormat, "--format", "tsv", "items.gz", "good.txt", in: folder)
    Self.expectOneLine(
      finished, exit: 2, naming: ["items.gz: the file is compressed with gzip; unpack it first: zcat FILE | aisle categorize"])
    #expect(finished.text.hasSuffix("milk\tDairy & Eggs\n") && !finished.output.contains(0x1F))
  }

  @Test("No column or field comes out twice")
  func namesTwice() throws {
    try folder.write("item,confidence\nkale,1\n", to: "explained.csv")
    let explained = try aisle("categorize", "--input-format", "csv", "--explain", "explained.csv", in: folder)
    Self.expectOneLine(
      explained, exit: 2,
      naming: ["explained.csv:1: there is already a column `confidence`; rename it, or drop --explain, which adds one"])
    try folder.write("item,id,id\nkale,1,2\n", to: "twice.csv")
    let twice = try aisle("categorize", "--input-format", "csv", "--format", "jsonl", "twice.csv", in: folder)
    Self.expectOneLine(
      twice, exit: 2, naming: ["twice.csv:1: two columns are named `id`; give each its own name for JSON output"])
    for name in ["error", "confidence", "record", "item"] {
      let named = try aisle("categorize", "--format", "jsonl", "--as", name, input: "kale\n", in: folder)
      #expect(
        named.ending == .exited(64) && named.diagnostics.contains("--as \(name): the output already has a field with this name"))
    }
    let arguments = ["categorize", "--input-format", "jsonl", "--field", "name", "--as", "item"]
    let taken = try RunningAisle(arguments + ["--format", "csv"], in: folder).finish()
    #expect(taken.ending == .exited(64) && taken.diagnostics.contains("--as item: the output already has a field with this name"))
    let free = try RunningAisle(arguments, in: folder)
    free.send("{\"name\":\"kale\"}\n")
    #expect(try free.finish().text == "{\"name\":\"kale\",\"item\":\"Produce\"}\n")
  }

  @Test("A bad JSON line with a field `error` of its own keeps it, and comes out as it was written")
  func ownError() throws {
    for line in ["{\"item\":5,\"error\":\"mine\"}", "{\"error\":\"mine\"}"] {
      let finished = try aisle("categorize", "--input-format", "jsonl", input: line + "\n", in: folder)
      #expect(finished.ending == .exited(2))
      let object = try #require(try JSONSerialization.jsonObject(with: finished.output) as? [String: String])
      #expect(object["record"] == line && object["error"]?.contains("field \"item\"") == true, "\(finished.text)")
      #expect(!finished.text.contains("\"error\":\"mine\""))
    }
    let sound = "{\"item\":\"kale\",\"error\":\"mine\""
    let kept = try aisle("categorize", "--input-format", "jsonl", input: sound + "}\n", in: folder)
    #expect(kept.text == sound + ",\"section\":\"Produce\"}\n")
  }

  @Test("Of columns with the same name one is chosen by its number, and others may share theirs")
  func repeatedColumns() throws {
    let input = "item,id,item,id\nkale,1,milk,2\n"
    let chosen = try aisle("categorize", "--input-format", "csv", "--column", "3", input: input, in: folder)
    #expect(chosen.text == "item,id,item,id,section\nkale,1,milk,2,Dairy & Eggs\n")
    let others = try aisle("categorize", "--input-format", "csv", input: "id,item,id\n1,kale,2\n", in: folder)
    #expect(others.text == "id,item,id,section\n1,kale,2,Produce\n")
  }

  @Test(
    "UTF-16 is named with the way to convert it, and other files still come out",
    arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], ["lines", "jsonl", "csv"])
  func utf16(encoding: String.Encoding, inputFormat: String) throws {
    let (text, good) =
      switch inputFormat {
      case "csv": ("item\n豆腐\n", "item\nkale\n")
      case "jsonl": ("{\"item\":\"豆腐\"}\n", "{\"item\":\"kale\"}\n")
      default: ("豆腐\nkale\n", "kale\n")
      }
    try folder.write(try #require("\u{FEFF}\(text)".data(using: encoding)), to: "items.txt")
    try folder.write(good, to: "good.txt")
    let finished = try aisle(
      "categorize", "--input-format", inputFormat, "--format", "tsv", "items.txt", "good.txt", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["items.txt:1: the text is UTF-16; ", "iconv -f UTF-16 -t UTF-8"])
    #expect(finished.text == "kale\tProduce\n")
  }

  @Test("UTF-16 without its mark is named too", arguments: [(String.Encoding.utf16LittleEndian, "LE"), (.utf16BigEndian, "BE")])
  func unmarkedUTF16(encoding: String.Encoding, name: String) throws {
    try folder.write(try #require("oat milk\nkale\n".data(using: encoding)), to: "items.txt")
    let finished = try aisle("categorize", "items.txt", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["items.txt:1: the text is UTF-16; ", "iconv -f UTF-16\(name) -t UTF-8"])
  }

  @Test("Lines that end with carriage returns alone are named once with the way to convert them", arguments: [2, 60_000])
  func carriageReturns(count: Int) throws {
    try folder.write(String(repeating: "kale\r", count: count), to: "items.txt")
    let finished = try aisle("categorize", "items.txt", in: folder)
    let message =
      "aisle: items.txt: the lines end with carriage returns, as on old Macs, and are read as one; convert them first: tr "
    #expect(finished.diagnostics.hasPrefix(message + "'\\r' '\\n'\n"), "\(finished.diagnostics)")
    #expect(finished.diagnostics.components(separatedBy: message).count == 2)
  }

  @Test("Bytes that only look like UTF-16's mark come back as they are", arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
  func noUTF16(mark: [UInt8]) throws {
    let finished = try aisle("categorize", input: Data(mark) + Data(" kale\n".utf8), in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.output == Data(mark) + Data(" kale\tProduce\n".utf8))
  }

  @Test("A second CSV file with another header is refused, and named")
  func otherHeader() throws {
    try folder.write("id,item\n1,kale\n", to: "one.csv")
    try folder.write("item,id\nkale,1\n", to: "two.csv")
    let finished = try aisle("categorize", "--input-format", "csv", "one.csv", "two.csv", "one.csv", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["two.csv:1: "])
    #expect(finished.text == "id,item,section\n1,kale,Produce\n1,kale,Produce\n")
  }

  @Test(
    "A CSV row with the wrong number of fields, or a quote that is never closed, is named by its line",
    arguments: [
      (
        "id,item\n1,kale\n2,oat,milk\n3,milk\n",
        "3: this row has 3 fields, but the header has 2; quote fields that contain commas",
        ["1,kale,Produce", "\"2,oat,milk\",,Other", "3,milk,Dairy & Eggs"]
      ),
      (
        "id,item\n1,kale\n2\n3,milk\n", "3: this row has 1 field, but the header has 2; add the item in column 2",
        ["1,kale,Produce", "2,,Other", "3,milk,Dairy & Eggs"]
      ),
      (
        "id,item\n1,\"oat\n\nmilk\"\n2\n3,milk\n", "5: this row has 1 field, ",
        ["1,\"oat", "", "milk\",Dairy & Eggs", "2,,Other", "3,milk,Dairy & Eggs"]
      ),
      (
        "id,item\n1,kale\n2,\"milk\n", "3: a quoted field is not closed, or has text ",
        ["1,kale,Produce", "\"2,\"\"milk", "\",,Other"]
      ),
      ("id,item\n1,kale\n2,\"milk\"x\n3,milk\n", "3: ", ["1,kale,Produce", "\"2,\"\"milk\"\"x\",,Other", "3,milk,Dairy & Eggs"]),
    ])
  func badRows(input: String, message: String, rows: [String]) throws {
    let finished = try aisle("categorize", "--input-format", "csv", input: input, in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["standard input:\(message)"])
    #expect(finished.text == (["id,item,section"] + rows).map { "\($0)\n" }.joined())
  }

  @Test(
    "Cells that a row lacks behind the item come out empty",
    arguments: [
      (
        ["--input-format", "csv"], "name,brand,note\noat milk\nkale,x\n",
        "name,brand,note,section\noat milk,,,Dairy & Eggs\nkale,x,,Produce\n"
      ),
      (
        ["--input-format", "tsv", "--format", "jsonl"], "name\tbrand\noat milk\n",
        "{\"name\":\"oat milk\",\"brand\":\"\",\"section\":\"Dairy & Eggs\"}\n"
      ),
    ])
  func shortRows(arguments: [String], input: String, expected: String) throws {
    let process = try RunningAisle(["categorize", "--column", "name", "--summary"] + arguments, in: folder)
    process.send(input)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text == expected)
    #expect(finished.diagnostics.contains("rows filled up with empty cells: "))
  }

  @Test("A header that takes several lines counts as many in messages")
  func longHeader() throws {
    let input = "\"the\nid\",item\n1,kale\n2\n"
    let finished = try aisle("categorize", "--input-format", "csv", input: input, in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["standard input:4: this row has 1 field, "])
    let windows = try aisle(
      "categorize", "--input-format", "csv", input: input.replacingOccurrences(of: "\n", with: "\r\n"), in: folder)
    Self.expectOneLine(windows, exit: 2, naming: ["standard input:4: this row has 1 field, "])
  }

  @Test("A header that is too long is called so, and other files still come out")
  func hugeHeader() throws {
    try folder.write("item,\"" + String(repeating: "z", count: 300 * 1024), to: "huge.csv")
    try folder.write("item\nkale\n", to: "one.csv")
    let finished = try aisle("categorize", "--input-format", "csv", "huge.csv", "one.csv", in: folder)
    Self.expectOneLine(finished, exit: 2, naming: ["huge.csv:1: the header row is longer than 256 KiB; "])
    #expect(finished.text == "item,section\nkale,Produce\n")
  }

  @Test(
    "An inch sign in a field without quotes opens no quoted field",
    arguments: [
      ("6\" kale\nmilk\n", ["6\" kale", "milk"]), ("6\" kale\n\"oat\nmilk\"\nmilk\n", ["6\" kale", "oat\nmilk", "milk"]),
      ("kale 6\"\n\"milk, 12\"\"\"\n\"oat\n\nmilk\"\n12\" kale\n", ["kale 6\"", "milk, 12\"", "oat\n\nmilk", "12\" kale"]),
    ] as [(String, [String])])
  func inchSigns(rows: String, items: [String]) throws {
    let finished = try aisle("categorize", "--input-format", "csv", "--format", "jsonl", input: "item\n\(rows)", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics == "")
    let objects = try finished.text.split(separator: "\n").map {
      try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
    }
    #expect(objects.map { $0["item"] } == items)
  }

  @Test(
    "A mistake in the command line is a usage error with a hint",
    arguments: [
      (["categorize", "--formt", "tsv"], "--format"),
      (["categorize", "--format", "xml"], "- aisle.conf"),
      (["categorize", "--jobs", "0"], "--jobs must be 1 to 256, not 0"), (["categorize", "--jobs", "many"], "--jobs"),
      (["categorize", "--as", ""], "--as needs a name"), (["categorze"], "categorze"), (["stores", "shwo"], "shwo"),
      (["categorize", "--field", "name"], "--field needs jsonl or json input"),
      (["categorize", "--column", "name"], "--column needs csv or tsv input"),
      (["categorize", "--as", "aisle", "--format", "tsv"], "tsv output has none"),
      (["categorize", "--mode", "fuzzy"], "substring"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(64))
    #expect(finished.output.isEmpty)
    #expect(finished.diagnostics.contains(hint))
  }

  private static func expectOneLine(
    _ finished: Finished, exit code: Int32, naming parts: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(finished.ending == .exited(code), sourceLocation: sourceLocation)
    #expect(finished.diagnostics.hasPrefix("aisle: "), sourceLocation: sourceLocation)
    #expect(finished.diagnostics.utf8.count { $0 == 0x0A } == 1, "\(finished.diagnostics)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(finished.diagnostics.contains(part), sourceLocation: sourceLocation)
    }
  }
}
