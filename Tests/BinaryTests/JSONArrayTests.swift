import AisleCore
import Foundation
import Testing

/// A JSON array is read element by element, and written as one.
@Suite struct JSONArrayTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func categorize(_ text: String, _ arguments: [String] = []) throws -> Finished {
    let process = try RunningAisle(["categorize", "--input-format", "json"] + arguments, in: folder)
    process.feed([Data(text.utf8)])
    return try process.finish(endingInput: false)
  }

  @Test("A .json file is an array of objects, and comes back as one, an element a line")
  func byName() throws {
    try folder.write(
      "[\n  {\n    \"id\": 1.50,\n    \"name\": \"k\\u0061le ]}\"\n  },\n  {\"name\": \"oat milk\"}\n]\n", to: "goods.JSON")
    let finished = try aisle("categorize", "--field", "name", "goods.JSON", in: folder)
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
    let expected = """
      [
      {"id": 1.50,"name": "k\\u0061le ]}","section":"Produce"},
      {"name": "oat milk","section":"Dairy & Eggs"}
      ]

      """
    #expect(finished.text == expected)
  }

  @Test(
    "Blanks, brackets in strings, and escapes are what they are in JSON",
    arguments: [
      ("[]", "[]\n"), (" \u{FEFF}".dropFirst() + " [ \r\n\t] \n\n", "[]\n"),
      (
        "[\"kale\",\"oat \\\"milk\\\"\"]",
        "[\n{\"item\":\"kale\",\"section\":\"Produce\"},\n{\"item\":\"oat \\\"milk\\\"\",\"section\":\"Dairy & Eggs\"}\n]\n"
      ),
      (
        "[{\"item\":\"kale\",\"a\":[[\"]\",\"\\\\\"],{\"}\":\",\"}]}]",
        "[\n{\"item\":\"kale\",\"a\":[[\"]\",\"\\\\\"],{\"}\":\",\"}],\"section\":\"Produce\"}\n]\n"
      ),
      (
        "[\n{ \"item\"\r\n : \"kale\" \n}\n,\n\n\"milk\"\n]",
        "[\n{ \"item\": \"kale\",\"section\":\"Produce\"},\n{\"item\":\"milk\",\"section\":\"Dairy & Eggs\"}\n]\n"
      ),
    ])
  func forms(text: String, expected: String) throws {
    let finished = try categorize(text)
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
    #expect(finished.text == expected, "\(text)")
  }

  @Test(
    "Elements go into every format",
    arguments: [
      ("tsv", "kale\tProduce\noat\\nmilk\tDairy & Eggs\n"), ("csv", "item,section\nkale,Produce\n\"oat\nmilk\",Dairy & Eggs\n"),
      ("jsonl", "{\"item\":\"kale\",\"id\":1,\"section\":\"Produce\"}\n{\"item\":\"oat\\nmilk\",\"section\":\"Dairy & Eggs\"}\n"),
      ("list", "Produce  1\n  kale\n\nDairy & Eggs  1\n  oat␊milk\n"),
    ])
  func toOthers(format: String, expected: String) throws {
    let finished = try categorize("[{\"item\":\"kale\",\n\"id\":1},\"oat\\nmilk\"]", ["--format", format])
    #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
    #expect(finished.text == expected)
  }

  @Test(
    "--format json writes an array of any input",
    arguments: [
      (
        "lines", "kale\n\nmilk",
        [
          "{\"item\":\"kale\",\"section\":\"Produce\"}", "{\"item\":\"\",\"section\":\"Other\"}",
          "{\"item\":\"milk\",\"section\":\"Dairy & Eggs\"}",
        ]
      ),
      ("lines", "", []),
      (
        "jsonl", "\u{FEFF}{\"item\":\"kale\"}\n\n \u{FEFF}{}\n",
        [
          "{\"item\":\"kale\",\"section\":\"Produce\"}",
          "{\"record\":\" \u{FEFF}{}\",\"section\":\"Other\",\"error\":\"not a JSON object; write {\\\"item\\\": \\\"…\\\"}\"}",
        ]
      ),
      ("csv", "item,id\n\nkale,1\n", ["{\"item\":\"kale\",\"id\":\"1\",\"section\":\"Produce\"}"]),
    ] as [(String, String, [String])])
  func fromOthers(inputFormat: String, text: String, elements: [String]) throws {
    let finished = try aisle("categorize", "--input-format", inputFormat, "--format", "json", input: text, in: folder)
    #expect(finished.text == (elements.isEmpty ? "[]\n" : "[\n\(elements.joined(separator: ",\n"))\n]\n"))
    _ = try JSONSerialization.jsonObject(with: finished.output)
  }

  @Test("Several files make one array, also where some are empty")
  func severalFiles() throws {
    try folder.write("[]", to: "none.json")
    try folder.write("[{\"item\":\"kale\"}]", to: "one.json")
    try folder.write("[\"milk\",\"x\"]", to: "two.json")
    let finished = try aisle("categorize", "none.json", "one.json", "none.json", "two.json", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(try elements(finished).map { $0["item"] } == ["kale", "milk", "x"])
  }

  @Test(
    "An element that is no item is named by its line and number, and comes back as it was",
    arguments: [
      ("7", "3: element 2: neither an object nor a string; write {\"item\": \"…\"} or \"…\""),
      ("[\"kale\"]", "3: element 2: neither an object nor a string"), ("null", "3: element 2: neither"),
      ("{\"name\":\"x\"}", "3: element 2: no field \"item\"; name the item's field with --field"),
      ("{\"item\":7}", "3: element 2: field \"item\" is not a string"),
      ("{\"item\":\"x\",\"section\":\"x\"}", "3: element 2: there is already a field \"section\"; choose another name with --as"),
      ("{\n\"item\":kale}", "4: element 2: bad JSON: expected a value (byte 10 of the element)"),
      ("", "3: element 2: an element is missing; take out the extra comma"),
      ("\"kale\" \"milk\"", "3: element 2: bad JSON: text after the value (byte 8 of the element)"),
      ("{\"item\":\"kale\"}}", "3: element 2: bad JSON: text after the value"),
      ("{\"item\":\"ka\nle\"}", "4: element 2: bad JSON: control character in a string"),
    ])
  func badElements(element: String, message: String) throws {
    let finished = try categorize("[\n\"kale\",\n\(element),\n\"milk\"]")
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: standard input:\(message)"), "\(finished.diagnostics)")
    #expect(finished.diagnostics.count { $0 == "\n" } == 1)
    let answers = try elements(finished)
    try #require(answers.count == 3)
    #expect(answers[0]["section"] == "Produce" && answers[2]["section"] == "Dairy & Eggs")
    #expect(answers[1]["record"] == element || finished.text.contains("\n\(element.dropLast()),\""))
    let said = message.replacing("3: element 2: ", with: "").replacing("4: element 2: ", with: "")
    #expect(answers[1]["error"]?.hasPrefix(said) == true, "\(answers[1])")
  }

  @Test(
    "An array that is not whole is named by its line, and what is whole comes out in an array that is",
    arguments: [
      ("[\"kale\",\n", ["kale"], 2, []), ("[\"kale\"\n", ["kale"], 2, []), ("[\n", [], 2, []),
      ("[\"kale\",\n\"milk\"", ["kale", "milk"], 2, []),
      ("[\"kale\",\n{\"item\":\"mi", ["kale", nil], 2, ["2: element 2: bad JSON: string without a closing quote"]),
      ("[\"kale\",\n{\"item\":\"milk]", ["kale", nil], 2, ["2: element 2: bad JSON"]),
    ] as [(String, [String?], Int, [String])])
  func cutOff(text: String, items: [String?], line: Int, messages: [String]) throws {
    try folder.write("[\"oat milk\"]", to: "two.json")
    try folder.write(text, to: "one.json")
    let finished = try aisle("categorize", "one.json", "two.json", in: folder)
    #expect(finished.ending == .exited(2))
    let end = "aisle: one.json:\(line): the array is not closed; the file may be cut off, or `]` is missing"
    let lines = finished.diagnostics.split(separator: "\n").map(String.init)
    #expect(lines.last == end && lines.count == messages.count + 1, "\(finished.diagnostics)")
    for (line, message) in zip(lines, messages) { #expect(line.hasPrefix("aisle: one.json:\(message)"), "\(line)") }
    #expect(try elements(finished).map { $0["item"] } == items + ["oat milk"])
  }

  @Test(
    "What is no array is refused with the remedy, and the next file comes out",
    arguments: [
      ("", "one.json:1: the file is empty; write [{\"item\": \"…\"}, …], or add --input-format jsonl for one object per line"),
      (
        "{\"item\":\"kale\"}\n",
        "one.json:1: no JSON array; write [{\"item\": \"…\"}, …], or add --input-format jsonl for one object per line"
      ),
      ("[\"x\"]\n[\"y\"]", "one.json:2: text after the array; write one array a file"),
      ("[]]", "one.json:1: text after the array"),
    ])
  func noArray(text: String, message: String) throws {
    try folder.write("[\"oat milk\"]", to: "two.json")
    try folder.write(text, to: "one.json")
    let finished = try aisle("categorize", "one.json", "two.json", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: \(message)"), "\(finished.diagnostics)")
    #expect(try elements(finished).last?["section"] == "Dairy & Eggs")
  }

  @Test("--as does not take the name of a field that an element has, or is given")
  func target() throws {
    let finished = try categorize("[\"kale\",{\"name\":\"kale\"}]", ["--as", "item", "--field", "name"])
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.contains("element 1: there is already a field \"item\"; choose another name with --as"))
    #expect(finished.text.contains("{\"name\":\"kale\",\"item\":\"Produce\"}"))
  }

  @Test("An element that is too long is one record of the array, whatever its brackets, and the others are answered")
  func oversized() throws {
    for (start, end) in [("{\"item\":\"", "\"}"), ("\"", "\""), ("{\"a\":[\"", "\"]  }\n"), ("\n \n[\"", "]\\\"\"]")] {
      let long = "\(start)\(String(repeating: "é ]", count: longestRecord / 3))\(end)"
      for last in [",\n\"milk\"]", "]", ""] {
        let finished = try categorize("[\"kale\",\n\(long)\(last)")
        #expect(finished.ending == .exited(2))
        let line = start.hasPrefix("\n") ? 4 : 2
        #expect(
          finished.diagnostics.hasPrefix(
            "aisle: standard input:\(line): element 2: record longer than 256 KiB; not categorized\n"), "\(finished.diagnostics)")
        #expect(finished.diagnostics.contains("not closed") == last.isEmpty)
        let answers = try elements(finished)
        #expect(answers.map { $0["section"] } == ["Produce", "Other"] + (last.count > 1 ? ["Dairy & Eggs"] : []))
        try #require(answers.count > 1)
        #expect(
          answers[1]["record"]?.trimmingCharacters(in: .whitespacesAndNewlines)
            == long.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
  }

  @Test("Each element is answered before the next one is sent")
  func streaming() throws {
    for arguments in [["--jobs", "1"], ["--jobs", "3"], ["--line-buffered"]] {
      let process = try RunningAisle(["categorize", "--input-format", "json"] + arguments, in: folder)
      process.send("[")
      for number in 1...5 {
        process.send("\(number > 1 ? "\n" : "")\"kale \(number)\",")
        try process.waitForOutput { $0.split(separator: 0x0A).count == number + 1 }
      }
      process.send("\"milk\"] ")
      try process.waitForOutput { $0.split(separator: 0x0A).count == 7 }
      let finished = try process.finish()
      #expect(finished.ending == .exited(0))
      #expect(try elements(finished).count == 6)
    }
  }

  @Test("A text that comes in single bytes gives the same as one that comes at once", arguments: [[], ["--line-buffered"]])
  func singleBytes(arguments: [String]) throws {
    let text = "\u{FEFF} [ {\"item\":\"k\\u0061l\\\"e]\",\n\"a\":[{}]} ,\"milk\\\\\",7, {\"item\":\"é🥬\"}\n] \n"
    let whole = try categorize(text, arguments)
    let process = try RunningAisle(["categorize", "--input-format", "json"] + arguments, in: folder)
    for byte in text.utf8 {
      process.send(Data([byte]))
      try process.waitUntilInputIsRead()
    }
    let pieces = try process.finish()
    #expect(pieces.output == whole.output && pieces.errors == whole.errors, "\(pieces.text)")
    #expect(try elements(whole).count == 4)
  }

  @Test("Random arrays of many blocks come back in order, with one job and with eight", arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var numbers: [Int] = []
    var text = "["
    for number in 0..<Int.random(in: 10_000...20_000, using: &random) {
      let blanks = [" ", "\n", "", "\r\n  "].randomElement(using: &random) ?? ""
      text += (number == 0 ? "" : ",") + blanks
      text +=
        Bool.random(using: &random) ? "{\"item\":\"kale \(number)\",\(blanks)\"x\":[\"],\"]}" : "\"kale \(number)\"" + blanks
      numbers.append(number)
    }
    let alone = try categorize(text + "]", ["--jobs", "1"])
    let together = try categorize(text + "]", ["--jobs", "8"])
    #expect(alone.ending == .exited(0) && alone.output == together.output, "seed \(seed)")
    #expect(try elements(alone).map { $0["item"] } == numbers.map { "kale \($0)" }, "seed \(seed)")
  }

  @Test("SIGINT at full speed leaves an array that is closed, of whole elements in order", arguments: ["lines", "json"])
  func interrupted(inputFormat: String) throws {
    let process = try RunningAisle(["categorize", "--input-format", inputFormat, "--format", "json"], in: folder)
    let isJSON = inputFormat == "json"
    if isJSON { process.send("[\"item\"") }
    process.feed(
      sequence(state: 0) { start in
        defer { start += 1000 }
        return Data((start..<start + 1000).map { isJSON ? ",\"item \($0)\"" : "item \($0)\n" }.joined().utf8)
      }, thenEnds: false)
    try process.waitForOutput { $0.count > 100_000 }
    process.signal(SIGINT)
    let finished = try process.finish(endingInput: false)
    #expect(finished.ending == .exited(130) && finished.errors.isEmpty)
    let items = try elements(finished).compactMap { $0["item"] }.drop { $0 == "item" }
    #expect(items.count > 1000 && zip(items, 0...).allSatisfy { $0 == "item \($1)" })
  }

  #if os(Linux)
    @Test("Memory stays flat on an array without end")
    func flatMemory() throws {
      let process = try RunningAisle(["categorize", "--input-format", "json"], in: folder)
      let chunk = Data(String(repeating: "{\"item\":\"oat milk\"},\n", count: 1000).utf8)
      process.send("[")
      process.feed(Array(repeating: chunk, count: 100), thenEnds: false)
      try process.waitForOutput { $0.count { $0 == 0x0A } >= 100_000 }
      #expect(try process.peakMemory() <= 64 * 1024)
      process.send("\"kale\"]")
      #expect(try process.finish().ending == .exited(0))
    }
  #endif

  /// The texts in each element of the output.
  private func elements(_ finished: Finished) throws -> [[String: String]] {
    let array = try #require(
      try JSONSerialization.jsonObject(with: finished.output) as? [[String: Any]], "\(finished.text.prefix(500))")
    return array.map { $0.compactMapValues { $0 as? String } }
  }
}
