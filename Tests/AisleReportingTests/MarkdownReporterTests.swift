import AisleEvaluation
import Foundation
import Testing

@testable import AisleReporting

@Suite("The markdown report")
struct MarkdownReporterTests {
  private static let times = [(regex: #"[0-9.]+ (µs|ms|s)\b"#, replacement: "0 s")]

  @Test("The gate and what changed come first, then where the mistakes are")
  func golden() async throws {
    let bytes = MarkdownReporter().write(try await SampleReport.make())
    expectGolden(bytes, "report.md", masking: Self.times)
    let text = String(decoding: bytes, as: UTF8.self)
    let titles = ["# Corner", "## Gate", "## Since", "## Lost", "## Figures", "## Sections\n", "## Tags", "## Worst"]
    let places = titles.map { ("\n" + text).range(of: "\n\($0)")?.lowerBound ?? text.endIndex }
    #expect(places == places.sorted() && places.last != text.endIndex)
  }

  @Test("Without a baseline and a gate it says nothing of them")
  func plain() async throws {
    expectGolden(MarkdownReporter().write(try await SampleReport.make(isPlain: true)), "report.plain.md", masking: Self.times)
  }

  @Test("It is 1 MiB at most, cut at a row, and says how many rows are left out")
  func size() async throws {
    let noise = String(repeating: "@$ \u{1F600}#|", count: 60)
    let report = try await HostileReport.make((0..<3000).map { "milk \($0) \(noise)" }, hasBaseline: true)
    let bytes = MarkdownReporter().write(report)
    #expect(bytes.count <= 1 << 20)
    #expect(bytes.count > 1 << 18)
    let text = String(decoding: bytes, as: UTF8.self)
    let lost = try #require(text.components(separatedBy: "## Lost").last?.components(separatedBy: "\n## ").first)
    let rows = lost.components(separatedBy: "\n| ").count - 3
    #expect(rows > 20)
    #expect(lost.hasSuffix("\n\n\(Figures.count(3000 - rows)) more rows are left out.\n"))
    #expect(text.contains("## Worst errors"), "the tables before leave room for the last")
    expectRows(text)
  }

  @Test("It is 1 MiB at most whatever the page is given")
  func page() {
    for limit in [0, 100, 300, 1000, 5000] {
      var page = MarkdownPage(limit: limit)
      for _ in 0..<5 {
        page.add(String(repeating: "x", count: 90))
        page.table("T", [.text("a"), .figure("b")], count: 100, share: 400) { ["\($0)", "|"] }
      }
      #expect(page.bytes.count <= limit)
    }
  }

  @Test("No text breaks out of its cell")
  func hostile() async throws {
    let items = ["milk | `a` <b> [c](http://d) @e #1", "milk $x$ www.evil.com :tada: ~~f~~ *g* __h__ \\", "milk \u{202E}i"]
    let text = String(decoding: MarkdownReporter().write(try await HostileReport.make(items, hasBaseline: true)), as: UTF8.self)
    expectRows(text)
    for raw in ["`", "<b", "](", "@e", " #1", "www.", "://", ":tada", "~~", "*g", "__", "]]>", "</f", "\u{202E}", "\u{1}", "\r"] {
      #expect(!text.contains(raw), "\(raw)")
    }
  }

  @Test(
    "Texts are escaped",
    arguments: [
      ("a|b", "a&#124;b"), ("`a`", "&#96;a&#96;"), ("<a href='b'>", "&lt;a href='b'&gt;"), ("a\nb\r", "a␊b␍"),
      ("& ]]>", "&amp; &#93;&#93;&gt;"), ("a.tsv:12, 1.5 l", "a.tsv:12, 1.5 l"), ("@you", "&#64;<!-- -->you"),
      ("http://x", "http&#58;<!-- -->//x"), ("WWW.x", "WWW&#46;<!-- -->x"), ("\\|", "&#92;&#124;"), ("$1", "<span>$</span>1"),
    ])
  func escaping(_ text: String, _ escaped: String) { #expect(Escaping.markdown(text) == escaped) }

  /// Expects every row to have as many cells as its table's head.
  private func expectRows(_ text: String) {
    var columns: Int?
    for line in text.components(separatedBy: "\n") {
      guard line.hasPrefix("|") else {
        columns = nil
        continue
      }
      let cells = line.filter { $0 == "|" }.count
      #expect(cells == columns ?? cells && line.hasSuffix(" |"), "\(line.prefix(200))")
      columns = cells
    }
  }
}
