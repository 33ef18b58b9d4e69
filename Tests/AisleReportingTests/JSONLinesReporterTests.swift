import Foundation
import Testing

@testable import AisleReporting

@Suite("The jsonl report")
struct JSONLinesReporterTests {
  @Test("An item a line, in the order of the corpus")
  func golden() async throws {
    expectGolden(JSONLinesReporter().write(try await SampleReport.make()), "report.jsonl")
  }

  @Test("Its lines are the items of the json report")
  func sameAsJSON() async throws {
    for report in [
      try await SampleReport.make(),
      try await HostileReport.make(["milk \"1\"", "milk\u{2028}2", "milk\u{1B}3"], corpus: HostileReport.name),
    ] {
      let lines = try JSONLinesReporter().write(report).split(separator: 0x0A).map { try JSONValue($0) }
      #expect(lines.count == report.evaluation.items.count)
      #expect(try JSONValue(JSONReporter().write(report))["items"] == .array(lines))
    }
  }

  @Test("Each line has the evidence that explains the answer, also when many items share it")
  func evidence() async throws {
    let kinds = ["bread", "milk", "frozen milk", "dried milk", "milk bread"]
    let report = try await HostileReport.make((0..<5000).map { "\(kinds[$0 % kinds.count]) \($0)" })
    let evaluation = report.evaluation
    let lines = try JSONLinesReporter().write(report).split(separator: 0x0A).map { try JSONValue($0) }
    #expect(Set(lines.compactMap { $0["rule"]?.text }).count > 2)
    for (line, item) in zip(lines, evaluation.items) {
      let explanation = evaluation.explanation(item)
      try #require(line["item"] == .text(evaluation.text(item)))
      try #require(line["strategy"] == .text(explanation.strategy))
      try #require(line["keyword"] == (explanation.keyword.isEmpty ? .null : .text(explanation.keyword)))
      try #require(line["rule"] == (explanation.rule.isEmpty ? .null : .text(explanation.rule)))
      try #require(line["source"] == (explanation.sourceText.isEmpty ? .null : .text(explanation.sourceText)))
    }
  }

  @Test("No item, no line")
  func empty() async throws {
    #expect(JSONLinesReporter().write(try await HostileReport.make([])) == [])
  }
}
