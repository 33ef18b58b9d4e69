import AisleCore
import Yams

extension Configuration {
  /// What a configuration says about evaluations: their baseline, their gate, and their reports.
  public struct Evaluation: Sendable {
    /// The baseline that evaluations are compared with, and that `aisle bless` writes.
    public internal(set) var baseline: Setting<String>?
    /// The scores that must be reached, as `--fail-under` takes them.
    public internal(set) var floors: [Setting<String>] = []
    /// The loss of accuracy to allow, in percentage points, in 0…100.
    public internal(set) var tolerance: Setting<Double>?
    /// The p-value below which a loss is more than noise, in 0…1.
    public internal(set) var alpha: Setting<Double>?
    /// Whether any loss fails.
    public internal(set) var isStrict: Setting<Bool>?
    /// Which items fail in a junit report: `lost` or `all`.
    public internal(set) var junit: Setting<String>?
    /// The reports, in the order of the file.
    public internal(set) var reports: [Report] = []

    /// The first setting that says something only about a comparison with a baseline, as `file:line: name`; `nil` where there is none.
    public var comparisonSetting: String? {
      let settings = [
        tolerance.map { ($0.location, "tolerance") }, alpha.map { ($0.location, "alpha") },
        isStrict.map { ($0.location, "strict") },
      ]
      return settings.compactMap { $0 }.min { $0.0.line < $1.0.line }.map { "\($0.0): `\($0.1)`" }
    }
  }

  /// A report to write.
  public struct Report: Sendable {
    /// The format's name, as `--reporter` takes it.
    public let format: Setting<String>
    /// The file; `-` for standard output.
    public let path: Setting<String>
  }
}

extension ConfigurationParser {
  private static let evaluationFields = ["baseline", "fail-under", "tolerance", "alpha", "strict", "junit", "reports"]

  /// Reads the section `eval`.
  mutating func evaluation(_ node: Node) -> Configuration.Evaluation? {
    guard let fields = yaml.mapping(node, of: "`eval`", allowed: Self.evaluationFields) else { return nil }
    var evaluation = Configuration.Evaluation()
    evaluation.baseline = fields["baseline"].flatMap { file($0) }
    evaluation.floors = fields["fail-under"].map { texts($0) } ?? []
    evaluation.tolerance = number("tolerance", fields, 0...100, "percentage points, from 0 to 100") { Double($0) }
    evaluation.alpha = number("alpha", fields, 0...1, "a number from 0 to 1") { Double($0) }
    evaluation.isStrict = choice("strict", fields, ["true", "false"]).map {
      .init(value: $0.value == "true", location: $0.location)
    }
    evaluation.junit = choice("junit", fields, ["lost", "all"])
    evaluation.reports = fields["reports"].map { reports($0) } ?? []
    return evaluation
  }

  /// A text, or a list of texts.
  mutating func texts(_ node: Node) -> [Configuration.Setting<String>] {
    if node.sequence == nil { return text(node).map { [$0] } ?? [] }
    return yaml.strings(node).map { .init(value: $0.value, location: $0.location) }
  }

  private mutating func reports(_ node: Node) -> [Configuration.Report] {
    guard let mapping = node.mapping else {
      yaml.report(yaml.location(node), "`reports` must be `format: file` lines, e.g. junit: reports/aisle.xml")
      return []
    }
    return mapping.compactMap { key, value in
      guard let format = text(key), let written = text(value) else { return nil }
      if written.value.isEmpty {
        yaml.report(written.location, "the file of `\(format.value)` is empty; name one, or `-` to print it")
      }
      guard let path = written.value == "-" ? written : file(value) else { return nil }
      return Configuration.Report(format: format, path: path)
    }
  }
}
