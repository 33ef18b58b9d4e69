import AisleEvaluation
import AisleFiles

/// Everything in a report as one JSON object, for programs; `docs/report.schema.json` describes it.
///
/// The order of the keys is always the same. Shares and differences are numbers rounded to six decimals, or `null` if undefined.
/// Parts that were not requested are also `null`: `comparison`, `ablation`, and `repeats`. New fields do not change `version`;
/// removing a field or changing its meaning does.
///
/// Complexity: O(items + sections²).
public struct JSONReporter: Reporter {
  /// The version of the format.
  public static let version = 1

  /// Makes a reporter.
  public init() {}

  /// The report as JSON.
  public func write(_ report: Report) -> [UInt8] {
    let output = ReportBuffer()
    var json = JSONWriter(output)
    json.object(.lines) { json in
      json.member("format", "aisle-report")
      json.member("version", Self.version)
      json.member("tool", report.tool)
      json.member("gate") { Self.write(report.verdicts, isPassed: report.isPassed, &$0) }
      Self.write(report.evaluation, tool: report.tool, &json)
      json.member("comparison") { json in report.comparison.map { Self.write($0, &json) } }
      json.member("ablation") { json in report.ablation.map { Self.write($0, &json) } }
      json.member("repeats") { json in report.repeats.map { Self.write($0, &json) } }
      json.member("items") { Self.writeItems(report.evaluation, &$0) }
    }
    output.append("\n")
    return output.bytes
  }

  private static func write(_ evaluation: Evaluation, tool: String, _ json: inout JSONWriter) {
    let header = Baseline.Header(evaluation, tool: tool)
    json.member("store") { json in
      json.object { json in
        json.member("id", evaluation.taxonomy.store)
        json.member("name", evaluation.taxonomy.name)
        if !evaluation.taxonomy.languages.isEmpty { json.member("languages", evaluation.taxonomy.languages.map(\.id)) }
        json.member("fallback", evaluation.taxonomy[evaluation.taxonomy.fallback].name)
      }
    }
    json.member("taxonomy", header.taxonomy)
    json.member("chain", evaluation.chain.names)
    json.member("corpus") { json in
      json.object { json in
        json.member("files", evaluation.corpus.files)
        json.member("fingerprint", header.corpus)
        json.member("items", evaluation.items.count)
        json.member("inapplicable", evaluation.inapplicable)
      }
    }
    json.member("seconds", evaluation.seconds)
    json.member("metrics") { write(evaluation.metrics, &$0) }
    json.objects("splits", evaluation.splits) { json, split in
      json.member("split", split.split.name)
      json.member("metrics") { write(split.metrics, &$0, layout: .inline) }
    }
    json.member("split_difference", evaluation.splitDifference)
    json.objects("tags", evaluation.tags) { json, tag in
      json.member("tag", tag.tag)
      json.member("accuracy") { write(tag.accuracy, &$0) }
    }
    json.objects("strategies", evaluation.strategies) { json, score in
      json.member("name", score.name)
      json.member("decided", score.decided)
      json.member("precision") { write(score.precision, &$0) }
      json.member("seconds", score.seconds)
      json.member("usage") { json in
        guard let usage = score.usage else { return }
        json.object { json in
          json.member("requests", usage.requests)
          json.member("tokens", usage.tokens)
          json.member("dollars", usage.dollars)
        }
      }
    }
    json.objects("overlaps", evaluation.overlaps) { json, overlap in
      json.member("first", overlap.first)
      json.member("second", overlap.second)
      json.member("only_first", overlap.onlyFirst)
      json.member("only_second", overlap.onlySecond)
      json.member("both", overlap.both)
      json.member("conflicts", overlap.conflicts)
      json.member("first_right", overlap.firstRight)
      json.member("second_right", overlap.secondRight)
    }
  }

  /// The report about a change as JSON: `gate` and `comparison` are those of a whole report.
  public func write(_ report: ChangeReport) -> [UInt8] {
    let output = ReportBuffer()
    var json = JSONWriter(output)
    json.object(.lines) { json in
      json.member("format", "aisle-comparison")
      json.member("version", Self.version)
      json.member("gate") { Self.write(report.verdicts, isPassed: report.isPassed, &$0) }
      json.member("comparison") { Self.write(report.comparison, &$0) }
    }
    output.append("\n")
    return output.bytes
  }

  private static func writeItems(_ evaluation: Evaluation, _ json: inout JSONWriter) {
    json.raw { output in
      output.append("[")
      if !evaluation.items.isEmpty {
        output.append("\n    ")
        var objects = ItemObjects(evaluation)
        objects.append(to: output, separator: ",\n    ")
        output.append("\n  ")
      }
      output.append("]")
    }
  }
}
