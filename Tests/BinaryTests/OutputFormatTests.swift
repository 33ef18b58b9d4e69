import AisleCore
import AisleTesting
import Foundation
import Testing

/// What comes out in each format, for each kind of input.
@Suite struct OutputFormatTests {
  private static let lines = "oat milk\n2 lbs kale\nbirthday card\nsay \"hi\", chocolate\n"
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Blank lines are no items of the summary",
    arguments: [("lines", "milk\n\nkale\n"), ("jsonl", "{\"item\":\"milk\"}\n\n{\"item\":\"kale\"}\n")])
  func blankLines(format: String, input: String) throws {
    let finished = try aisle("categorize", "--summary", "--input-format", format, input: input, in: folder)
    #expect(finished.diagnostics.hasPrefix("2 items in"), "\(finished.diagnostics)")
  }

  @Test(
    "Lines come out in every format",
    arguments: [
      ("tsv", "oat milk\tDairy & Eggs\n2 lbs kale\tProduce\nbirthday card\tOther\nsay \"hi\", chocolate\tOther\n"),
      (
        "csv",
        "item,section\noat milk,Dairy & Eggs\n2 lbs kale,Produce\nbirthday card,Other\n\"say \"\"hi\"\", chocolate\",Other\n"
      ),
      (
        "jsonl",
        """
        {"item":"oat milk","section":"Dairy & Eggs"}
        {"item":"2 lbs kale","section":"Produce"}
        {"item":"birthday card","section":"Other"}
        {"item":"say \\"hi\\", chocolate","section":"Other"}

        """
      ),
    ])
  func formats(format: String, expected: String) throws {
    let finished = try aisle(
      "categorize", "--format", format, input: Self.lines.replacing("chocolate", with: "socks"), in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == expected.replacing("chocolate", with: "socks"))
    #expect(finished.diagnostics == "")
  }

  @Test("The list has sections in walking order, counts, and the fallback last wherever it stands")
  func list() throws {
    let input = "chocolate\nsocks\nmilk\n\n  \nbutter\nkale\nsocks\n"
    let finished = try aisle("categorize", "--format", "list", input: input, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(
      finished.text == """
        Produce  1
          kale

        Dairy & Eggs  2
          milk
          butter

        Snacks  1
          chocolate

        Other  2
          socks
          socks

        """)
  }

  @Test("CookLang's aisle.conf has sections in walking order, and each name once, where it came first")
  func aisleConf() throws {
    let input = "milk\nsocks\nkale | curly  kale\n\n  \nbutter\ncurly kale\nmilk|whole milk\nMilk\n|\n"
    let finished = try aisle("categorize", "--format", "aisle.conf", input: input, in: folder)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    #expect(
      finished.text == """
        [Produce]
        kale|curly kale

        [Dairy & Eggs]
        milk
        butter
        whole milk
        Milk

        [Other]
        socks

        """)
  }

  @Test("What would be a section in aisle.conf is left out, and said")
  func bracketInAisleConf() throws {
    let finished = try aisle("categorize", "--format", "aisle.conf", input: "[kale]\nkale\n", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.text == "[Produce]\nkale\n")
    #expect(finished.diagnostics == "aisle: items that begin with [ cannot be in aisle.conf; left out: 1\n")
  }

  @Test("aisle.conf takes neither --explain nor --as", arguments: ["--explain", "--as=where"])
  func nothingElseInAisleConf(option: String) throws {
    #expect(try aisle("categorize", "--format", "aisle.conf", option, input: "kale\n", in: folder).ending == .exited(64))
  }

  @Test(
    "An empty input gives an empty result in every format",
    arguments: [("tsv", ""), ("jsonl", ""), ("list", ""), ("aisle.conf", ""), ("csv", "item,section\n")])
  func empty(format: String, expected: String) throws {
    let finished = try aisle("categorize", "--format", format, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == expected)
    #expect(finished.diagnostics == "")
  }

  @Test(
    "A JSON record comes back untouched, with the section as one more field",
    arguments: [
      #"{"item":"kale","id":1.50e3"#, #"{"id":-0, "item" : "kale", "big":12345678901234567890123"#,
      #"{"item":"\u006bale","name":"caf\u00e9 \/ \ud83e\udd6c","x":null"#,
      #"  {"tags":["a",{"b":[1, 2]}],"item":"kale","ok":true  "#,
      #"{"item":"kale","id":"a}b{\"}","id":2"#, #"{"note":"section","item":"kale","empty":{},"none":[]"#,
      "\t{ \"item\"\t:\t\"kale\"",
    ])
  func jsonUntouched(start: String) throws {
    let finished = try aisle("categorize", "--input-format", "jsonl", input: "\(start)}\n\(start)}\r\n\(start)}  ", in: folder)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    let kept = start.reversed().drop { $0 == " " }.reversed()
    let record = String(kept) + #","section":"Produce"}"#
    #expect(finished.text.replacing("\r\n", with: "\n") == "\(record)\n\(record)\n\(record)\n")
  }

  @Test("Bytes of a JSON record that are no UTF-8 come back as they are")
  func jsonBytesUntouched() throws {
    let start = Data(#"{"item":"kale","id":""#.utf8) + [0xFF, 0xC3, 0x28] + Data("\"".utf8)
    let finished = try aisle("categorize", "--input-format", "jsonl", input: start + Data("}\n".utf8), in: folder)
    #expect(finished.output == start + Data(",\"section\":\"Produce\"}\n".utf8))
  }

  @Test(
    "A CSV row comes back untouched, with the section as one more column",
    arguments: ["\n", "\r\n"],
    [
      "001,kale,x", " 1 , kale , ", "\"1\",\"kale\",\"a, \"\"b\"\"\"", "1,\"kale\n\",\"\r\n\"", "1e3,kale,é🥬", ",kale,",
      "\"\",\"kale\",\"\"",
      "1,kale,\u{1F}\u{7F}",
    ])
  func csvUntouched(end: String, row: String) throws {
    let finished = try aisle(
      "categorize", "--input-format", "csv", input: "id,item,note\(end)\(row)\(end)\(row)", in: folder)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    let rows = [UInt8]("id,item,note,section\(end)\(row),Produce\(end)\(row),Produce\n".utf8)
    #expect([UInt8](finished.output) == rows, "\(String(reflecting: finished.text))")
  }

  @Test("A byte order mark before a JSON line is no part of it, and stays where it is")
  func markedJSON() throws {
    let line = "{\"item\":\"kale\"}"
    let input = "\u{FEFF}\(line)\n\(line)\n\u{FEFF}\(line)\n"
    let tsv = try aisle("categorize", "--input-format", "jsonl", "--format", "tsv", input: input, in: folder)
    #expect(tsv.ending == .exited(0))
    #expect(tsv.text == String(repeating: "kale\tProduce\n", count: 3))
    let answered = "{\"item\":\"kale\",\"section\":\"Produce\"}\n"
    let json = try aisle("categorize", "--input-format", "jsonl", input: input, in: folder)
    #expect(json.output == Data("\u{FEFF}\(answered)\(answered)\u{FEFF}\(answered)".utf8))
  }

  @Test("Blank lines among JSON and CSV stay blank lines", arguments: ["tsv", "csv", "jsonl"], [[], ["--explain"]])
  func blankLines(format: String, arguments: [String]) throws {
    for (inputFormat, header, record) in [("jsonl", "", "{\"item\":\"kale\"}"), ("csv", "item\n", "kale")] {
      let process = try RunningAisle(["categorize", "--input-format", inputFormat, "--format", format] + arguments, in: folder)
      process.feed([Data("\(header)\n\(record)\n\n\n\(record)\n".utf8)])
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .exited(0))
      let lines = finished.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(format == "csv" ? 1 : 0)
      #expect(lines.map(\.isEmpty) == [true, false, true, true, false, true], "\(inputFormat)")
    }
  }

  @Test("Bytes of a CSV row that are no UTF-8 come back as they are, and so does a byte order mark")
  func csvBytesUntouched() throws {
    let input = Data([0xEF, 0xBB, 0xBF]) + Data("item,id\nkale,".utf8) + [0xFF, 0x00, 0xC3] + Data("\n".utf8)
    let finished = try aisle("categorize", "--input-format", "csv", input: input, in: folder)
    let expected = Data([0xEF, 0xBB, 0xBF]) + Data("item,id,section\nkale,".utf8) + [0xFF, 0x00, 0xC3] + Data(",Produce\n".utf8)
    #expect(finished.output == expected)
  }

  @Test(
    "--as names the field or column of the section",
    arguments: [
      ("csv", "item,id\nkale,7\n", "item,id,where\nkale,7,Produce\n"),
      ("jsonl", "{\"item\":\"kale\",\"section\":9}\n", "{\"item\":\"kale\",\"section\":9,\"where\":\"Produce\"}\n"),
    ])
  func target(format: String, input: String, output: String) throws {
    let finished = try aisle("categorize", "--input-format", format, "--as", "where", input: input, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == output)
  }

  @Test(
    "A name that needs quotes gets them",
    arguments: [
      ("csv", "item,\"a \"\"b\"\", c\"\nkale,Produce\n"), ("jsonl", "{\"item\":\"kale\",\"a \\\"b\\\", c\":\"Produce\"}\n"),
    ])
  func quotedTarget(format: String, output: String) throws {
    let finished = try aisle("categorize", "--format", format, "--as", "a \"b\", c", input: "kale\n", in: folder)
    #expect(finished.text == output)
  }

  @Test(
    "--field and --column choose where the item stands",
    arguments: [
      (
        ["--input-format", "jsonl", "--field", "name"], "{\"item\":1,\"name\":\"kale\"}\n",
        "{\"item\":1,\"name\":\"kale\",\"section\":\"Produce\"}\n"
      ),
      (["--input-format", "csv", "--column", "name"], "id,name\n1,kale\n", "id,name,section\n1,kale,Produce\n"),
      (["--input-format", "csv", "--column", "2"], "id,name\n1,kale\n", "id,name,section\n1,kale,Produce\n"),
      (["--input-format", "csv", "--column", "2"], "2,name\nkale,1\n", "2,name,section\nkale,1,Produce\n"),
    ])
  func itemPlace(arguments: [String], input: String, output: String) throws {
    let process = try RunningAisle(["categorize"] + arguments, in: folder)
    process.send(input)
    let finished = try process.finish()
    #expect(finished.ending == .exited(0))
    #expect(finished.text == output)
  }

  @Test(
    "Records go from one format to another",
    arguments: [
      ("csv", "jsonl", "id,item\n1,\"oat\nmilk\"\n", "{\"id\":\"1\",\"item\":\"oat\\nmilk\",\"section\":\"Dairy & Eggs\"}\n"),
      ("csv", "tsv", "id,item\n1,\"oat\n\tmilk\"\n", "oat\\n\\tmilk\tDairy & Eggs\n"),
      ("jsonl", "tsv", "{\"item\":\"oat\\tmilk\\r\\n\"}\n", "oat\\tmilk\\r\\n\tDairy & Eggs\n"),
      ("lines", "csv", "oat milk\r\nkale\r\n", "item,section\noat milk,Dairy & Eggs\nkale,Produce\n"),
      ("jsonl", "csv", "{\"item\":\"oat \\\"milk\\\"\"}\n", "item,section\n\"oat \"\"milk\"\"\",Dairy & Eggs\n"),
      (
        "lines", "jsonl", "oat\u{1}\tmilk \\ \"é\"\n",
        "{\"item\":\"oat\\u0001\\tmilk \\\\ \\\"é\\\"\",\"section\":\"Dairy & Eggs\"}\n"
      ),
    ])
  func conversions(input: String, output: String, records: String, expected: String) throws {
    let finished = try aisle("categorize", "--input-format", input, "--format", output, input: records, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text == expected)
  }

  @Test("What is no UTF-8 shows as the replacement character where the format is text")
  func invalidTextInJSON() throws {
    let finished = try aisle("categorize", "--format", "jsonl", input: Data([0xFF]) + Data(" kale\n".utf8), in: folder)
    #expect(finished.text == "{\"item\":\"\u{FFFD} kale\",\"section\":\"Produce\"}\n")
  }

  @Test(
    "In a pipe the format follows the input",
    arguments: [
      ("lines", "kale\n", "kale\tProduce\n"), ("jsonl", "{\"item\":\"kale\"}\n", "{\"item\":\"kale\",\"section\":\"Produce\"}\n"),
      ("csv", "item\nkale\n", "item,section\nkale,Produce\n"),
    ])
  func defaults(inputFormat: String, input: String, output: String) throws {
    #expect(try aisle("categorize", "--input-format", inputFormat, input: input, in: folder).text == output)
  }

  @Test(
    "Every JSON line that comes out is JSON, whatever the soup of bytes that went in", arguments: 1...6 as ClosedRange<UInt64>)
  func alwaysJSON(seed: UInt64) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var input = Data()
    for _ in 0..<3000 { input.append(UInt8.random(in: 0...(seed % 2 == 0 ? 255 : 127), using: &generator)) }
    let finished = try aisle("categorize", "--format", "jsonl", "--explain", input: input, in: folder)
    #expect(finished.ending == .exited(0), "seed \(seed)")
    let lines = finished.output.split(separator: 0x0A)
    #expect(lines.count == input.endingInNewline.count { $0 == 0x0A }, "seed \(seed)")
    for line in lines {
      let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
      #expect(object?["section"] is String, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test(
    "--mode substring matches within words, phrase does not", arguments: [("phrase", "Other"), ("substring", "Dairy & Eggs")])
  func mode(mode: String, section: String) throws {
    #expect(try aisle("categorize", "--mode", mode, input: "xmilkx\n", in: folder).text == "xmilkx\t\(section)\n")
  }

  @Test("--store chooses among the stores, and --taxonomies goes before the environment")
  func store() throws {
    #expect(try aisle("categorize", "--store", "corner", input: "kale\nx\n", in: folder).text == "kale\tFront\nx\tBack Room\n")
    let flagged = try aisle(
      "categorize", "--taxonomies", "taxonomies", input: "kale\n", in: folder, environment: ["AISLE_TAXONOMIES": "nowhere"])
    #expect(flagged.text == "kale\tProduce\n")
  }

  @Test("Without a folder named, the nearest `taxonomies` upward is used")
  func upward() throws {
    try folder.write("kale\n", to: "a/b/items.txt")
    let inner = try aisle("categorize", "--taxonomies", "../../taxonomies", "a/b/items.txt", in: folder)
    #expect(inner.ending == .exited(2))
    let found = try aisle("categorize", "a/b/items.txt", in: folder, environment: ["AISLE_TAXONOMIES": ""])
    #expect(found.text == "kale\tProduce\n")
  }

  @Test("The binary alone knows Kroger")
  func builtIn() throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/taxonomies")
    let finished = try aisle("categorize", input: "oat milk\nkale\n", in: folder, environment: ["AISLE_TAXONOMIES": ""])
    #expect(finished.ending == .exited(0))
    #expect(finished.text == "oat milk\tDairy & Eggs\nkale\tProduce\n")
  }
}
