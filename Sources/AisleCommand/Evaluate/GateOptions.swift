import AisleCatalog
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
        """
        Write SCORE=PERCENT, or PERCENT for accuracy. Scores: accuracy, macro-f1, placed, split:NAME, tag:NAME, section:NAME (F1), and \
        recall:NAME (the share of a section's items that are right).
        """,
      valueName: "[score=]percent"))
  var failUnder: [String] = []

  @OptionGroup var change: ChangeOptions

  /// Whether anything can fail.
  var isDemanding: Bool { !failUnder.isEmpty || comparesWithBaseline }

  var comparesWithBaseline: Bool { change.isGiven }

  func validate() throws { for text in failUnder { _ = try Self.floor(text) } }

  /// The gate, as the command line says or else the configuration, its scores checked against what there is.
  ///
  /// - Throws: `CommandFailure` or `BrokenConfiguration` for a score that there is none of.
  func gate(for prepared: PreparedEvaluation, _ configuration: Configuration?) throws -> Gate {
    var gate = change.gate(configuration)
    let tags = Set(prepared.corpus.tags.joined())
    let sections = prepared.taxonomy.sections.map(\.name)
    let splits = Corpus.Split.allCases.map(\.name)
    func checked(_ floor: Gate.Floor) throws(Gate.FloorFault) -> Gate.Floor {
      try floor.check(tags: tags, sections: sections, splits: splits)
      return floor
    }
    if !failUnder.isEmpty {
      gate.floors = try failUnder.map(Self.floor).map { floor in
        do throws(Gate.FloorFault) { return try checked(floor) } catch {
          throw CommandFailure(description: "--fail-under \(error)")
        }
      }
    } else {
      gate.floors = try (configuration?.evaluation?.floors ?? []).map { setting in
        do throws(Gate.FloorFault) { return try checked(Gate.Floor(setting.value)) } catch {
          throw BrokenConfiguration(findings: [Finding(setting.location, "fail-under \(error)")])
        }
      }
    }
    return gate
  }

  private static func floor(_ text: String) throws -> Gate.Floor {
    do throws(Gate.FloorFault) { return try Gate.Floor(text) } catch { throw ValidationError("--fail-under \(error).") }
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

  /// What the command line says, or else the configuration.
  func gate(_ configuration: Configuration?) -> Gate {
    let set = configuration?.evaluation
    var gate = Gate()
    gate.tolerance = (tolerance ?? set?.tolerance?.value ?? 0) / 100
    gate.alpha = alpha ?? set?.alpha?.value ?? gate.alpha
    gate.isStrict = strict || set?.isStrict?.value == true
    return gate
  }
}
