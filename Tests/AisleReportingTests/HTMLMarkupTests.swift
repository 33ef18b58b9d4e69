import AisleEvaluation
import Foundation
import Testing

import AisleFiles
@testable import AisleReporting

@Suite("Text in markup")
struct HTMLMarkupTests {
  @Test(
    "It cannot end an element or an attribute, nor start one",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload=\"x", "&quot; onload=&quot;x"), ("' x='", "&#39; x=&#39;"), ("`x`", "&#96;x&#96;"),
      ("&lt;b&gt;", "&amp;lt;b&amp;gt;"), ("a\u{338}<\u{338}>\u{338}", "a\u{338}&lt;\u{338}&gt;\u{338}"),
      ("<!--", "&lt;!--"), ("]]>", "]]&gt;"),
    ])
  func escaping(text: String, markup: String) {
    #expect(("\(text)" as Markup).text.unicodeScalars.elementsEqual(markup.unicodeScalars))
  }

  @Test(
    "What cannot be seen, or reorders what can, is made visible",
    arguments: [
      ("\u{1B}[31m", "␛[31m"), ("a\0b", "a␀b"), ("a\r\nb\tc", "a␍␊b␉c"), ("\u{7F}", "\u{FFFD}"), ("\u{85}", "\u{FFFD}"),
      ("\u{202E}x", "\u{FFFD}x"), ("\u{2066}x\u{2069}", "\u{FFFD}x\u{FFFD}"), ("\u{61C}x", "\u{FFFD}x"),
      ("a\u{200B}b", "a\u{FFFD}b"), ("\u{2028}", "\u{FFFD}"), ("\u{FFFE}", "\u{FFFD}"), ("a\u{AD}b", "a\u{FFFD}b"),
    ])
  func hidden(text: String, markup: String) { #expect(("\(text)" as Markup).text == markup) }

  @Test("Letters of any script, accents and joined emoji stay as they are", arguments: ["crème", "כרוב", "豆腐", "👩‍🍳🥑", "e\u{301}"])
  func letters(text: String) { #expect(("\(text)" as Markup).text.unicodeScalars.elementsEqual(text.unicodeScalars)) }

  @Test("Markup in markup stays markup")
  func nesting() {
    let inner: Markup = "<b>\("<")</b>"
    #expect(("<p>\(inner)\([inner, inner])\(3)</p>" as Markup).text == "<p><b>&lt;</b><b>&lt;</b><b>&lt;</b>3</p>")
  }

  @Test("The items of the sample cannot break out, and none of their bytes is a control character")
  func hostileItems() async throws {
    let report = try await SampleReport.make()
    let page = HTMLReporterTests.page(report, rowLimit: 5000)
    #expect(page.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)) })
    #expect(!page.contains("<dry>") && page.contains("Pantry &lt;dry&gt;"))
    #expect(!page.contains("<script>alert"))
  }

  @Test("Random texts never leave a raw character of markup")
  func random() throws {
    let alphabet: [Unicode.Scalar] = [
      "<", ">", "&", "\"", "'", "`", "a", "\u{0}", "\u{1B}", "\u{301}", "\u{202E}", "é", "🥑", "\r", "\n",
    ]
    for seed in 0..<200 {
      var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
      var text = String.UnicodeScalarView()
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      let scalars = ("\(String(text))" as Markup).text.unicodeScalars
      let hasMarkup = scalars.contains { "<>\"'`".unicodeScalars.contains($0) || $0.value < 0x20 }
      try #require(!hasMarkup, "seed \(seed)")
    }
  }

  @Test(
    "Digests are those of the standard's examples",
    arguments: [
      ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
      ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="),
    ])
  func digests(text: String, digest: String) { #expect(SHA256.source(of: text) == "sha256-" + digest) }

  @Test("Digests of all lengths around a block's are right")
  func digestLengths() {
    // The digest of the digests of 0 to 200 times the letter a, from Python's hashlib.
    let digests = (0...200).flatMap { SHA256.digest([UInt8](repeating: 0x61, count: $0)) }
    #expect(
      SHA256.source(of: String(digests.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()))
        == "sha256-61VSSL0gx4MeUR1EYbQsmwhOOmS0TVewAFEXL4r+A/8=")
  }
}
