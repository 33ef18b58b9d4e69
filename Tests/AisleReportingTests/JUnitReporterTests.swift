import AisleEvaluation
import Foundation
import Testing

@testable import AisleReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The junit report")
struct JUnitReporterTests {
  @Test("A suite a section, a test an item, and the gate")
  func golden() async throws {
    let times = [(regex: #" time="[0-9.]+""#, replacement: #" time="0""#)]
    expectGolden(JUnitReporter(failing: .all).write(try await SampleReport.make()), "report.xml", masking: times)
  }

  @Test("Its counts are those of the evaluation")
  func counts() async throws {
    let report = try await SampleReport.make()
    let accuracy = report.evaluation.metrics.accuracy
    let document = try XMLReading(JUnitReporter(failing: .all).write(report))
    let failed = report.verdicts.count { !$0.isPassed }
    #expect(document.suites["gate"]?.count == report.verdicts.count)
    #expect(document.cases.count == accuracy.total + report.verdicts.count)
    #expect(document.failures.count == accuracy.total - accuracy.count + failed)
    #expect(document.totals["tests"] == "\(document.cases.count)")
    #expect(document.totals["failures"] == "\(document.failures.count)")
    #expect(document.failures.contains { $0["type"] == "lost" })
  }

  @Test("What fails is what the gate finds; other wrong answers are skipped")
  func failingGate() async throws {
    let report = try await SampleReport.make()
    let accuracy = report.evaluation.metrics.accuracy
    for isGreen in [false, true] {
      var gate = Gate()
      (gate.tolerance, gate.isStrict) = (1, !isGreen)
      let verdicts = gate.judge(report.evaluation, against: report.comparison)
      let judged = Report(
        tool: report.tool, evaluation: report.evaluation, comparison: report.comparison, verdicts: verdicts)
      let document = try XMLReading(JUnitReporter().write(judged))
      let lost = isGreen ? 0 : try #require(report.comparison?.lost.count)
      #expect(isGreen || lost > 0)
      #expect(document.failures.count == lost + (isGreen ? 0 : 1))
      #expect(document.totals["failures"] == "\(document.failures.count)")
      #expect(document.totals["skipped"] == "\(accuracy.total - accuracy.count - lost)")
    }
  }

  @Test("Any text makes well-formed XML 1.0 and comes back as it was, but for what XML cannot hold")
  func hostile() async throws {
    let items = [
      "milk ]]> <!-- <![CDATA[ &amp; \"q\" 'a'", "milk \u{1B}[31m\u{8}", "milk \u{FFFF}\u{FFFE}\u{85}\u{10FFFF}", "milk 🥛",
    ]
    for hasBaseline in [false, true] {
      let report = try await HostileReport.make(items, hasBaseline: hasBaseline, corpus: HostileReport.name)
      let document = try XMLReading(JUnitReporter(failing: .all).write(report))
      let names = document.cases.filter { $0["classname"] != "gate" }.compactMap { $0["name"] }
      #expect(names == items.map(Escaping.visible))
      #expect(document.failures.count { $0["type"] == (hasBaseline ? "lost" : "wrong") } == items.count)
      let name = Escaping.visible(HostileReport.name)
      #expect(document.failures.first { $0["type"] != "gate" }?["message"] == "expected Right, got \(name)")
      #expect(document.texts.contains { $0.contains("because: milk") && $0.contains("]]>") })
    }
  }
}

/// A junit file as a parser sees it.
private final class XMLReading: NSObject, XMLParserDelegate {
  private(set) var totals: [String: String] = [:]
  private(set) var suites: [String: [String]] = [:]
  private(set) var cases: [[String: String]] = []
  private(set) var failures: [[String: String]] = []
  private(set) var texts: [String] = []
  private var suite = ""
  private var text = ""

  init(_ bytes: [UInt8]) throws {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    try #require(parser.parse(), "line \(parser.lineNumber): \(String(describing: parser.parserError))")
  }

  func parser(
    _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?, attributes: [String: String]
  ) {
    text = ""
    switch name {
    case "testsuites": totals = attributes
    case "testsuite": suite = attributes["name"] ?? ""
    case "testcase":
      cases.append(attributes)
      suites[suite, default: []].append(attributes["name"] ?? "")
    case "failure": failures.append(attributes)
    case "skipped": break
    default: Issue.record("unknown element \(name)")
    }
  }

  func parser(_: XMLParser, foundCharacters text: String) { self.text += text }

  func parser(_: XMLParser, didEndElement name: String, namespaceURI _: String?, qualifiedName _: String?) {
    if name == "failure" { texts.append(text) }
  }
}
