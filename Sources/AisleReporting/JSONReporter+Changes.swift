import AisleCore
import AisleEvaluation

extension JSONReporter {
  static func write(_ verdicts: [Gate.Verdict], isPassed: Bool, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      json.member("passed", isPassed)
      json.objects("verdicts", verdicts) { json, verdict in
        json.member("name", verdict.name)
        json.member("passed", verdict.isPassed)
        json.member("detail", verdict.detail)
      }
    }
  }

  static func write(_ comparison: Comparison, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      json.member("before") { write(comparison.before, &$0) }
      json.member("after") { write(comparison.after, &$0) }
      json.member("difference") { write(comparison.difference, &$0) }
      for (name, flips) in [("lost", comparison.lost), ("won", comparison.won), ("moved", comparison.moved)] {
        json.objects(name, flips) { write($1, &$0) }
      }
      json.objects("sections", comparison.sections) { json, section in
        json.member("name", section.name)
        json.member("difference") { write(section.difference, &$0) }
      }
      json.member("only_before", comparison.onlyBefore)
      json.member("only_after", comparison.onlyAfter)
      json.member("relabelled", comparison.relabelled)
    }
  }

  /// The members of an object about an item whose answer changed.
  static func write(_ flip: Comparison.Flip, _ json: inout JSONWriter) {
    json.member("item", flip.after.item)
    json.member("expected", flip.after.expected)
    json.member("before") { write(flip.before, &$0) }
    json.member("after") { write(flip.after, &$0) }
  }

  static func write(_ ablation: Ablation, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      for (name, variants) in [("without", ablation.without), ("orders", ablation.orders)] {
        json.objects(name, variants) { json, variant in
          json.member("name", variant.name)
          json.member("accuracy") { write(variant.accuracy, &$0) }
          json.member("difference") { write(variant.difference, &$0) }
          json.member("changed", variant.changed)
        }
      }
      json.member("order_count", ablation.orderCount)
    }
  }

  static func write(_ repeats: Repeats, _ json: inout JSONWriter) {
    json.object(.lines) { json in
      json.objects("runs", zip(repeats.seconds, repeats.accuracies)) { json, run in
        json.member("seconds", run.0)
        json.member("accuracy") { write(run.1, &$0) }
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
      json.member("noise", difference.isNoise)
    }
  }

  private static func write(_ answer: Baseline.Answer, _ json: inout JSONWriter) {
    json.object { json in
      json.member("section", answer.section)
      json.member("confidence", answer.confidence)
      json.member("strategy", answer.strategy)
      json.member("reason", answer.reason)
      json.member("source", answer.source.map(WrongAnswer.place))
      json.member("location", answer.location.map(WrongAnswer.place))
    }
  }
}
