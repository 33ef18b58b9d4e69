import AisleEvaluation

extension JSONReporter {
  static func write(_ proportion: Proportion, _ json: inout JSONWriter) {
    json.object { json in
      json.member("count", proportion.count)
      json.member("total", proportion.total)
      json.member("value", proportion.value)
      write(proportion.interval, &json)
    }
  }

  /// Writes an interval's ends as members.
  static func write(_ interval: ClosedRange<Double>?, _ json: inout JSONWriter) {
    json.member("low", interval?.lowerBound)
    json.member("high", interval?.upperBound)
  }

  static func write(_ metrics: Metrics, _ json: inout JSONWriter, layout: JSONWriter.Layout = .lines) {
    json.object(layout) { json in
      for (name, proportion) in [
        ("accuracy", metrics.accuracy), ("unplaced", metrics.unplaced), ("sure", metrics.sure),
        ("sure_accuracy", metrics.sureAccuracy),
      ] {
        json.key(name)
        write(proportion, &json)
      }
      json.member("macro_f1", metrics.macroF1)
      json.key("sections")
      json.array(layout) { json in for score in metrics.sections { write(score, &json) } }
      json.key("confusion")
      write(metrics.confusion, &json, layout: layout)
      json.key("calibration")
      write(metrics.calibration, &json, layout: layout)
    }
  }

  static func write(_ score: SectionScore, _ json: inout JSONWriter) {
    json.object { json in
      json.member("name", score.name)
      json.member("support", score.support)
      json.member("predicted", score.predicted)
      json.member("right", score.right)
      json.member("precision", score.precision)
      json.member("recall", score.recall)
      json.member("f1", score.f1)
    }
  }

  static func write(_ matrix: ConfusionMatrix, _ json: inout JSONWriter, layout: JSONWriter.Layout) {
    json.object(layout) { json in
      json.member("names", matrix.names)
      json.key("counts")
      json.array(layout) { json in
        for truth in matrix.names.indices {
          json.array { json in for answer in matrix.names.indices { json.value(matrix[truth, answer]) } }
        }
      }
      json.key("pairs")
      json.array(layout) { json in
        for pair in matrix.confusedPairs {
          json.object { json in
            json.member("expected", pair.truth)
            json.member("section", pair.answer)
            json.member("count", pair.count)
          }
        }
      }
    }
  }

  static func write(_ calibration: Calibration, _ json: inout JSONWriter, layout: JSONWriter.Layout) {
    json.object(layout) { json in
      json.member("expected_error", calibration.expectedError)
      json.key("bins")
      json.array(layout) { json in
        for bin in calibration.bins {
          json.object { json in
            json.member("from", bin.range.lowerBound)
            json.member("to", bin.range.upperBound)
            json.member("confidence", bin.confidence)
            json.key("accuracy")
            write(bin.accuracy, &json)
          }
        }
      }
    }
  }

  static func write(_ score: StrategyScore, _ json: inout JSONWriter) {
    json.object { json in
      json.member("name", score.name)
      json.member("decided", score.decided)
      json.key("precision")
      write(score.precision, &json)
      json.member("seconds", score.seconds)
      json.key("usage")
      guard let usage = score.usage else { return json.null() }
      json.object { json in
        json.member("requests", usage.requests)
        json.member("tokens", usage.tokens)
        json.member("dollars", usage.dollars)
      }
    }
  }

  static func write(_ overlap: StrategyOverlap, _ json: inout JSONWriter) {
    json.object { json in
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
}
