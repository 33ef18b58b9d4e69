import AisleCore

/// Who or what proposed something, and when, as fields of a line.
enum OriginFields {
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
