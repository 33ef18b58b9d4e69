import AisleEvaluation

/// Test results in the XML format that build servers read: one suite per section, one test per item, and a suite `gate` with its
/// conditions.
///
/// An item belongs to the suite of the section that it counts toward. Its class is its corpus file; `file` and `line` give its
/// location. What fails is what the gate finds: items that the baseline had right, where the gate fails for them; other wrong answers are
/// skipped, with a message. Or every wrong answer fails, of type `wrong`, or `lost` if the baseline had it right.
///
/// Complexity: O(items).
public struct JUnitReporter: Reporter {
  /// Which items fail.
  public enum Failing: String, Sendable, CaseIterable {
    /// Every wrong answer.
    case all
    /// Those that the gate finds.
    case lost
  }

  private let failing: Failing

  /// Makes a reporter.
  public init(failing: Failing = .lost) { self.failing = failing }

  /// The report as XML 1.0.
  public func write(_ report: Report) -> [UInt8] {
    let evaluation = report.evaluation
    let output = ReportBuffer()
    let accuracy = evaluation.metrics.accuracy
    let failed = report.verdicts.count { !$0.isPassed }
    let lost = LostItems(report.comparison)
    let lossesFail = Self.lossesFail(report.verdicts)
    func fails(_ item: ScoredItem) -> Bool {
      !item.isRight && (failing == .all || lossesFail && WrongAnswer(item, in: evaluation, lost: lost).before != nil)
    }
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<testsuites name=\"\(Escaping.xml("aisle eval \(evaluation.taxonomy.storeWithLanguages)"))\"")
    let failures = evaluation.items.count(where: fails)
    Self.append(
      tests: accuracy.total + report.verdicts.count, failures: failures + failed,
      skipped: accuracy.total - accuracy.count - failures, to: output)
    output.append(" time=\"\(Figures.fixed(evaluation.seconds, 6))\">\n")
    Self.append(gate: report.verdicts, to: output)
    var suites = [[Int]](repeating: [], count: evaluation.sectionNames.count)
    for (place, item) in evaluation.items.enumerated() { suites[Int(item.truth.rawValue)].append(place) }
    let files = evaluation.corpus.files.map(Escaping.xml)
    for (name, places) in zip(evaluation.sectionNames, suites) where !places.isEmpty {
      output.append("  <testsuite name=\"\(Escaping.xml(name))\"")
      let items = places.map { evaluation.items[$0] }
      let failures = items.count(where: fails)
      Self.append(tests: items.count, failures: failures, skipped: items.count { !$0.isRight } - failures, to: output)
      output.append(">\n")
      for item in items { Self.append(item, in: evaluation, lost: lost, fails: fails(item), files: files, to: output) }
      output.append("  </testsuite>\n")
    }
    output.append("</testsuites>\n")
    return output.bytes
  }

  /// The report about a change as XML 1.0: one test per item that became right or wrong.
  public func write(_ report: ChangeReport) -> [UInt8] {
    let output = ReportBuffer()
    let comparison = report.comparison
    let fails = failing == .all || Self.lossesFail(report.verdicts)
    func append(flips: [Comparison.Flip], gate: [Gate.Verdict] = []) {
      let lost = flips.count { !$0.after.isRight }
      Self.append(
        tests: flips.count + gate.count, failures: (fails ? lost : 0) + gate.count { !$0.isPassed }, skipped: fails ? 0 : lost,
        to: output)
    }
    let flips = comparison.lost + comparison.won
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<testsuites name=\"\(Escaping.xml("aisle compare \(comparison.after.store)"))\"")
    append(flips: flips, gate: report.verdicts)
    output.append(">\n")
    Self.append(gate: report.verdicts, to: output)
    let suites = Dictionary(grouping: flips) { $0.after.expected.first ?? "" }
    for (name, flips) in suites.sorted(by: { $0.key < $1.key }) {
      output.append("  <testsuite name=\"\(Escaping.xml(name))\"")
      append(flips: flips)
      output.append(">\n")
      for flip in flips { Self.append(flip, fails: fails, to: output) }
      output.append("  </testsuite>\n")
    }
    output.append("</testsuites>\n")
    return output.bytes
  }

  private static func append(_ flip: Comparison.Flip, fails: Bool, to output: ReportBuffer) {
    output.append("    <testcase classname=\"compare\" name=\"\(Escaping.xml(flip.after.item))\"")
    if flip.after.isRight { return output.append("/>\n") }
    let message = Escaping.xml("expected \(flip.after.expected.joined(separator: " or ")), got \(flip.after.section)")
    if !fails { return output.append(">\n      <skipped message=\"lost, but the gate holds: \(message)\"/>\n    </testcase>\n") }
    output.append(">\n      <failure message=\"\(message)\" type=\"lost\">")
    let lines = [("before", flip.before), ("now", flip.after)].map { "\($0): \($1.section), \($1.reason)" }
    output.append(lines.map(Escaping.xml).joined(separator: "\n"))
    output.append("</failure>\n    </testcase>\n")
  }

  /// Whether the gate fails for items that were lost, not only for a score.
  private static func lossesFail(_ verdicts: [Gate.Verdict]) -> Bool {
    verdicts.contains { !$0.isPassed && ["regression", "strict"].contains($0.name) }
  }

  private static func append(tests: Int, failures: Int, skipped: Int = 0, to output: ReportBuffer) {
    output.append(" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\"")
  }

  private static func append(gate verdicts: [Gate.Verdict], to output: ReportBuffer) {
    if verdicts.isEmpty { return }
    output.append("  <testsuite name=\"gate\"")
    append(tests: verdicts.count, failures: verdicts.count { !$0.isPassed }, to: output)
    output.append(">\n")
    for verdict in verdicts {
      output.append("    <testcase classname=\"gate\" name=\"\(Escaping.xml(verdict.name))\"")
      let detail = Escaping.xml(verdict.detail)
      output.append(
        verdict.isPassed
          ? "/>\n" : ">\n      <failure message=\"\(detail)\" type=\"gate\">\(detail)</failure>\n    </testcase>\n")
    }
    output.append("  </testsuite>\n")
  }

  private static func append(
    _ item: ScoredItem, in evaluation: Evaluation, lost: LostItems, fails: Bool, files: [String], to output: ReportBuffer
  ) {
    let entry = evaluation.entry(item)
    let file = files[Int(entry.file)]
    output.append("    <testcase classname=\"\(file)\" name=\"\(Escaping.xml(evaluation.text(item)))\"")
    output.append(" file=\"\(file)\" line=\"\(entry.line)\"")
    if item.isRight { return output.append("/>\n") }
    let answer = WrongAnswer(item, in: evaluation, lost: lost)
    let message = Escaping.xml("expected \(answer.expected), got \(answer.section)")
    if !fails {
      let known = answer.before == nil ? "not lost" : "lost, but the gate holds"
      return output.append(">\n      <skipped message=\"\(known): \(message)\"/>\n    </testcase>\n")
    }
    output.append(">\n      <failure message=\"\(message)\" type=\"\(answer.before == nil ? "wrong" : "lost")\">")
    var lines = ["\(WrongAnswer.place(answer.location)): \(answer.item)", "because: \(answer.evidence)"]
    if let before = answer.before { lines.append("baseline: \(before.section), \(before.reason)") }
    output.append(lines.map(Escaping.xml).joined(separator: "\n"))
    output.append("</failure>\n    </testcase>\n")
  }
}
