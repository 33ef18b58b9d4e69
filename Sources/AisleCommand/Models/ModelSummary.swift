import AisleCore
import LLMStrategy

/// What a run has spent on a language model and what that bought, for people.
enum ModelSummary {
  /// The summary as it is printed.
  static func render(_ strategy: LanguageModelStrategy) -> String {
    render(strategy.name, strategy.report, did: "decided")
  }

  /// The summary of what a model did to items.
  static func render(_ name: String, _ report: ModelReport, did: String) -> String {
    var text = line(name, report) + "\n"
    text += "  \(counted(report.decided, "item")) \(did)"
    if let spent = report.dollars, report.decided > 0 {
      text += ", \(most(report))$\(dollars(spent / Double(report.decided))) each"
    }
    let missed = report.abstained.values.reduce(0, +)
    if missed > 0 {
      text += "; \(missed) undecided: \(Undecided.list(report.abstained))"
    }
    if report.decided > report.asked {
      text += "; \(report.decided - report.asked) without a request"
      if report.cached > 0 { text += ", \(report.cached) of them from kept answers" }
    }
    return text + "\n"
  }

  /// What was spent, in one line.
  static func line(_ name: String, _ report: ModelReport) -> String {
    var text = "\(name): \(counted(report.requests, "request"))"
    if report.failures > 0 { text += " (\(report.failures) failed)" }
    text += ", \(most(report))\(report.tokens.input) tokens in"
    if report.tokens.cacheRead > 0 { text += " (\(report.tokens.cacheRead) of them cached by the provider)" }
    return text
      + " and \(report.tokens.output) out, \(report.dollars.map { "\(most(report))$\(dollars($0))" } ?? "price unknown")"
  }

  /// What stands before figures that are partly reckoned, since a server did not say what a request took.
  private static func most(_ report: ModelReport) -> String { report.estimated > 0 ? "at most " : "" }

  /// An amount with two decimals, or the first two digits that count: `12.30`, `0.0051`.
  static func dollars(_ amount: Double) -> String { ModelPrice.text(dollars: amount) }
}

extension LanguageModelStrategy {
  /// What it left undecided, and what to do, in one line; `nil` where it left nothing.
  var undecided: String? { Undecided.line(report.abstained).map { "\(name): \($0)" } }
}
