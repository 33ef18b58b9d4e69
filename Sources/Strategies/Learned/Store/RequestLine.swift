package import AisleCore

/// A request to a language model as a line of JSON.
package enum RequestLine {
  package static func write(_ request: KeptRequest, to writer: JSONLineWriter) {
    let what: [(name: String, value: JSONLineWriter.Value?)] = [
      ("time", .text(Timestamp.text(request.time))), ("task", .text(request.task)), ("provider", .text(request.provider)),
      ("model", request.model.isEmpty ? nil : .text(request.model)), ("items", .whole(request.items)),
      ("attempt", .whole(request.attempt)),
    ]
    let cost: [(name: String, value: JSONLineWriter.Value?)] = [
      ("tokens-in", .whole(request.inputTokens)), ("tokens-kept", .whole(request.cachedTokens)),
      ("tokens-out", .whole(request.outputTokens)), ("dollars", request.dollars.map { .number($0) }),
      ("estimated", .flag(request.isEstimate)),
    ]
    let outcome: [(name: String, value: JSONLineWriter.Value?)] = [
      ("milliseconds", .whole(request.duration)), ("status", request.status.map { .whole($0) }),
      ("request-id", request.requestID.map { .text($0) }), ("failure", request.failure.map { .text($0) }),
    ]
    writer.add(what + cost + outcome)
  }
}
