package import AisleCore

/// A suggestion as a line of JSON.
package enum SuggestionLine {
  private static let fields = [
    "number", "id", "store", "item", "from", "to", "shelf", "confidence", "list", "by", "model", "time", "state",
  ]

  package static func read(_ line: JSONFields) throws(JSONFault) -> Suggestion {
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

  /// Writes a suggestion.
  ///
  /// - Parameters:
  ///   - number: Its number in the corrections file.
  ///   - id: What whoever asked calls the item.
  package static func write(
    _ suggestion: Suggestion, number: Int? = nil, id: JSONLineWriter.Value? = nil, to writer: JSONLineWriter
  ) {
    writer.add(
      [
        ("number", number.map { .whole($0) }), ("id", id), ("store", .text(suggestion.store)), ("item", .text(suggestion.item)),
        ("from", .text(suggestion.from)),
        ("to", .text(suggestion.to)), ("shelf", suggestion.shelf.map { .text($0) }),
        ("confidence", suggestion.confidence.map { .number($0) }), ("list", suggestion.list.map { .text($0) }),
      ] + OriginFields.values(suggestion.origin) + [("state", .text(suggestion.state.rawValue))])
  }
}
