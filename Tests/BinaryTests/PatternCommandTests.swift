import Foundation
import Testing

/// Patterns from end to end: checked by `aisle stores check`, used by `aisle categorize`.
@Suite struct PatternCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let pattern = """
    patterns:
      - name: percent
        shelf: milk
        expression: '^\\d%$'
        matches: ["2%", "1%"]
        rejects: ["12%", "2% off"]

    """

  private func write(_ text: String) throws { try folder.write(text, to: "taxonomies/patterns/dairy.yaml") }

  @Test("A pattern decides what keywords cannot, and the explanation names it with its file and line")
  func explained() throws {
    try write(Self.pattern)
    let lines = try aisle("categorize", "--explain", "--store", "kroger", input: "2%\n12%\nmilk 2%\n", in: folder).text.split(
      separator: "\n")
    #expect(
      lines == [
        "2%\tDairy & Eggs\t0.90\tregex\tpercent\t0-2\tpattern\ttaxonomies/patterns/dairy.yaml:4\t\t",
        "12%\tOther\t0.00\tnone\t\t\t\t\t\t",
        try #require(lines.last),
      ])
    #expect(lines.last?.hasPrefix("milk 2%\tDairy & Eggs") == true && lines.last?.contains("\tkeyword\tmilk\t") == true)
    let corner = try aisle("categorize", "--store", "corner", input: "2%\n", in: folder)
    #expect(corner.text == "2%\tFront\n", "shared by every store that has the shelf")
  }

  @Test("A pattern below the chain's threshold decides only where the keywords abstain")
  func unsure() throws {
    try write(Self.pattern.replacingOccurrences(of: "matches", with: "confidence: 0.5\n    matches"))
    try write(
      Self.pattern.replacingOccurrences(of: "^\\d%$", with: "\\d%|kale").replacingOccurrences(
        of: "matches: [\"2%\"", with: "confidence: 0.5\n    matches: [\"kale\""
      ).replacingOccurrences(of: "\"12%\", \"2% off\"", with: "\"x\""))
    let finished = try aisle("categorize", input: "kale\n2% x\n", in: folder)
    #expect(finished.text == "kale\tProduce\n2% x\tDairy & Eggs\n", "\(finished.diagnostics)")
  }

  @Test(
    "`stores check` holds patterns against their examples, at path:line:column",
    arguments: [
      (
        "'^\\d%'",
        ":6:22: `2% off` is matched by pattern `percent`, at `2%`; correct the expression or move the example to `matches`"
      ),
      (
        "'^\\d%(?! off)(?<=2%)$'",
        ":5:21: `1%` is not matched by pattern `percent`; correct the expression or move the example to `rejects`"
      ),
      ("'^\\d%($'", ":4:24: pattern `percent` is not a valid regular expression: missing closing parenthesis"),
      ("^\\d%[$", ":4:23: pattern `percent` is not a valid regular expression: missing terminating ] for character class"),
      ("'\\d%\\C'", ":4:23: pattern `percent` is not a valid regular expression: using \\C is disabled by the application"),
    ])
  func examples(expression: String, message: String) throws {
    try write(Self.pattern.replacingOccurrences(of: "'^\\d%$'", with: expression))
    let finished = try aisle("stores", "check", "kroger", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(finished.text.contains("taxonomies/patterns/dairy.yaml\(message)\n"), "\(finished.text)")
  }

  @Test("An example that another pattern decides first, or that is too long, is a finding")
  func overruled() throws {
    let other = """
        - name: percents
          shelf: candy
          expression: '%'
          confidence: 0.95
          matches: ["x%"]
          rejects: ["x"]

      """
    try write(Self.pattern + other)
    let finished = try aisle("stores", "check", "kroger", in: folder)
    #expect(finished.ending == .exited(1))
    let place = "taxonomies/patterns/dairy.yaml"
    #expect(
      finished.text.contains(
        "\(place):5:15: `2%` is decided by pattern `percents` (Snacks) at \(place):9:18 first; change the confidence of one of them\n"
      ),
      "\(finished.text)")
    try write(Self.pattern.replacingOccurrences(of: "\"12%\"", with: "\"\(String(repeating: "x", count: 257))\""))
    #expect(
      try aisle("stores", "check", "kroger", in: folder).text
        == "\(place):6:15: the example has more than 256 bytes, and patterns skip such items; shorten it\n")
  }

  @Test("A pattern that runs away is given up with one warning, and the next strategy answers")
  func runaway() throws {
    try write(Self.pattern.replacingOccurrences(of: "'^\\d%$'", with: "'(?#)(\\w+\\s?)+[%#]$'"))
    let item = "kale " + String(repeating: "a", count: 60) + "!"
    for chain in ["regex,keyword", "regex(jit=off),keyword"] {
      let finished = try aisle(
        "categorize", "--chain", chain, input: String(repeating: item + "\n", count: 2000), in: folder)
      #expect(finished.ending == .exited(0))
      #expect(finished.text == String(repeating: "\(item)\tProduce\n", count: 2000))
      #expect(
        finished.diagnostics
          == "aisle: taxonomies/patterns/dairy.yaml:4:18: pattern `percent` was abandoned on an item: match limit exceeded; rewrite it so that fewer parts can match in several ways\n"
      )
    }
  }

  @Test("A broken pattern is told once, and the others go on")
  func broken() throws {
    try write(Self.pattern.replacingOccurrences(of: "'^\\d%$'", with: "'^\\d%(x'"))
    let finished = try aisle("categorize", input: "2%x\nkale\n2%x\n", in: folder)
    #expect(finished.text == "2%x\tOther\nkale\tProduce\n2%x\tOther\n")
    #expect(
      finished.diagnostics
        == "aisle: taxonomies/patterns/dairy.yaml:4:24: pattern `percent` is not a valid regular expression: missing closing parenthesis\n"
    )
  }

  @Test("An evaluation and its baseline name the pattern that decided each item, and a removed pattern as what made it wrong")
  func evaluated() throws {
    try write(
      Self.pattern
        + Self.pattern.replacingOccurrences(of: "patterns:\n", with: "").replacingOccurrences(
          of: "percent", with: "sweet"
        ).replacingOccurrences(of: "shelf: milk", with: "shelf: candy").replacingOccurrences(
          of: "^\\d%$", with: "^\\d¢$"
        ).replacingOccurrences(of: "\"2%\", \"1%\"", with: "\"5¢\""))
    try folder.write("1%\tmilk\tplain\n5¢\tcandy\tplain\n", to: "corpus/lists.tsv")
    let blessed = try aisle("bless", "--baseline", "baseline.json", in: folder)
    #expect(blessed.ending == .exited(0), "\(blessed.diagnostics)")
    let baseline = try String(contentsOfFile: "\(folder.path)/baseline.json", encoding: .utf8)
    #expect(baseline.contains("percent (pattern)") && baseline.contains("sweet (pattern)"), "\(baseline)")
    try FileManager.default.removeItem(atPath: "\(folder.path)/taxonomies/patterns/dairy.yaml")
    let text = try aisle("eval", "--baseline", "baseline.json", in: folder).text
    #expect(text.contains("percent (pattern)") && text.contains("sweet (pattern)"), "\(text)")
  }

  @Test("What was cached has the patterns too, and is not used once they change")
  func cached() throws {
    try write(Self.pattern)
    let cache = ["AISLE_CACHE": folder.path + "/cache"]
    Thread.sleep(forTimeInterval: 3.1)  // Files that just changed are not cached yet.
    for _ in 0..<2 {
      #expect(try aisle("categorize", input: "2%\n", in: folder, environment: cache).text == "2%\tDairy & Eggs\n")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache").count == 1)
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache").first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/cache/\(file)"))
    bytes[bytes.count / 2] ^= 0xFF
    try folder.write(bytes, to: "cache/\(file)")
    #expect(try aisle("categorize", input: "2%\n", in: folder, environment: cache).text == "2%\tDairy & Eggs\n")
    try write(Self.pattern.replacingOccurrences(of: "shelf: milk", with: "shelf: candy"))
    #expect(try aisle("categorize", input: "2%\n", in: folder, environment: cache).text == "2%\tSnacks\n")
  }
}
