import AisleEvaluation
import AisleFiles

/// A whole page: what every report has around its own parts.
struct HTMLDocument {
  let tool: String
  /// The title of the window.
  let title: String
  /// The heading of the page.
  let heading: String
  let subtitle: Markup
  let main: Markup
  /// What the page is about, for the line at its end.
  let about: Markup

  /// The document.
  var markup: Markup {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="aisle \(tool)">
    <title>\(title)</title>
    <style>\(HTMLPage.style)</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the report</a>
    <header>
    <h1>\(heading)</h1>
    <p>\(subtitle)</p>
    </header>
    <main id="main" tabindex="-1">
    \(main)</main>
    <footer>
    <p>aisle \(tool) · \(about)</p>
    <p>Intervals are at 95 %: Wilson score for shares, paired bootstrap for differences. p is from McNemar’s exact test.
    <b>~</b> marks a difference that may be noise (p ≥ 0.05). n/a: undefined.</p>
    </footer>
    <script>\(HTMLPage.script)</script>
    </body>
    </html>

    """
  }

  /// What the page may load and run: its own style and script, by their digests.
  private static let policy: Markup = """
    default-src 'none'; style-src '\(SHA256.source(of: HTMLPage.style.text))'; \
    script-src '\(SHA256.source(of: HTMLPage.script.text))'; base-uri 'none'; form-action 'none'
    """
}

extension HTMLDocument {
  /// The page about a change.
  init(_ report: ChangeReport, rowLimit: Int) {
    let comparison = report.comparison
    let points = Figures.signedPoints(comparison.difference.value)
    let changes = HTMLChanges(comparison: comparison, hues: SectionHues(), rowLimit: rowLimit)
    self.init(
      tool: report.tool, title: "\(report.isPassed ? "" : "FAILED: ")\(comparison.after.store), \(points) points",
      heading: comparison.after.store, subtitle: "\(Figures.items(comparison.difference.total)) in both evaluations",
      main: """
        <section id="changes" aria-labelledby="changes-title">
        <h2 id="changes-title" tabindex="-1">\(points) points</h2>
        \(HTMLGate(verdicts: report.verdicts).markup)\(changes.markup)</section>

        """, about: "store \(comparison.after.store)")
  }
}
