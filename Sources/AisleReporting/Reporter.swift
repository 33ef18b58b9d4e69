/// Writes a report in one format.
///
/// A reporter gives the same bytes for the same report, whatever the locale, the time and the machine; only the times that an
/// evaluation took differ from run to run. Text of the corpus and of strategies is untrusted: a reporter escapes it.
public protocol Reporter: Sendable {
  /// The report as the bytes of a file.
  func write(_ report: Report) -> [UInt8]
}

/// The formats that reports are written in.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// A screen for people.
  case text
  /// One JSON object with everything; `docs/report.schema.json` describes it.
  case json
  /// A JSON object an item.
  case jsonl
  /// A job summary of at most 1 MiB.
  case markdown
  /// Test results, as build servers read them.
  case junit
  /// Annotations of lines in a pull request.
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
