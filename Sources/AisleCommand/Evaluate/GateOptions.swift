import AisleCore
import AisleEvaluation
import AisleFiles
import ArgumentParser

/// When an evaluation is not good enough: shared by the commands that can fail for it.
struct GateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fail when a score is below this percentage. Repeatable.",
      discussion:
        "Write SCORE=PERCENT, or PERCENT for accuracy. Scores: accuracy, macro-f1, placed, split:NAME, tag:NAME, and section:NAME (F1).",
      valueName: "[score=]percent"))
  var failUnder: [String] = []

  @OptionGroup var change: ChangeOptions

  /// Whether anything can fail.
  var isDemanding: Bool { !failUnder.isEmpty || comparesWithBaseline }

  var comparesWithBaseline: Bool { change.isGiven }

  func validate() throws { for text in failUnder { _ = try Self.floor(text) } }

  /// The gate, its scores checked against what there is.
  ///
  /// - Throws: `CommandFailure` for a score of a tag, split or section that there is none of.
  func gate(for prepared: PreparedEvaluation) throws -> Gate {
    var gate = change.gate
    gate.floors = try failUnder.map(Self.floor)
    for floor in gate.floors {
      let (name, known): (String, [String]) =
        switch floor.metric {
        case .accuracy, .macroF1, .placed: ("", [""])
        case .split(let name): (name, Corpus.Split.allCases.map(\.name))
        case .tag(let name): (name, Set(prepared.corpus.tags.joined()).sorted())
        case .section(let name): (name, prepared.taxonomy.sections.map(\.name))
        }
      guard !known.contains(name) else { continue }
      let hint = DidYouMean.hint(name, among: known)
      throw CommandFailure(
        description:
          "--fail-under \(floor.metric.name): there is no `\(name)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)"
      )
    }
    return gate
  }

  private static func floor(_ text: String) throws -> Gate.Floor {
    let sign = text.lastIndex(of: "=")
    let name = sign.map { String(text[..<$0]) } ?? "accuracy"
    let number = sign.map { String(text[text.index(after: $0)...]) } ?? text
    guard let percent = Double(number.hasSuffix("%") ? String(number.dropLast()) : number), (0...100).contains(percent) else {
      throw ValidationError("--fail-under \(text): write a percentage from 0 to 100, e.g. 97.5 or macro-f1=90.")
    }
    if percent > 0, percent < 1 {
      throw ValidationError("--fail-under \(text) is below one percent; write \(Figures.fixed(percent * 100, 1)).")
    }
    guard let metric = metric(name) else {
      let names = ["accuracy", "macro-f1", "placed", "split:", "tag:", "section:"]
      let hint = DidYouMean.hint(name, among: names)
      throw ValidationError(
        "--fail-under \(text): no score `\(name)`\(hint.isEmpty ? "; use one of \(names.joined(separator: ", "))" : hint)")
    }
    return Gate.Floor(metric, least: percent / 100)
  }

  private static func metric(_ name: String) -> Gate.Metric? {
    switch name {
    case "accuracy": return .accuracy
    case "macro-f1": return .macroF1
    case "placed": return .placed
    default:
      guard let colon = name.firstIndex(of: ":") else { return nil }
      let value = String(name[name.index(after: colon)...])
      return switch name[..<colon] {
      case "split": .split(value)
      case "tag": .tag(value)
      case "section": .section(value)
      default: nil
      }
    }
  }
}

/// Which changes since a baseline are not good enough.
struct ChangeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The loss of accuracy to allow, in percentage points.", valueName: "points"))
  var tolerance: Double?

  @Option(help: ArgumentHelp("The p-value below which a loss is more than noise (default: 0.05).", valueName: "p"))
  var alpha: Double?

  @Flag(help: "Fail if any item that was right is now wrong.")
  var strict = false

  var isGiven: Bool { tolerance != nil || alpha != nil || strict }

  func validate() throws {
    if let tolerance, !(0...100).contains(tolerance) { throw ValidationError("--tolerance must be 0 to 100 points.") }
    if let alpha, !(0...1).contains(alpha) { throw ValidationError("--alpha must be 0 to 1.") }
  }

  var gate: Gate {
    var gate = Gate()
    gate.tolerance = (tolerance ?? 0) / 100
    gate.alpha = alpha ?? gate.alpha
    gate.isStrict = strict
    return gate
  }
}
