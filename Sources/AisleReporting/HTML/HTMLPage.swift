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
  private let places: [String: Int]

  init(_ report: Report, rowLimit: Int) {
    self.report = report
    self.rowLimit = rowLimit
    places = Dictionary(zip(report.evaluation.sectionNames, 0...), uniquingKeysWith: { first, _ in first })
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
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="aisle \(report.tool)">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the report</a>
      <header>
      <h1>\(evaluation.taxonomy.name)</h1>
      <p>\(subtitle)</p>
      </header>
      <main id="main" tabindex="-1">
      \(headline)<nav aria-label="Parts of the report">
      <ul>
      \(links)</ul>
      </nav>
      \(bodies)</main>
      <footer>
      <p>aisle \(report.tool) · store \(evaluation.taxonomy.store) · chain <code>\(evaluation.chain.text)</code></p>
      <p>Intervals are at 95 %: Wilson score for shares, paired bootstrap for differences. p is from McNemar’s exact test.
      <b>~</b> marks a difference that may be noise (p ≥ 0.05). n/a: undefined.</p>
      </footer>
      <script>\(Self.script)</script>
      </body>
      </html>

      """
  }

  private var title: String {
    "\(report.isPassed ? "" : "FAILED: ")\(evaluation.taxonomy.name), \(Figures.percent(evaluation.metrics.accuracy.value)) right"
  }

  private var subtitle: Markup {
    "\(Self.items(evaluation.items.count)) · chain <code>\(evaluation.chain.text)</code> · answered in \(Figures.time(evaluation.seconds))"
  }

  /// What the page may load and run: its own style and script, by their digests.
  private static let policy: Markup = """
    default-src 'none'; style-src '\(SHA256.source(of: style.text))'; script-src '\(SHA256.source(of: script.text))'; \
    base-uri 'none'; form-action 'none'
    """
}

// MARK: Words

extension HTMLPage {
  /// A section's name with its hue.
  func section(_ name: String) -> Markup { "<span class=\"s \(hue(name))\">\(name)</span>" }

  /// The name of the class that gives an element the hue of a section.
  func hue(_ name: String) -> String {
    (places[name].map(evaluation.color) ?? SectionColor.forUnknownSection(named: name)).rawValue
  }

  /// Sections that are all right, best first.
  func sections(_ names: [String]) -> Markup {
    names.dropFirst().reduce(names.first.map(section) ?? "") { $0 + " or " + section($1) }
  }

  /// An item as it was written, of bounded length.
  static func item(_ text: String) -> Markup { "<bdi>\(bounded(text))</bdi>" }

  /// `path:line`, to be copied whole.
  static func place(_ location: SourceLocation?) -> Markup {
    guard let location else { return "" }
    let parts = bounded(location.path).split(separator: "/", omittingEmptySubsequences: false)
    let path = parts.dropFirst().reduce("\(String(parts.first ?? ""))" as Markup) { $0 + "/<wbr>\(String($1))" }
    return "<code class=\"at\">\(path):\(location.line)</code>"
  }

  /// `1 item`, `1,234 items`.
  static func items(_ count: Int) -> String { Self.count(count, "item") }

  /// `1 thing`, `1,234 things`.
  static func count(_ count: Int, _ noun: String) -> String { "\(Figures.count(count)) \(noun)\(count == 1 ? "" : "s")" }

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
    return difference.isNoise() ? "<abbr title=\"may be noise\">~</abbr> \(p)" : "\(p)"
  }

  /// The class that colors a difference; none for noise.
  static func trend(_ difference: PairedDifference) -> Markup {
    guard let value = difference.value, value != 0, !difference.isNoise() else { return "" }
    return value > 0 ? " good" : " bad"
  }
}
