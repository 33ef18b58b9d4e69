package import AisleCore

/// A correction as a line of JSON.
package enum CorrectionLine {
  private static let fields = ["store", "item", "section", "shelf", "by", "model", "time", "accepted-by"]

  package static func read(_ line: JSONFields) throws(JSONFault) -> Correction {
    try line.allow(fields)
    let (store, item, section) = (try line.text("store"), try line.text("item"), try line.text("section"))
    var origin = try OriginFields.read(line)
    origin.accepter = try line.optionalText("accepted-by")
    return Correction(store: store, item: item, section: section, shelf: try line.optionalText("shelf"), origin: origin)
  }

  package static func write(_ correction: Correction, to writer: JSONLineWriter) {
    writer.add(
      [
        ("store", .text(correction.store)), ("item", .text(correction.item)), ("section", .text(correction.section)),
        ("shelf", correction.shelf.map { .text($0) }),
      ] + OriginFields.values(correction.origin) + [("accepted-by", correction.origin.accepter.map { .text($0) })])
  }
}
