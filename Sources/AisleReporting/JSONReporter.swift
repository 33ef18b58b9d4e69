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
      json.key("gate")
      Self.write(report.verdicts, isPassed: report.isPassed, &json)
      Self.write(report.evaluation, &json)
      json.key("comparison")
      if let comparison = report.comparison { Self.write(comparison, &json) } else { json.null() }
      json.key("ablation")
      if let ablation = report.ablation { Self.write(ablation, &json) } else { json.null() }
      json.key("repeats")
      if let repeats = report.repeats { Self.write(repeats, &json) } else { json.null() }
      json.key("items")
      Self.writeItems(report.evaluation, &json)
    }
    output.append("\n")
    return output.bytes
  }

  private static func write(_ evaluation: Evaluation, _ json: inout JSONWriter) {
    json.key("store")
    json.object { json in
      json.member("id", evaluation.taxonomy.store)
      json.member("name", evaluation.taxonomy.name)
      json.member("fallback", evaluation.taxonomy[evaluation.taxonomy.fallback].name)
    }
    json.member("chain", evaluation.chain.names)
    json.key("corpus")
    json.object { json in
      json.member("files", evaluation.corpus.files)
      json.member("items", evaluation.items.count)
      json.member("inapplicable", evaluation.inapplicable)
    }
    json.member("seconds", evaluation.seconds)
    json.key("metrics")
    write(evaluation.metrics, &json)
    json.rows("splits", evaluation.splits) { json, split in
      json.object { json in
        json.member("split", split.split.name)
        json.key("metrics")
        write(split.metrics, &json, layout: .inline)
      }
    }
    json.member("split_difference", evaluation.splitDifference)
    json.rows("tags", evaluation.tags) { json, tag in
      json.object { json in
        json.member("tag", tag.tag)
        json.key("accuracy")
        write(tag.accuracy, &json)
      }
    }
    json.rows("strategies", evaluation.strategies) { json, score in write(score, &json) }
    json.rows("overlaps", evaluation.overlaps) { json, overlap in write(overlap, &json) }
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
