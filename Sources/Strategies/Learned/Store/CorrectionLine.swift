package import AisleCore

/// A correction as a line of JSON.
package enum CorrectionLine {
  private static let fields = ["store", "item", "section", "shelf", "by", "model", "time"]

  package static func read(_ line: JSONFields) throws(JSONFault) -> Correction {
    try line.allow(fields)
    return Correction(
      store: try line.text("store"), item: try line.text("item"), section: try line.text("section"),
      shelf: try line.optionalText("shelf"), origin: try OriginFields.read(line))
  }

  package static func write(_ correction: Correction, to writer: JSONLineWriter) {
    writer.add(
      [
        ("store", .text(correction.store)), ("item", .text(correction.item)), ("section", .text(correction.section)),
        ("shelf", correction.shelf.map { .text($0) }),
      ] + OriginFields.values(correction.origin))
  }
}
