import AisleEvaluation
import Foundation
import Testing

@testable import AisleReporting

@Suite("The json report")
struct JSONReporterTests {
  /// Times differ from run to run.
  static let times = [(regex: #""seconds": ?[0-9.]+"#, replacement: #""seconds":0"#)]

  private static func schema(_ name: String = "report") throws -> JSONValue {
    try JSONValue(Data(contentsOf: Golden.project.appending(path: "docs/\(name).schema.json")))
  }

  @Test("It has everything")
  func golden() async throws {
    expectGolden(JSONReporter().write(try await SampleReport.make()), "report.json", masking: Self.times)
  }

  @Test("What was not asked for is null")
  func plain() async throws {
    let report = try JSONValue(JSONReporter().write(try await SampleReport.make(isPlain: true)))
    for name in ["comparison", "ablation", "repeats"] { #expect(report[name] == .null, "\(name)") }
    #expect(report["gate"] == .object(["passed": .flag(true), "verdicts": .array([])]))
  }

  @Test("The schema describes it, also where figures are not defined and where texts are hostile")
  func schemaHolds() async throws {
    let check = JSONSchemaCheck(try Self.schema())
    #expect(check.findings(try JSONValue(try Golden.read("report.json"))) == [])
    for report in [
      try await SampleReport.make(), try await SampleReport.make(isPlain: true), try await HostileReport.make([]),
      try await HostileReport.make(["milk \u{7F} \"a\" \\ \u{2028}"], hasBaseline: true, corpus: HostileReport.name),
    ] {
      #expect(check.findings(try JSONValue(JSONReporter().write(report))) == [])
    }
  }

  @Test("What changed between two baselines has a schema too")
  func comparison() async throws {
    let check = JSONSchemaCheck(try Self.schema("comparison"), partsOf: try Self.schema())
    let report = try await SampleReport.make()
    let written = try JSONValue(JSONReporter().write(try await SampleReport.change()))
    #expect(check.findings(written) == [])
    #expect(written["comparison"] == (try JSONValue(JSONReporter().write(report)))["comparison"])
    #expect(
      check.findings(.object(written.members.merging(["comparison": .flag(true)]) { $1 })) == [
        "$.comparison: boolean, not object"
      ])
  }

  @Test("A share of nothing is null, never NaN")
  func undefined() async throws {
    let bytes = JSONReporter().write(try await HostileReport.make([]))
    let report = try JSONValue(bytes)
    #expect(report["metrics"]?["accuracy"]?["value"] == .null)
    #expect(report["metrics"]?["macro_f1"] == .null)
    #expect(report["metrics"]?["calibration"]?["expected_error"] == .null)
    #expect(report["items"] == .array([]))
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    #expect(!text.contains(":nan") && !text.contains(": nan") && !text.contains("inf,"))
  }

  @Test(
    "The schema refuses what is not as it says",
    arguments: [
      (#""version": 1"#, #""version": 2"#), (#""version": 1"#, #""version": 1, "extra": 1"#), (#""right":true"#, #""right":1"#),
      (#""confidence":0"#, #""confidence":1"#), (#""tool": "0.1.0""#, #""tools": "0.1.0""#), (#""p_value":"#, #""p_value":-"#),
      (#""split":"tune""#, #""split":"other""#), (#""location":"corpus/lists.tsv:2""#, #""location":"corpus/lists.tsv""#),
      (#""expected":["Produce"]"#, #""expected":[]"#), (#""count":1,"#, #""count":1.5,"#),
    ])
  func schemaRefuses(_ part: String, _ other: String) throws {
    let text = String(decoding: try Golden.read("report.json"), as: UTF8.self)
    let place = try #require(text.range(of: part), "the golden report has no \(part)")
    let changed = text.replacingCharacters(in: place, with: other)
    #expect(JSONSchemaCheck(try Self.schema()).findings(try JSONValue(Array(changed.utf8))) != [])
  }

  @Test("The schema lets no field pass that it does not name, demands each, and describes each")
  func schemaIsComplete() throws {
    let schema = try Self.schema()
    var objects = 0
    func visit(_ part: JSONValue, _ place: String) {
      if let properties = part["properties"]?.members {
        objects += 1
        #expect(part["additionalProperties"] == .flag(false), "\(place)")
        let required = Set(part["required"]?.elements.compactMap(\.text) ?? [])
        #expect(required == Set(properties.keys), "\(place)")
        for (name, property) in properties {
          let referred = property["$ref"]?.text.flatMap { schema["$defs"]?[$0.replacingOccurrences(of: "#/$defs/", with: "")] }
          #expect(property["description"] != nil || referred?["description"] != nil, "\(place).\(name) has no description")
        }
      }
      for (name, child) in part.members { visit(child, "\(place).\(name)") }
      for child in part.elements { visit(child, place) }
    }
    visit(schema, "$")
    #expect(objects > 15)
  }

  @Test(
    "Figures are rounded to six decimals",
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1, "1"), (0.5, "0.5"), (2.0 / 3, "0.666667"), (-0.0526315789, "-0.052632"), (0.0000004, "0"),
      (0.000001, "0.000001"), (12.3000001, "12.3"), (0.9999999, "1"), (1e9, "1000000000"), (.nan, "null"), (.infinity, "null"),
      (-.infinity, "null"), (1e300, "1e+300"),
    ] as [(Double, String)])
  func figures(_ value: Double, _ text: String) {
    let output = ReportBuffer()
    output.append(figure: value)
    #expect(String(decoding: output.bytes, as: UTF8.self) == text)
  }
}
