import AisleCore
@testable import AisleEvaluation
import AisleFiles
import Foundation
import Testing

@Suite("A baseline keeps every answer")
struct BaselineTests {
  private static let hostile = "milk\"} \\ \u{1} \u{7F} é 日本 🥛\u{202E}"

  private func sample() -> Baseline {
    ScriptedStore.baseline([
      ScriptedStore.answer("zucchini", ["Alpha"], "Alpha"), ScriptedStore.answer(Self.hostile, ["Alpha", "Beta"], "Gamma"),
      ScriptedStore.answer("apple", ["Alpha"], "Beta"), ScriptedStore.answer("apple", ["Alpha"], "Beta"),
    ])
  }

  @Test("What is written is read again, the same")
  func roundTrip() throws {
    let baseline = sample()
    let bytes = BaselineFile.write(baseline)
    let again = try BaselineFile.parse(bytes, path: "b.json")
    #expect(again.header == baseline.header)
    #expect(again.answers.elementsEqual(baseline.answers))
    #expect(BaselineFile.write(again) == bytes)
  }

  @Test("It is JSON with one answer a line, sorted by the items' bytes")
  func form() throws {
    let text = String(decoding: BaselineFile.write(sample()), as: UTF8.self)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["version"] as? Int == 1)
    #expect(object["right"] as? Int == 1)
    #expect((object["answers"] as? [[String: Any]])?.count == 4)
    let items = text.split(separator: "\n").filter { $0.hasPrefix("    {") }
    #expect(items.count == 4)
    #expect(items.prefix(2).allSatisfy { $0.hasPrefix("    {\"item\":\"apple\"") })
    #expect(items.last?.contains("zucchini") == true)
  }

  @Test(
    "What is no baseline of this version is refused with the place and a remedy",
    arguments: [
      ("", "b.json:1:1: bad JSON: expected `{`; `aisle bless` writes baselines"),
      ("{\"a\": 1}", "b.json: not a baseline: a field is missing; write it again with `aisle bless`"),
      (
        "{\n\"format\": \"aisle-baseline\",\n\"version\": 2}",
        "b.json:3:12: the baseline has version 2, not 1; write it again with `aisle bless`"
      ),
      (
        "{\"format\": \"aisle-baseline\", \"version\": 1e300}",
        "b.json:1:41: the baseline has version 1e+300, not 1; write it again with `aisle bless`"
      ),
      ("{\"format\": \"other\"}", "b.json:1:12: not a baseline but `other`; `aisle bless` writes baselines"),
      (
        "{\"format\": \"aisle-baseline\", \"version\": 1,\n\"answers\": [{\"item\": \"a\"}]}",
        "b.json:2:13: an answer needs \"item\", \"expected\", and \"section\""
      ),
      ("{\"format\": \"aisle-baseline\"", "b.json:1:28: bad JSON: expected `}`"),
      (
        #"{"format": "aisle-baseline", "version": 1, "tool": "", "store": "", "chain": "", "taxonomy": "", "corpus": ""}"#,
        "b.json: not a baseline: a field is missing; write it again with `aisle bless`"
      ),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: Finding.self) { try BaselineFile.parse(Array(text.utf8), path: "b.json") }
    #expect(error?.description == message)
  }

  @Test("Any cut of a baseline is refused, none crashes")
  func cuts() {
    let bytes = BaselineFile.write(sample())
    for count in 0..<(bytes.count - 2) {
      #expect(throws: Finding.self) { try BaselineFile.parse(Array(bytes[..<count]), path: "b.json") }
    }
  }

  @Test("An evaluation's baseline has its answers and reasons")
  func ofEvaluation() async throws {
    let evaluation = try await ScriptedStore.evaluate("beta two\tAlpha\tx\nalpha\tAlpha|Beta\tx\nwhat\tGamma\tx\n")
    let baseline = Baseline(evaluation, tool: "1.2.3")
    #expect(baseline.header.tool == "1.2.3")
    #expect(baseline.answers.map(\.item) == ["alpha", "beta two", "what"])
    #expect(baseline.answers.map(\.section) == ["Alpha", "Beta", "Other"])
    #expect(baseline.answers.map(\.strategy) == ["keyword", "keyword", "none"])
    #expect(baseline.answers[0].expected == ["Alpha", "Beta"])
    #expect(baseline.answers[0].reason == "alpha (only)")
    #expect(baseline.answers[0].source?.description == "shelves/alpha-shelf.txt:1:1")
    #expect(baseline.answers[1].location?.description == "corpus/test.tsv:1")
    #expect(baseline.accuracy == Proportion(1, of: 3))
  }

  @Test("The taxonomy's fingerprint tells other keywords and patterns, not other lines")
  func fingerprint() {
    func fingerprint(_ lines: String, pattern: String? = nil, confidence: Float = 0.9) -> UInt64 {
      var builder = TaxonomyBuilder(store: "tiny", name: "Tiny")
      let food = builder.addSection(Section(name: "Food", color: .red))
      Array(lines.utf8).withUnsafeBufferPointer { builder.addShelf("food", text: $0, path: "food.txt", section: food) }
      if let pattern {
        let example = Pattern.Example("x", at: AisleCore.SourceLocation(path: "food.yaml"))
        builder.addPattern(
          .section(food), name: "p", expression: pattern, confidence: confidence, matches: [example], rejects: [example],
          expressionAt: example.location, at: example.location)
      }
      return Fingerprint.of(builder.build())
    }
    #expect(fingerprint("milk\nkale\n") == fingerprint("# a comment\nkale\n\nmilk\n"))
    #expect(fingerprint("milk\n") != fingerprint("~milk\n"))
    #expect(fingerprint("milk\n") != fingerprint("milks\n"))
    #expect(fingerprint("milk\n", pattern: "a") == fingerprint("milk\n", pattern: "a"))
    #expect(fingerprint("milk\n", pattern: "a") != fingerprint("milk\n"))
    #expect(fingerprint("milk\n", pattern: "a") != fingerprint("milk\n", pattern: "b"))
    #expect(fingerprint("milk\n", pattern: "a") != fingerprint("milk\n", pattern: "a", confidence: 0.8))
  }
}
