/// Writes a report in one format.
///
/// A reporter writes the same bytes for the same report, whatever the locale, time, and machine; only the durations of an evaluation
/// differ from run to run. Text from the corpus and from strategies is untrusted, and a reporter escapes it.
public protocol Reporter: Sendable {
  /// The report as the bytes of a file.
  func write(_ report: Report) -> [UInt8]
}

/// The report formats.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// Text for a terminal.
  case text
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
  /// - Parameter style: How text is colored; the other formats have no color.
  package func reporter(style: Style) -> any Reporter {
    switch self {
    case .text: TextReporter(style: style)
    case .json: JSONReporter()
    case .jsonl: JSONLinesReporter()
    case .markdown: MarkdownReporter()
    case .junit: JUnitReporter()
    case .github: GitHubReporter()
    case .html: HTMLReporter()
    }
  }
}
