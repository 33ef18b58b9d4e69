import AisleCore
package import AisleEvaluation

/// Writes how far the labels of two people agree.
package struct AgreementReporter {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// The figures as text for people.
  package func text(_ agreement: Agreement) -> String {
    let (first, second) = Self.names(agreement)
    let share = agreement.share
    var table = Table()
    func row(_ name: String, _ value: String, _ interval: String, _ note: String) {
      table.add([.left(name), .right(value, style.bold), .left(interval, style.dim), .left(note, style.dim)])
    }
    row(
      "agreement", Figures.percent(share.value), Figures.percent(share.interval),
      "\(Figures.count(share.count)) of \(Figures.items(share.total)) have the same \(agreement.kind.rawValue)")
    let kappa = agreement.kappa
    let interval = kappa.interval.map { "\(Figures.score($0.lowerBound)) to \(Figures.score($0.upperBound))" }
    row(
      "Cohen's kappa", Figures.score(kappa.value), interval ?? Figures.undefined,
      kappa.value == nil ? "all labels are of one \(agreement.kind.rawValue)" : "agreement beyond chance")
    var text = table.render()
    text += "  \(Figures.items(agreement.onlyFirst)) only in \(first), \(Figures.count(agreement.onlySecond)) only in \(second)\n"
    if agreement.inapplicable > 0 {
      text += "  \(Figures.items(agreement.inapplicable)) left out: no section of this store for their labels\n"
    }
    let count = agreement.disagreements.count
    return text + "\n\(count == 0 ? "no" : Figures.count(count)) disagreement\(count == 1 ? "" : "s")\n"
  }

  /// A row for each disagreement: the item, what each person says, and where each says it.
  package func rows(_ agreement: Agreement) -> [[String]] {
    agreement.disagreements.map { [$0.item, $0.first, $0.second, "\($0.firstLocation)", "\($0.secondLocation)"] }
  }

  /// Everything as one JSON object, for programs: shares and kappa are numbers rounded to six decimals, or `null` if undefined.
  package func json(_ agreement: Agreement) -> [UInt8] {
    let output = ReportBuffer()
    var json = JSONWriter(output)
    json.object(.lines) { json in
      json.member("format", "aisle-agreement")
      json.member("version", JSONReporter.version)
      json.member("by", agreement.kind.rawValue)
      json.member("first", agreement.firstFiles)
      json.member("second", agreement.secondFiles)
      json.member("only_first", agreement.onlyFirst)
      json.member("only_second", agreement.onlySecond)
      json.member("inapplicable", agreement.inapplicable)
      json.member("agreement") { JSONReporter.write(agreement.share, &$0) }
      json.member("kappa") { json in
        json.object { json in
          json.member("value", agreement.kappa.value)
          json.member("standard_error", agreement.kappa.standardError)
          JSONReporter.write(agreement.kappa.interval, &json)
        }
      }
      json.objects("disagreements", agreement.disagreements) { json, row in
        json.member("item", row.item)
        json.member("first", row.first)
        json.member("second", row.second)
        json.member("first_location", "\(row.firstLocation)")
        json.member("second_location", "\(row.secondLocation)")
      }
    }
    output.append("\n")
    return output.bytes
  }

  private static func names(_ agreement: Agreement) -> (first: String, second: String) {
    func name(_ files: [String]) -> String { Style.visible(files.joined(separator: ", ")) }
    return (name(agreement.firstFiles), name(agreement.secondFiles))
  }
}
