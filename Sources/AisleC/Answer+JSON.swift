import AisleCore
import AisleKit

extension Answer {
  /// The answer as a JSON object, with the fields that `encode` writes and the confidence as the command writes it.
  var json: [UInt8] {
    let writer = JSONLineWriter()
    writer.add([
      ("item", .text(item)), ("section", .text(section)), ("section_id", .text(sectionID)), ("color", .text(color.rawValue)),
      ("shelf", shelf.map { .text($0) }), ("confidence", .written(Explanation.hundredths(confidence))),
      ("strategy", .text(strategy ?? "none")), ("keyword", keyword.map { .text($0) }), ("match", match.map { .text($0) }),
      ("span", span.map { .text("\($0.lowerBound)-\($0.upperBound)") }), ("rule", rule.map { .text($0) }),
      ("source", source.map { .text($0) }), ("runner_up", runnerUp.map { .text($0) }),
      ("second_opinion", secondOpinion.map { .text($0) }), ("note", note.map { .text($0) }),
    ])
    return writer.bytes.last == UInt8(ascii: "\n") ? Array(writer.bytes.dropLast()) : writer.bytes
  }
}
