import Foundation
import Testing

@testable import AisleReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A report about a change")
struct ChangeReportTests {
  private static let names: [(format: ReportFormat, name: String)] = [
    (.text, "change.txt"), (.brief, "change.brief.txt"), (.json, "change.json"), (.jsonl, "change.jsonl"),
    (.markdown, "change.md"),
    (.junit, "change.xml"), (.github, "change.github.txt"), (.html, "change.html"),
  ]

  @Test("Every format has one", arguments: names)
  func golden(format: ReportFormat, name: String) async throws {
    #expect(Self.names.count == ReportFormat.allCases.count)
    expectGolden(format.reporter(style: .plain).write(try await SampleReport.change()), name)
  }

  @Test("The short text of a whole report has ten lines at most, with and without a baseline", arguments: [false, true])
  func brief(isPlain: Bool) async throws {
    let bytes = BriefReporter().write(try await SampleReport.make(isPlain: isPlain))
    expectGolden(bytes, isPlain ? "brief.plain.txt" : "brief.txt")
    #expect(bytes.count { $0 == 0x0A } <= BriefReporter.lineLimit)
  }

  @Test("Every line of the JSON lines is an object with the kind of its change")
  func lines() async throws {
    let report = try await SampleReport.change()
    let lines = JSONLinesReporter().write(report).split(separator: 0x0A)
    let kinds = try lines.map { try JSONValue(Array($0))["change"] }
    let comparison = report.comparison
    #expect(kinds.count { $0 == .text("lost") } == comparison.lost.count)
    #expect(kinds.count { $0 == .text("won") } == comparison.won.count)
    #expect(kinds.count { $0 == .text("moved") } == comparison.moved.count)
  }

  @Test("The test results are XML whose counts are right")
  func junit() async throws {
    let report = try await SampleReport.change()
    for failing in JUnitReporter.Failing.allCases {
      let document = try XMLDocument(data: Data(JUnitReporter(failing: failing).write(report)))
      let root = try #require(document.rootElement())
      let cases = try root.nodes(forXPath: "//testcase").count
      #expect(root.attribute(forName: "tests")?.stringValue == "\(cases)")
      #expect(root.attribute(forName: "failures")?.stringValue == "\(try root.nodes(forXPath: "//failure").count)")
      #expect(root.attribute(forName: "skipped")?.stringValue == "\(try root.nodes(forXPath: "//skipped").count)")
      #expect(try root.nodes(forXPath: "//failure[@type='lost']").count == report.comparison.lost.count)
    }
  }
}
