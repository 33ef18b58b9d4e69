package import AisleEvaluation

extension JSONReporter {
  /// What changed between two saved evaluations, as one JSON object: `gate` and `comparison` are those of a report.
  package func write(_ comparison: Comparison, _ verdicts: [Gate.Verdict]) -> [UInt8] {
    let output = ReportBuffer()
    var json = JSONWriter(output)
    json.object(.lines) { json in
      json.member("format", "aisle-comparison")
      json.member("version", JSONReporter.version)
      json.key("gate")
      Self.write(verdicts, isPassed: verdicts.allSatisfy(\.isPassed), &json)
      json.key("comparison")
      Self.write(comparison, &json)
    }
    output.append("\n")
    return output.bytes
  }
}
