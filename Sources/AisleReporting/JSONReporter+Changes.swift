import AisleCore
import AisleEvaluation

extension JSONReporter {
  static func write(_ verdicts: [Gate.Verdict], isPassed: Bool, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      json.member("passed", isPassed)
      json.rows("verdicts", verdicts) { json, verdict in
        json.object { json in
          json.member("name", verdict.name)
          json.member("passed", verdict.isPassed)
          json.member("detail", verdict.detail)
        }
      }
    }
  }

  static func write(_ comparison: Comparison, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      for (name, header) in [("before", comparison.before), ("after", comparison.after)] {
        json.key(name)
        write(header, &json)
      }
      json.key("difference")
      write(comparison.difference, &json)
      for (name, flips) in [("lost", comparison.lost), ("won", comparison.won), ("moved", comparison.moved)] {
        json.rows(name, flips) { json, flip in write(flip, &json) }
      }
      json.rows("sections", comparison.sections) { json, section in
        json.object { json in
          json.member("name", section.name)
          json.key("difference")
          write(section.difference, &json)
        }
      }
      json.member("only_before", comparison.onlyBefore)
      json.member("only_after", comparison.onlyAfter)
      json.member("relabelled", comparison.relabelled)
    }
  }

  static func write(_ ablation: Ablation, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      for (name, variants) in [("without", ablation.without), ("orders", ablation.orders)] {
        json.rows(name, variants) { json, variant in
          json.object { json in
            json.member("name", variant.name)
            json.key("accuracy")
            write(variant.accuracy, &json)
            json.key("difference")
            write(variant.difference, &json)
            json.member("changed", variant.changed)
          }
        }
      }
      json.member("order_count", ablation.orderCount)
    }
  }

  static func write(_ repeats: Repeats, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      json.rows("runs", zip(repeats.seconds, repeats.accuracies)) { json, run in
        json.object { json in
          json.member("seconds", run.0)
          json.key("accuracy")
          write(run.1, &json)
        }
      }
      json.member("unstable", repeats.unstable)
    }
  }

  private static func write(_ header: Baseline.Header, _ json: inout JSONWriter) {
    json.object { json in
      json.member("tool", header.tool)
      json.member("store", header.store)
      json.member("chain", header.chain)
      json.member("taxonomy", header.taxonomy)
      json.member("corpus", header.corpus)
    }
  }

  private static func write(_ difference: PairedDifference, _ json: inout JSONWriter) {
    json.object { json in
      json.member("total", difference.total)
      json.member("before", difference.before)
      json.member("after", difference.after)
      json.member("won", difference.won)
      json.member("lost", difference.lost)
      json.member("value", difference.value)
      write(difference.interval, &json)
      json.member("p_value", difference.pValue)
      json.member("noise", difference.isNoise())
    }
  }

  private static func write(_ flip: Comparison.Flip, _ json: inout JSONWriter) {
    json.object { json in
      json.member("item", flip.after.item)
      json.member("expected", flip.after.expected)
      for (name, answer) in [("before", flip.before), ("after", flip.after)] {
        json.key(name)
        json.object { json in
          json.member("section", answer.section)
          json.member("confidence", answer.confidence)
          json.member("strategy", answer.strategy)
          json.member("reason", answer.reason)
          json.member("source", answer.source.map(place))
          json.member("location", answer.location.map(place))
        }
      }
    }
  }

  /// A place as the items write it: `path:line`.
  private static func place(_ location: SourceLocation) -> String { "\(location.path):\(location.line)" }
}
