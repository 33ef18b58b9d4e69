import AisleEvaluation

/// One page that needs no network: figures with their uncertainty, the confusion matrix, every error with its evidence, and what
/// changed since the baseline.
///
/// Everything is on the page without JavaScript; with it, a cell of the matrix and a search box filter the errors. The page's policy
/// lets no script run but its own, whatever an item or a keyword says.
public struct HTMLReporter: Reporter {
  /// The most rows of errors, and of each kind of flip, that the page holds; it says how many it leaves out.
  public let rowLimit: Int

  /// Makes a reporter.
  public init(rowLimit: Int = 5000) { self.rowLimit = rowLimit }

  /// The report as a page.
  public func write(_ report: Report) -> [UInt8] { Array(HTMLPage(report, rowLimit: rowLimit).document.text.utf8) }
}
