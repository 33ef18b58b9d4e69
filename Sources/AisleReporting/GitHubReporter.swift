import AisleCore
import AisleEvaluation
import AisleFiles

/// Workflow commands for GitHub Actions that annotate lines of a pull request, most important first.
///
/// A failed gate comes first, as an error. With a baseline, the items that it had right follow as errors; without one, the wrong
/// answers follow as warnings, most confident first. There are at most ten errors and ten warnings, because GitHub shows no more. An
/// annotation is on the line of the keyword that misled if its file is in the working tree, otherwise on the line of the item, and
/// names both. All other wrong answers are counted in a notice, and up to `mostListed` of them are listed in a group of the log.
///
/// Source of the format: GitHub Docs, Workflow commands for GitHub Actions; the runner's `ActionCommand` for other text that could
/// start a command.
public struct GitHubReporter: Reporter {
  /// How many annotations of each kind GitHub shows for a step.
  public static let mostAnnotations = 10
  /// How many of the other wrong answers are listed.
  public static let mostListed = 1000

  private let isInTree: @Sendable (String) -> Bool

  /// Makes a reporter.
  ///
  /// - Parameter isInTree: Whether a path in evidence is a file in the working tree; the default checks the disk below the working
  ///   folder.
  public init(isInTree: @escaping @Sendable (String) -> Bool = Self.isBelowWorkingFolder) { self.isInTree = isInTree }

