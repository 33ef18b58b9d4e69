import AisleCore
import AisleEvaluation

/// Text of at most ten lines: what the gate finds, what changed, and how much is right.
///
/// Without a baseline, the most confident mistakes stand in place of the changes.
public struct BriefReporter: Reporter {
  /// The most lines.
  public static let lineLimit = 10
  private static let mostVerdicts = 3

  private let style: Style
  private let text: TextReporter

  /// Makes a reporter.
  package init(style: Style) {
    self.style = style
    text = TextReporter(style: style)
  }

  /// Makes a reporter without color.
  public init() { self.init(style: .plain) }

  /// The report as text.
  public func write(_ report: Report) -> [UInt8] {
    let evaluation = report.evaluation
    let accuracy = evaluation.metrics.accuracy
    let summary =
      style.bold("\(Figures.percent(accuracy.value)) of \(Figures.items(accuracy.total)) right")
      + style.dim(" (\(Figures.percent(accuracy.interval))) · \(Style.visible(evaluation.taxonomy.title))")
    let verdicts = verdicts(report.verdicts)
    let room = Self.lineLimit - verdicts.count - 1
    let changes = report.comparison.map { self.changes($0, room: room) } ?? mistakes(evaluation, room: room)
    return Self.bytes(verdicts + changes + [summary])
  }

  /// The report about a change as text.
  public func write(_ report: ChangeReport) -> [UInt8] {
    let verdicts = verdicts(report.verdicts)
    return Self.bytes(verdicts + changes(report.comparison, room: Self.lineLimit - verdicts.count))
  }

  private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

  /// The conditions that do not hold, or one line for those that do.
  private func verdicts(_ verdicts: [Gate.Verdict]) -> [String] {
    let failed = verdicts.filter { !$0.isPassed }
    if failed.isEmpty, verdicts.count > 1 { return [style.good("ok  ") + " all \(verdicts.count) conditions of the gate hold"] }
    let shown =
      failed.isEmpty ? verdicts[...] : failed.prefix(failed.count > Self.mostVerdicts ? Self.mostVerdicts - 1 : failed.count)
    let rest = failed.count - shown.count
    return shown.map { text.line($0) } + (rest > 0 ? [style.error("FAIL") + " and \(rest) more conditions"] : [])
  }

  private func changes(_ comparison: Comparison, room: Int) -> [String] {
    let difference = comparison.difference
    let headline =
      style.bold("\(Figures.signedPoints(difference.value)) points") + ": \(Figures.count(difference.lost)) lost, "
      + "\(Figures.count(difference.won)) won, \(Figures.count(comparison.moved.count)) moved of \(Figures.items(difference.total))"
      + " (\(Figures.pValue(difference.pValue)))"
    let kinds = [("lost", comparison.lost), ("won", comparison.won), ("moved", comparison.moved)]
    let flips = kinds.flatMap { change, flips in flips.map { (change: change, flip: $0) } }
    return [headline]
      + fill(flips, room: room - 1, of: "flips") { text.cells($0.flip, after: .left($0.change, color($0.change))) }
  }

  private func mistakes(_ evaluation: Evaluation, room: Int) -> [String] {
    fill(evaluation.errors, room: room, of: "wrong answers") { text.cells($0, in: evaluation) }
  }

  private func color(_ change: String) -> (String) -> String {
    switch change {
    case "lost": { style.bad($0) }
    case "won": { style.good($0) }
    default: { style.dim($0) }
    }
  }

  /// The rows of a table that there is room for, and how many there are more.
  private func fill<Row>(_ rows: [Row], room: Int, of what: String, _ cells: (Row) -> [Table.Cell]) -> [String] {
    let shown = rows.count > room ? max(0, room - 1) : rows.count
    var table = Table()
    for row in rows.prefix(shown) { table.add(cells(row)) }
    let lines = table.render().split(separator: "\n").map(String.init)
    let rest = rows.count - shown
    return lines + (rest > 0 ? [style.dim("  and \(Figures.count(rest)) more \(what)")] : [])
  }
}
