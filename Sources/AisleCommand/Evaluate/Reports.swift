import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting

/// The reports that a run writes.
struct Reports {
  /// A report and where it goes.
  struct Output {
    let format: ReportFormat
    /// The file; `-` for standard output.
    let path: String
    /// Whether the folders above the file are made. Where a person typed the path, a folder that is not there is a slip.
    var makesFolders = false
  }

  /// The shortest report, on standard output.
  static let printedBriefly = Output(format: .brief, path: "-")

  let outputs: [Output]
  let failing: JUnitReporter.Failing
  let color: ColorChoice
  let shown: Int

  /// Whether a person reads the verdict in what is printed.
  var printsText: Bool { outputs.contains { [.text, .brief].contains($0.format) && $0.path == "-" } }

  /// The reports that a configuration asks for.
  ///
  /// - Throws: `BrokenConfiguration`.
  static func outputs(_ reports: [Configuration.Report]) throws -> [Output] {
    let findings = faults(of: reports)
    if !findings.isEmpty { throw BrokenConfiguration(findings: findings) }
    return reports.compactMap { report in
      ReportFormat(rawValue: report.format.value).map { Output(format: $0, path: report.path.value, makesFolders: true) }
    }
  }

  /// What is wrong with the reports of a configuration.
  static func faults(of reports: [Configuration.Report]) -> [Finding] {
    var findings: [Finding] = []
    var paths: Set<String> = []
    let known = ReportFormat.allCases.map(\.rawValue)
    for report in reports {
      if !known.contains(report.format.value) {
        let hint = DidYouMean.hint(report.format.value, among: known)
        findings.append(
          Finding(
            report.format.location,
            "unknown report format `\(report.format.value)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)"
          ))
      }
      if !paths.insert(report.path.value).inserted {
        let what =
          report.path.value == "-" ? "two reports would be printed" : "two reports would be written to \(report.path.value)"
        findings.append(Finding(report.path.location, "\(what); give each a file of its own"))
      }
    }
    return findings
  }

  /// Refuses reports that would replace a file that is read.
  ///
  /// - Throws: `FileError`.
  func check(inputs: [String]) throws(FileError) {
    for output in outputs where output.path != "-" { try FileWriter.check(output.path, replacesNoneOf: inputs) }
  }

  /// Writes the reports: all files or none, and then what is printed.
  ///
  /// - Parameter make: Makes a report with a reporter; all are made before the first is written.
  /// - Throws: `FileError`, `StreamError`.
  func write(_ make: (any Reporter) -> [UInt8]) throws {
    let written = outputs.map { ($0.path, make(reporter(for: $0))) }
    for output in outputs where output.makesFolders { try FileWriter.makeFolders(above: output.path) }
    try FileWriter.replace(written.filter { $0.0 != "-" })
    for (path, bytes) in written where path == "-" { try bytes.withUnsafeBytes { try Descriptor.standardOutput.write($0) } }
  }

  private func reporter(for output: Output) -> any Reporter {
    let style = output.path == "-" ? color.style(for: .standardOutput, environment: Environment.all) : .plain
    return output.format.reporter(style: style, shown: shown, failing: failing)
  }
}
