import AisleFiles
public import AisleReporting
public import ArgumentParser

extension ReportFormat: ExpressibleByArgument {}
extension JUnitReporter.Failing: ExpressibleByArgument {}

extension ReportFormat {
  /// The format that a file's name tells; text where it tells none.
  init(ofFile path: String) {
    let formats: KeyValuePairs<String, ReportFormat> = [
      ".html": .html, ".json": .json, ".jsonl": .jsonl, ".md": .markdown, ".xml": .junit,
    ]
    self = formats.first { path.lowercased().hasSuffix($0.key) }?.value ?? .text
  }
}

/// Which reports are written, and where: shared by the commands that report.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Report format: text, brief, json, jsonl, markdown, junit, github, or html; --json is short for --reporter json (default: the configuration, then text). Repeatable.",
      valueName: "format"))
  var reporter: [ReportFormat] = []

  @Option(
    help: ArgumentHelp(
      "The file to write the report to; `-` prints it. Without --reporter, its name says the format: .html, .json, .jsonl, .md, .xml for junit, and text for others. Repeatable.",
      valueName: "file"), completion: .file())
  var output: [String] = []

  @Flag(help: "Print what the gate finds and what changed, in at most ten lines, in addition to what is written to files.")
  var brief = false

  @Option(
    help: ArgumentHelp(
      "Which items fail in a junit report: lost (those that the gate finds; other wrong answers are skipped) or all wrong answers.",
      valueName: "lost|all"))
  var junit: JUnitReporter.Failing?

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  /// Whether the command line names a report.
  var isGiven: Bool { !reporter.isEmpty || !output.isEmpty || brief }

  func validate() throws {
    if !reporter.isEmpty, output.count > reporter.count {
      throw ValidationError("There are more --output options than --reporter options; give each output a reporter.")
    }
    let outputs = given
    if outputs.count(where: { $0.path == "-" }) > 1 {
      throw ValidationError("Several reports would be printed; give each reporter but one an --output, in the same order.")
    }
    let files = outputs.map(\.path).filter { $0 != "-" }
    if let twice = files.first(where: { path in files.count { $0 == path } > 1 }) {
      throw ValidationError("Two reports would be written to \(twice); give each its own --output.")
    }
  }

  /// The formats of the command line and where each goes.
  private var given: [Reports.Output] {
    let named =
      reporter.isEmpty
      ? output.map { Reports.Output(format: ReportFormat(ofFile: $0), path: $0) }
      : reporter.enumerated().map { Reports.Output(format: $1, path: output.indices.contains($0) ? output[$0] : "-") }
    if brief { return named + [Reports.printedBriefly] }
    return named.isEmpty ? [Reports.Output(format: .text, path: "-")] : named
  }

  /// What the command line says, or else the configuration.
  ///
  /// - Parameter shown: How many errors, and flips of a kind, text shows.
  /// - Throws: `BrokenConfiguration` for a format that there is not, or files that would replace each other.
  func settle(_ configuration: Configuration?, shown: Int = TextReporter.standardCount) throws -> Reports {
    let written = configuration?.evaluation?.reports ?? []
    var outputs = given
    if reporter.isEmpty, output.isEmpty, !written.isEmpty {
      outputs = try Reports.outputs(written)
      if brief { outputs = outputs.filter { $0.path != "-" } + [Reports.printedBriefly] }
    }
    let failing = junit ?? configuration?.evaluation?.junit.flatMap { JUnitReporter.Failing(rawValue: $0.value) } ?? .lost
    return Reports(outputs: outputs, failing: failing, color: color, shown: shown)
  }
}
