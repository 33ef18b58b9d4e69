package import AisleCore
import AisleEvaluation

/// A row of the report in words.
package struct KeywordRow {
  package let kind: String
  package let written: String
  package let strength: String
  package let place: String
  package let section: String
  package let location: SourceLocation

  package init(_ score: KeywordScore, in report: KeywordReport) {
    let taxonomy = report.evaluation.taxonomy
    let source: SourceLocation
    switch score.subject {
    case .keyword(let id):
      let keyword = taxonomy.keywords[id]
      (kind, written, strength) = ("keyword", keyword.strength.sign + keyword.text, "\(keyword.strength)")
      (place, section) = (KeywordReport.place(keyword, in: taxonomy), taxonomy[keyword.section].name)
      source = keyword.location
    case .pattern(let id):
      let pattern = taxonomy.patterns[Int(id.rawValue)]
      (kind, written, strength) = ("pattern", pattern.name, "")
      (place, section) = (
        pattern.shelf.map { taxonomy[$0].name } ?? taxonomy[pattern.section].name, taxonomy[pattern.section].name
      )
      source = pattern.location
    case .move(let number):
      let move = taxonomy.moves[number]
      (kind, written, strength) = ("move", "\(move.word) ->", "")
      (place, section) = (taxonomy[move.to].name, taxonomy[taxonomy[move.to].section].name)
      source = move.location
    }
    location = SourceLocation(path: source.path, line: source.line)
  }

  /// The file and line, with the shelf or section where the file's name does not say it.
  package var shownPlace: String { location.path.hasSuffix("/\(place).txt") ? "\(location)" : "\(location) (\(place))" }
}
