import AisleEvaluation

/// One page that needs no network: the scores with their uncertainty, the confusion matrix, every error with its evidence, and the
/// changes since the baseline.
///
/// The page works without JavaScript. With it, matrix cells and a search box filter the errors. The page's policy lets only its own
/// script run, whatever an item or a keyword contains.
public struct HTMLReporter: Reporter {
  /// The most rows of errors, and of each kind of flip, on the page; it says how many are left out.
  public let rowLimit: Int

  /// Makes a reporter.
  public init(rowLimit: Int = 5000) { self.rowLimit = rowLimit }

  /// The report as a page.
  public func write(_ report: Report) -> [UInt8] { Array(HTMLPage(report, rowLimit: rowLimit).document.text.utf8) }

  /// The report about a change as a page.
  public func write(_ report: ChangeReport) -> [UInt8] { Array(HTMLDocument(report, rowLimit: rowLimit).markup.text.utf8) }
}
