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
      json.member("accuracy") { write(metrics.accuracy, &$0) }
      json.member("unplaced") { write(metrics.unplaced, &$0) }
      json.member("sure") { write(metrics.sure, &$0) }
      json.member("sure_accuracy") { write(metrics.sureAccuracy, &$0) }
      json.member("macro_f1", metrics.macroF1)
      json.objects("sections", metrics.sections, layout: layout) { json, score in
        json.member("name", score.name)
        json.member("support", score.support)
        json.member("predicted", score.predicted)
        json.member("right", score.right)
        json.member("precision", score.precision)
        json.member("recall", score.recall)
        json.member("f1", score.f1)
      }
      json.member("confusion") { write(metrics.confusion, &$0, layout) }
      json.member("calibration") { write(metrics.calibration, &$0, layout) }
    }
  }

  private static func write(_ matrix: ConfusionMatrix, _ json: inout JSONWriter, _ layout: JSONWriter.Layout) {
    json.object(layout) { json in
      json.member("names", matrix.names)
      json.member("counts") { json in
        json.array(layout) { json in
          for truth in matrix.names.indices {
            json.array { json in for answer in matrix.names.indices { json.value(matrix[truth, answer]) } }
          }
        }
      }
      json.objects("pairs", matrix.confusedPairs, layout: layout) { json, pair in
        json.member("expected", pair.truth)
        json.member("section", pair.answer)
        json.member("count", pair.count)
      }
    }
  }

  private static func write(_ calibration: Calibration, _ json: inout JSONWriter, _ layout: JSONWriter.Layout) {
    json.object(layout) { json in
      json.member("expected_error", calibration.expectedError)
      json.objects("bins", calibration.bins, layout: layout) { json, bin in
        json.member("from", bin.range.lowerBound)
        json.member("to", bin.range.upperBound)
        json.member("confidence", bin.confidence)
        json.member("accuracy") { write(bin.accuracy, &$0) }
      }
    }
  }
}