  /// The report as lines for a workflow's log.
  public func write(_ report: Report) -> [UInt8] {
    let evaluation = report.evaluation
    let lost = LostItems(report.comparison)
    let isLost = { (item: ScoredItem) in lost[evaluation.corpus.location(evaluation.entry(item))] != nil }
    let errors = evaluation.errors
    var lines = [Self.headline(evaluation)]
    let gate = Self.annotation(report.verdicts)
    if let gate { lines.append(gate) }
    let isRegression = report.comparison != nil
    let important = (isRegression ? errors.filter(isLost) : errors)
      .prefix(Self.mostAnnotations - (isRegression && gate != nil ? 1 : 0))
    for item in important {
      lines.append(annotation(WrongAnswer(item, in: evaluation, lost: lost), isError: isRegression))
    }
    let shown = Set(important.map(\.entry))
    let rest = errors.filter { !shown.contains($0.entry) }
    if !rest.isEmpty {
      let first = rest.filter(isLost) + rest.filter { !isLost($0) }
      lines += Self.list(first.prefix(Self.mostListed).map { WrongAnswer($0, in: evaluation, lost: lost) }, of: rest.count)
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The report about a change as lines for a workflow's log. Saved answers do not say where their items stand, so the annotations
  /// are on no line.
  public func write(_ report: ChangeReport) -> [UInt8] {
    let comparison = report.comparison
    let difference = comparison.difference
    var lines = [
      "aisle: \(Figures.signedPoints(difference.value)) points on \(Figures.items(difference.total)) "
        + "(\(Figures.count(difference.lost)) lost, \(Figures.count(difference.won)) won); "
        + Escaping.log(Escaping.line(comparison.after.store))
    ]
    let gate = Self.annotation(report.verdicts)
    if let gate { lines.append(gate) }
    let important = comparison.lost.prefix(Self.mostAnnotations - (gate == nil ? 0 : 1))
    for flip in important {
      let title =
        "\(Escaping.line(flip.after.item, limit: 80)): was right, is now \(Escaping.line(flip.after.section, limit: 80))"
      lines.append(Self.command("error", [("title", title)], Self.lines(flip).joined(separator: "\n")))
    }
    for (change, flips) in [("lost", comparison.lost.dropFirst(important.count)), ("won", comparison.won[...])]
    where !flips.isEmpty {
      lines.append("::group::\(Figures.count(flips.count)) \(change == "lost" && !important.isEmpty ? "more lost" : change)")
      lines += flips.prefix(Self.mostListed).map { flip in
        "- \(Escaping.log(Escaping.line(Self.lines(flip).joined(separator: "; "), limit: 1000)))"
      }
      if flips.count > Self.mostListed { lines.append("and \(Figures.count(flips.count - Self.mostListed)) more") }
      lines.append("::endgroup::")
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func lines(_ flip: Comparison.Flip) -> [String] {
    func answer(_ answer: Baseline.Answer) -> String {
      let reason = answer.reason.isEmpty ? "" : ", \(Escaping.line(answer.reason, limit: 400))"
      return "\(Escaping.line(answer.section))\(reason)"
    }
    let expected = Escaping.line(flip.after.expected.joined(separator: " or "))
    return [
      "\(Escaping.line(flip.after.item)) belongs to \(expected)", "before: \(answer(flip.before))", "now: \(answer(flip.after))",
    ]
  }

  /// Whether a path is a file below the working folder.
  public static func isBelowWorkingFolder(_ path: String) -> Bool {
    isBelow(path) && (try? FileReader.read(path)) != nil
  }

  /// Whether a path is a relative one that does not climb.
  static func isBelow(_ path: String) -> Bool {
    !path.isEmpty && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
  }

  // MARK: Annotations

  private static func annotation(_ verdicts: [Gate.Verdict]) -> String? {
    let failed = verdicts.filter { !$0.isPassed }
    if failed.isEmpty { return nil }
    let reasons = failed.map { "\(Escaping.visible($0.name)): \(Escaping.visible($0.detail))" }
    return command("error", [("title", "Gate failed")], reasons.joined(separator: "\n"))
  }

  private func annotation(_ answer: WrongAnswer, isError: Bool) -> String {
    let place = answer.source.flatMap { isInTree($0.path) ? $0 : nil } ?? answer.location
    var lines = [
      "\(Escaping.line(answer.item)) belongs to \(Escaping.line(answer.expected)), not \(Escaping.line(answer.section))",
      "item: \(Escaping.line(WrongAnswer.place(answer.location)))", "because: \(Escaping.line(answer.evidence, limit: 400))",
    ]
    if let before = answer.before {
      lines.append("baseline: \(Escaping.line(before.section)), \(Escaping.line(before.reason))")
    }
    let verb = isError ? "was right, is now" : "wrongly"
    let title = "\(Escaping.line(answer.item, limit: 80)): \(verb) \(Escaping.line(answer.section, limit: 80))"
    return Self.command(
      isError ? "error" : "warning",
      [("file", Escaping.visible(place.path)), ("line", String(place.line)), ("title", title)], lines.joined(separator: "\n"))
  }

  private static func command(_ name: String, _ properties: [(String, String)], _ message: String) -> String {
    let list = properties.map { "\($0.0)=\(Escaping.commandProperty($0.1))" }.joined(separator: ",")
    return "::\(name) \(list)::\(Escaping.commandMessage(message))"
  }

  // MARK: Plain lines

  private static func headline(_ evaluation: Evaluation) -> String {
    let accuracy = evaluation.metrics.accuracy
    return "aisle: \(Figures.count(accuracy.count)) of \(Figures.count(accuracy.total)) items right, "
      + "\(Figures.percent(accuracy.value)) (\(Figures.percent(accuracy.interval))); "
      + Escaping.log(Escaping.line(evaluation.taxonomy.title))
  }

  private static func list(_ answers: [WrongAnswer], of count: Int) -> [String] {
    let what = Figures.count(count, "other wrong answer")
    var lines = [
      command("notice", [("title", "aisle")], "\(what): see the job summary, or the step's log"), "::group::\(what)",
    ]
    for answer in answers {
      let text =
        "\(WrongAnswer.place(answer.location)): \(Escaping.line(answer.item)) belongs to \(answer.expected), not \(answer.section)"
        + " (\(Escaping.line(answer.evidence, limit: 400)))"
      lines.append("- \(answer.before == nil ? "" : "lost: ")\(Escaping.log(Escaping.line(text, limit: 1000)))")
    }
    if count > answers.count { lines.append("and \(Figures.count(count - answers.count)) more") }
    return lines + ["::endgroup::"]
  }
}
