import Foundation
import Testing

/// `--explain` and `--summary`: why, and how many.
@Suite struct ExplainTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Each column says what it is named after",
    arguments: [
      ("oat milk", ["Dairy & Eggs", "keyword", "oat milk", "0-8", "taxonomies/shelves/milk.txt:4", ""]),
      ("2 lbs of kale", ["Produce", "keyword", "kale", "9-13", "taxonomies/shelves/greens.txt:2", ""]),
      ("butter", ["Dairy & Eggs", "keyword", "butter", "0-6", "taxonomies/kroger.yaml:14", ""]),
      ("spinach chocolate", ["Snacks", "keyword", "chocolate", "8-17", "taxonomies/shelves/candy.txt:2", "spinach (Produce)"]),
      ("socks", ["Other", "none", "", "", "", ""]),
    ])
  func columns(item: String, expected: [String]) throws {
    let names = ["section", "strategy", "keyword", "span", "source", "runner_up"]
    let csv = try aisle("categorize", "--format", "csv", "--explain", input: "\(item)\n", in: folder).text.split(separator: "\n")
    try #require(csv.count == 2)
    #expect(csv[0] == "item,section,confidence,strategy,keyword,span,rule,source,runner_up,second_opinion")
    let values = csv[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let columns = csv[0].split(separator: ",").map(String.init)
    try #require(values.count == columns.count)
    let row = Dictionary(uniqueKeysWithValues: zip(columns, values))
    #expect(row["item"] == item)
    #expect(names.map { row[$0] } == expected)
    let confidence = try #require(row["confidence"].flatMap { Double($0) })
    #expect(row["strategy"] == "none" ? confidence == 0 : 0.5...1 ~= confidence)
    #expect(row["rule"]?.isEmpty == (row["strategy"] == "none"))

    let tsv = try aisle("categorize", "--explain", input: "\(item)\n", in: folder).text
    #expect(tsv == values.joined(separator: "\t") + "\n")

    let json = try aisle("categorize", "--format", "jsonl", "--explain", input: "\(item)\n", in: folder).output
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["confidence"] as? Double == confidence)
    for (name, value) in row where name != "confidence" {
      #expect(object[name] as? String == (value.isEmpty ? nil : value))
    }
  }

  @Test("The span counts the item's bytes, also before decoding changed them")
  func spanOfDecoded() throws {
    let input = #"{"item":"\u00e9\u00e9 kale"}"#
    let finished = try aisle("categorize", "--input-format", "jsonl", "--explain", input: input, in: folder)
    #expect(finished.text.contains(#""span":"5-9""#))
  }

  @Test("The list explains in words")
  func list() throws {
    let text = try aisle("categorize", "--format", "list", "--explain", input: "kale\nsocks\n", in: folder).text
    #expect(text.contains("keyword · `kale` taxonomies/shelves/greens.txt:2 · "))
    #expect(text.contains("  socks  no strategy decided\n"))
  }

  @Test("An oversized record has as many columns as any other", arguments: ["tsv", "csv"])
  func oversized(format: String) throws {
    let long = String(repeating: "z", count: 300_000)
    let finished = try aisle("categorize", "--explain", "--format", format, input: "kale\n\(long)\n", in: folder)
    let lines = finished.text.split(separator: "\n").map { line in line.filter { $0 == (format == "csv" ? "," : "\t") }.count }
    #expect(Set(lines) == [9])
  }

  @Test("A substring match names its keyword too")
  func substring() throws {
    let text = try aisle("categorize", "--mode", "substring", "--explain", input: "xmilkx\n", in: folder).text
    #expect(text.contains("\tmilk\t1-5\t"))
    #expect(text.contains("\ttaxonomies/shelves/milk.txt:2\t"))
  }

  @Test(
    "The summary counts items, sections and strategies on standard error and leaves the results alone",
    arguments: ["tsv", "jsonl", "csv", "list"])
  func summary(format: String) throws {
    let input = "kale\nmilk\nspinach\nsocks\n"
    let plain = try aisle("categorize", "--format", format, input: input, in: folder)
    let finished = try aisle("categorize", "--format", format, "--summary", input: input, in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.output == plain.output)
    let lines = finished.diagnostics.split(separator: "\n").map(String.init)
    try #require(lines.count == 5)
    #expect(lines[0].hasPrefix("4 items in "))
    let words = lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(words[1...3] == ["Produce 50.0% 2", "Dairy & Eggs 25.0% 1", "Other 25.0% 1"])
    #expect(words[4] == "decided by: keyword 3, none 1")
  }

  @Test("The summary counts bad records, and has a word for none and one")
  func summaryOfLittle() throws {
    let bad = try aisle("categorize", "--summary", "--input-format", "jsonl", input: "{\"item\":\"kale\"}\nx\n", in: folder)
    #expect(bad.diagnostics.hasSuffix("bad records: 1\n"))
    #expect(try aisle("categorize", "--summary", in: folder).diagnostics.hasPrefix("0 items in "))
    #expect(try aisle("categorize", "--summary", input: "kale", in: folder).diagnostics.hasPrefix("1 item in "))
  }
}
