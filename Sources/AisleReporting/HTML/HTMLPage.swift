import AisleCore
import AisleEvaluation
import AisleFiles

/// A page being made of a report; its parts are in files of their own.
struct HTMLPage {
  /// A part of the page, with its heading.
  struct Part {
    let id: String
    let title: String
    let body: Markup
  }

  let report: Report
  let rowLimit: Int
  private let hues: SectionHues

  init(_ report: Report, rowLimit: Int) {
    self.report = report
    self.rowLimit = rowLimit
    hues = SectionHues(report.evaluation)
  }

  var evaluation: Evaluation { report.evaluation }

  /// The whole document.
  var document: Markup {
    let parts = [
      changes, sections, confusion, errors, calibration, tags, strategies, ablation, repeats,
    ].compactMap { $0 }
    let links = parts.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" as Markup }
    let bodies = parts.map { part in
      """
      <section id="\(part.id)" aria-labelledby="\(part.id)-title">
      <h2 id="\(part.id)-title" tabindex="-1">\(part.title)</h2>
      \(part.body)</section>

      """ as Markup
    }
    return HTMLDocument(
      tool: report.tool, title: title, heading: evaluation.taxonomy.title, subtitle: subtitle,
      main: """
        \(headline)<nav aria-label="Parts of the report">
        <ul>
        \(links)</ul>
        </nav>
        \(bodies)
        """,
      about: "store \(evaluation.taxonomy.store) · chain <code>\(evaluation.chain.text)</code>"
    ).markup
  }

  private var changes: Part? {
    report.comparison.map { comparison in
      let changes = HTMLChanges(comparison: comparison, hues: hues, rowLimit: rowLimit)
      return Part(id: "changes", title: "Since the baseline", body: changes.markup)
    }
  }

  private var title: String {
    "\(report.isPassed ? "" : "FAILED: ")\(evaluation.taxonomy.title), \(Figures.percent(evaluation.metrics.accuracy.value)) right"
  }

  private var subtitle: Markup {
    "\(Figures.items(evaluation.items.count)) · chain <code>\(evaluation.chain.text)</code> · answered in \(Figures.time(evaluation.seconds))"
  }
}

// MARK: Words

extension HTMLPage {
  /// A section's name with its hue.
  func section(_ name: String) -> Markup { hues.section(name) }

  /// The name of the class that gives an element the hue of a section.
  func hue(_ name: String) -> String { hues.hue(name) }

  /// Sections that are all right, best first.
  func sections(_ names: [String]) -> Markup { hues.sections(names) }

  /// An item as it was written, of bounded length.
  static func item(_ text: String) -> Markup { "<bdi>\(bounded(text))</bdi>" }

  /// `path:line`, to be copied whole.
  static func place(_ location: SourceLocation?) -> Markup {
    guard let location else { return "" }
    let parts = bounded(location.path).split(separator: "/", omittingEmptySubsequences: false)
    let path = parts.dropFirst().reduce("\(String(parts.first ?? ""))" as Markup) { $0 + "/<wbr>\(String($1))" }
    return "<code class=\"at\">\(path):\(location.line)</code>"
  }

  /// A text of at most 400 scalars; `…` stands for the rest.
  static func bounded(_ text: String) -> String {
    if text.utf8.count <= 400 { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: 400, limitedBy: scalars.endIndex), end < scalars.endIndex else {
      return text
    }
    return String(scalars[..<end]) + "…"
  }

  /// Whether a difference is more than noise: `p = 0.031`, or `~` with its p.
  static func certainty(_ difference: PairedDifference) -> Markup {
    let p = Figures.pValue(difference.pValue)
    return difference.isNoise ? "<abbr title=\"may be noise\">~</abbr> \(p)" : "\(p)"
  }

  /// The class that colors a difference; none for noise.
  static func trend(_ difference: PairedDifference) -> Markup {
    guard let value = difference.value, value != 0, !difference.isNoise else { return "" }
    return value > 0 ? " good" : " bad"
  }
}
