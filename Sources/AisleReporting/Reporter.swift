/// Writes a report in one format.
///
/// A reporter writes the same bytes for the same report, whatever the locale, time, and machine; only the durations of an evaluation
/// differ from run to run. Text from the corpus and from strategies is untrusted, and a reporter escapes it.
public protocol Reporter: Sendable {
  /// The report as the bytes of a file.
  func write(_ report: Report) -> [UInt8]

  /// The report about a change as the bytes of a file.
  func write(_ report: ChangeReport) -> [UInt8]
}

/// The report formats.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// Text for a terminal.
  case text
  /// Text of at most ten lines: what the gate finds and what changed.
  case brief
  /// One JSON object with everything; `docs/report.schema.json` describes it.
  case json
  /// One JSON object per item.
  case jsonl
  /// A job summary of at most 1 MiB.
  case markdown
  /// Test results for build servers.
  case junit
  /// Annotations on lines of a pull request.
  case github
  /// One page that needs no network.
  case html

  /// The reporter of the format.
  ///
  /// - Parameters:
  ///   - style: How text is colored; the other formats have no color.
  ///   - shown: How many errors, and flips of a kind, text shows.
  ///   - failing: Which items fail in test results.
  package func reporter(
    style: Style, shown: Int = TextReporter.standardCount, failing: JUnitReporter.Failing = .lost
  ) -> any Reporter {
    switch self {
    case .text: TextReporter(style: style, shown: shown)
    case .brief: BriefReporter(style: style)
    case .json: JSONReporter()
    case .jsonl: JSONLinesReporter()
    case .markdown: MarkdownReporter()
    case .junit: JUnitReporter(failing: failing)
    case .github: GitHubReporter()
    case .html: HTMLReporter()
    }
  }
}
