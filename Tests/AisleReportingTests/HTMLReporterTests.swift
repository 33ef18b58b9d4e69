import AisleCore
import AisleEvaluation
import Foundation
import Testing

import AisleFiles
@testable import AisleReporting

@Suite("The page")
struct HTMLReporterTests {
  /// A page as text.
  static func page(_ report: Report, rowLimit: Int = 5000) -> String {
    String(decoding: HTMLReporter(rowLimit: rowLimit).write(report), as: UTF8.self)
  }

  /// How often a text stands in another.
  static func count(_ text: String, in page: String) -> Int { page.components(separatedBy: text).count - 1 }

  /// A part of a page, from its `<section>` to its end.
  static func part(_ id: String, of page: String) -> String? {
    guard let start = page.range(of: "<section id=\"\(id)\""),
      let end = page.range(of: "</section>", range: start.upperBound..<page.endIndex)
    else { return nil }
    return String(page[start.lowerBound..<end.upperBound])
  }

  @Test("It is the page on record")
  func golden() async throws {
    let time = (regex: #"\d+(\.\d+)? (µs|ms|s)\b"#, replacement: "TIME")
    expectGolden(HTMLReporter().write(try await SampleReport.make()), "report.html", masking: [time])
  }

  @Test("It has a part for all that a report holds, with links to each, and no part for what it lacks")
  func parts() async throws {
    let always = ["sections", "confusion", "errors", "calibration", "tags", "strategies"]
    let asked = ["changes", "ablation", "repeats"]
    let whole = Self.page(try await SampleReport.make())
    let plain = Self.page(try await SampleReport.make(isPlain: true))
    for id in always + asked {
      #expect(Self.part(id, of: whole) != nil && whole.contains("href=\"#\(id)\""), "\(id)")
      #expect((Self.part(id, of: plain) != nil) == always.contains(id), "\(id)")
      #expect(plain.contains("href=\"#\(id)\"") == always.contains(id), "\(id)")
    }
    #expect(whole.contains("The gate fails") && whole.contains("<title>FAILED: "))
    #expect(!plain.contains("The gate") && !plain.contains("FAILED"))
  }

  @Test("Each error has a row with what was expected, answered and why, and with the lines of both files")
  func errors() async throws {
    let report = try await SampleReport.make()
    let evaluation = report.evaluation
    let rows = try #require(Self.part("errors", of: Self.page(report))).components(separatedBy: "<tr data-pair=").dropFirst()
    #expect(rows.count == evaluation.errors.count && !rows.isEmpty)
    for (row, item) in zip(rows, evaluation.errors) {
      let explanation = evaluation.explanation(item)
      let location = evaluation.corpus.location(evaluation.entry(item))
      let texts =
        [evaluation.text(item), evaluation.name(item.answer), explanation.keyword, explanation.rule, explanation.runnerUp]
        + evaluation.accepted(item)
      for text in texts where !text.isEmpty { #expect(row.contains(("\(text)" as Markup).text)) }
      let plain = row.replacingOccurrences(of: "<wbr>", with: "")
      for place in [location, explanation.source].compactMap({ $0 }) {
        #expect(plain.contains("\(place.path):\(place.line)<"))
      }
      #expect(row.hasPrefix("\"\(item.truth.rawValue)-\(item.answer.rawValue)\""))
    }
  }

  @Test("What exceeds the limit of rows is counted")
  func limit() async throws {
    let report = try await SampleReport.make()
    let errors = report.evaluation.errors.count
    let part = try #require(Self.part("errors", of: Self.page(report, rowLimit: 1)))
    #expect(Self.count("<tr data-pair=", in: part) == 1)
    #expect(part.contains("\(errors) errors") && part.contains("\(errors - 1) left out"))
    #expect(!Self.page(report).contains("left out, --reporter"))
  }

  @Test("Each count of the confusion matrix off its diagonal names the pair that its errors carry")
  func pairs() async throws {
    let report = try await SampleReport.make()
    let page = Self.page(report)
    let matrix = report.evaluation.metrics.confusion
    let tables = try #require(Self.part("confusion", of: page)).components(separatedBy: "</table>")
    let (grid, list) = (tables[0], tables[1])
    let errors = try #require(Self.part("errors", of: page))
    for truth in matrix.names.indices {
      for answer in matrix.names.indices where truth != answer {
        let count = matrix[truth, answer]
        let mark = "data-pair=\"\(truth)-\(answer)\""
        for table in [grid, list] {
          #expect(table.contains("\(mark)>\(count)<") == (count > 0))
          #expect(table.contains(mark) == (count > 0))
        }
        #expect(Self.count(mark, in: errors) == count)
      }
    }
  }

  @Test("Nothing waits for JavaScript: all figures are in the page, and only the filter's controls are hidden")
  func scriptless() async throws {
    let report = try await SampleReport.make()
    let page = Self.page(report)
    let beforeScript = try #require(page.components(separatedBy: "<script>").first)
    #expect(Self.count(" hidden", in: beforeScript.components(separatedBy: "</style>").last ?? "") == 2)
    #expect(beforeScript.contains("role=\"search\" hidden>") && beforeScript.contains("id=\"error-clear\" hidden>"))
    let metrics = report.evaluation.metrics
    let headline = [
      Figures.percent(metrics.accuracy.value), Figures.percent(metrics.accuracy.interval),
      Figures.percent(metrics.unplaced.value),
      Figures.percent(metrics.sure.value), Figures.percent(metrics.sureAccuracy.interval), Figures.score(metrics.macroF1),
      Figures.score(metrics.calibration.expectedError), Figures.signedPoints(report.evaluation.splitDifference),
    ]
    let sections = metrics.sections.flatMap { [Figures.percent($0.precision), Figures.percent($0.recall), Figures.score($0.f1)] }
    let difference = try #require(report.comparison).difference
    let figures = [
      "headline": headline, "sections": sections,
      "calibration": metrics.calibration.bins.filter { $0.count > 0 }.map { Figures.percent($0.accuracy.interval) },
      "tags": report.evaluation.tags.map { Figures.percent($0.accuracy.interval) },
      "strategies": report.evaluation.strategies.map { Figures.percent($0.precision.value) },
      "changes": [Figures.pValue(difference.pValue), Figures.signedPoints(difference.interval)],
    ]
    for (id, figures) in figures {
      let part = try #require(Self.part(id, of: beforeScript))
      for figure in figures { #expect(part.contains(("\(figure)" as Markup).text), "\(figure) in \(id)") }
    }
    for flip in (report.comparison?.lost ?? []) + (report.comparison?.won ?? []) {
      let part = try #require(Self.part("changes", of: page))
      for text in [flip.after.item, flip.before.reason, flip.after.reason] where !text.isEmpty {
        #expect(part.contains(("\(text)" as Markup).text))
      }
    }
  }

  @Test("It loads nothing, and its policy lets only its own style and script run")
  func policy() async throws {
    let page = Self.page(try await SampleReport.make())
    for load in ["http://", "https://", "//", "src=", "url(", "@import", "@font-face", "<link", "<iframe", "data:", "style="] {
      let found = page.components(separatedBy: "\n").filter { $0.contains(load) && !$0.hasPrefix("  // ") }
      #expect(found.isEmpty, "\(load)")
    }
    func inside(_ tag: String) throws -> String {
      let start = try #require(page.range(of: "<\(tag)>"))
      let end = try #require(page.range(of: "</\(tag)>", range: start.upperBound..<page.endIndex))
      return String(page[start.upperBound..<end.lowerBound])
    }
    let policy =
      "default-src 'none'; style-src '\(SHA256.source(of: try inside("style")))'; "
      + "script-src '\(SHA256.source(of: try inside("script")))'; base-uri 'none'; form-action 'none'"
    let meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
    #expect(page.components(separatedBy: "\n").contains(meta))
    #expect(Self.count("<script", in: page) == 1 && Self.count("<style", in: page) == 1)
  }

  @Test("Every section's hue has a color")
  func hues() {
    for color in SectionColor.allCases { #expect(HTMLPage.style.text.contains(".\(color.rawValue) { --hue: ")) }
  }
}
