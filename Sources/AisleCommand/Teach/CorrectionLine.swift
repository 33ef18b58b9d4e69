import AisleCore
import LearnedStrategy

/// A correction as a line of JSON.
enum CorrectionLine {
  private static let fields = ["store", "item", "section", "shelf", "by", "model", "time"]

  static func read(_ line: JSONFields) throws(JSONFault) -> Correction {
    try line.allow(fields)
    return Correction(
      store: try line.text("store"), item: try line.text("item"), section: try line.text("section"),
      shelf: try line.optionalText("shelf"), origin: try OriginFields.read(line))
  }

  static func write(_ correction: Correction, to writer: JSONLineWriter) {
    writer.add(
      [
        ("store", .text(correction.store)), ("item", .text(correction.item)), ("section", .text(correction.section)),
        ("shelf", correction.shelf.map { .text($0) }),
      ] + OriginFields.values(correction.origin))
  }
}

/// A suggestion as a line of JSON.
enum SuggestionLine {
  private static let fields = [
    "id", "store", "item", "from", "to", "shelf", "confidence", "list", "by", "model", "time", "state",
  ]

  static func read(_ line: JSONFields) throws(JSONFault) -> Suggestion {
    try line.allow(fields)
    let written = try line.optionalText("state") ?? Suggestion.State.pending.rawValue
    guard let state = Suggestion.State(rawValue: written) else {
      throw JSONFault(
        message: "no state `\(written)`; use one of \(Suggestion.State.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return Suggestion(
      store: try line.text("store"), item: try line.text("item"), from: try line.text("from"), to: try line.text("to"),
      shelf: try line.optionalText("shelf"), confidence: try line.optionalNumber("confidence"),
      list: try line.optionalText("list"), origin: try OriginFields.read(line), state: state)
  }

  static func write(_ suggestion: Suggestion, id: Int? = nil, to writer: JSONLineWriter) {
    writer.add(
      [
        ("id", id.map { .whole($0) }), ("store", .text(suggestion.store)), ("item", .text(suggestion.item)),
        ("from", .text(suggestion.from)),
        ("to", .text(suggestion.to)), ("shelf", suggestion.shelf.map { .text($0) }),
        ("confidence", suggestion.confidence.map { .number($0) }), ("list", suggestion.list.map { .text($0) }),
      ] + OriginFields.values(suggestion.origin) + [("state", .text(suggestion.state.rawValue))])
  }
}

/// Who or what proposed something, and when, as fields of a line.
private enum OriginFields {
  static func read(_ line: JSONFields) throws(JSONFault) -> Origin {
    let written = try line.text("time")
    guard let time = Timestamp.milliseconds(written) else {
      throw JSONFault(message: "field `time`: `\(written)` must have the form 2026-11-21T16:03:42Z or 2026-11-21T16:03:42.125Z")
    }
    return Origin(proposer: try line.text("by"), model: try line.optionalText("model"), time: time)
  }

  static func values(_ origin: Origin) -> [(name: String, value: JSONLineWriter.Value?)] {
    [
      ("by", .text(origin.proposer)), ("model", origin.model.map { .text($0) }),
      ("time", .text(Timestamp.text(origin.time))),
    ]
  }
}
