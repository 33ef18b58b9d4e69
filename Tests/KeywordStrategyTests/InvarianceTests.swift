import AisleCore
import Foundation
import KeywordStrategy
import Testing

/// How an item is written down must not decide where it belongs.
@Suite struct InvarianceTests {
  /// A way to write any item differently.
  struct Rewriting: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let apply: @Sendable (String) -> String

    init(_ name: String, _ apply: @escaping @Sendable (String) -> String) { (testDescription, self.apply) = (name, apply) }

    static func before(_ text: String) -> Rewriting { Rewriting("“\(text)” before it") { text + $0 } }
    static func after(_ text: String) -> Rewriting { Rewriting("“\(text)” after it") { $0 + text } }
  }

  private static let rewritings: [Rewriting] =
    [
      "2 ", "3 x ", "2x ", "12 oz ", "1.5 lb ", "1/2 lb ", "½ lb ", "500g ", "6pk ", "12-pack ", "10 ct ", "two ", "1 lb of ",
      "3 lbs. ", "16 fl oz ", "bag of ", "2 boxes ", "a dozen ", "some ", "organic ",
      "1. ", "2) ", "  3. ", "10. ", "12) ",
    ].map(Rewriting.before)
    + [
      ", 12 oz", ", 2 lb", " 12 oz", " x2", " (2)", ", 6 ct", ", 500 g", " - 1 lb", " 2%", "!!", " 🙂", " (x3)", " 2 dz",
      " (organic)", ", organic", " - organic",
      " (for mom)", " (coupon)", " (rain check)", " (not the big one)",
    ].map(Rewriting.after)
    + [
      Rewriting("upper case") { $0.uppercased() },
      Rewriting("capitalized") { $0.capitalized },
      Rewriting("decomposed") { $0.decomposedStringWithCanonicalMapping },
      Rewriting("composed") { $0.precomposedStringWithCanonicalMapping },
      Rewriting("full width") { item in
        item.unicodeScalars.map { scalar in
          String((0x21...0x7E).contains(scalar.value) ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar)
        }.joined()
      },
      Rewriting("plain letters") { $0.folding(options: .diacriticInsensitive, locale: Locale(identifier: "en_US_POSIX")) },
      Rewriting("blanks around") { "  \t\($0)  \r" },
      Rewriting("wide blanks") { $0.split(separator: " ").joined(separator: " \u{A0} ") },
      Rewriting("a bullet before it") { "• " + $0 },
      Rewriting("a box before it") { "- [ ] " + $0 },
    ]

  @Test func `there are 200 ordinary items, all known`() throws {
    #expect(Set(OrdinaryItems.all).count == OrdinaryItems.all.count)
    #expect(OrdinaryItems.all.count >= 200)
    let decisions = try KrogerFolder.phrase.decisions(OrdinaryItems.all, in: try KrogerFolder.taxonomy)
    let unknown = zip(OrdinaryItems.all, decisions).filter { $0.1 == nil }.map(\.0)
    #expect(unknown.isEmpty, "undecided: \(unknown)")
  }

  @Test(arguments: rewritings) func `the section stays when an item is written with`(rewriting: Rewriting) throws {
    let taxonomy = try KrogerFolder.taxonomy
    let strategy = try KrogerFolder.phrase
    let plain = strategy.decisions(OrdinaryItems.all, in: taxonomy)
    let rewritten = strategy.decisions(OrdinaryItems.all.map(rewriting.apply), in: taxonomy)
    for (item, (before, after)) in zip(OrdinaryItems.all, zip(plain, rewritten)) where before?.section != after?.section {
      Issue.record(
        """
        `\(item)` → \(strategy.explain(before, in: taxonomy)), \
        but `\(rewriting.apply(item))` → \(strategy.explain(after, in: taxonomy))
        """)
    }
  }

  @Test func `where in a block of 64 bytes an item stands does not matter`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    let strategy = try KrogerFolder.phrase
    for item in ["peanut butter cookies", "tomatoes, diced, 28oz can", "crème fraîche", "yogurt with granola"] {
      let plain = try #require(strategy.decision(item, in: taxonomy))
      for blanks in 0...130 {
        var expected = plain
        expected.evidence.span = plain.evidence.span.map { $0.lowerBound + blanks..<$0.upperBound + blanks }
        let moved = strategy.decision(String(repeating: " ", count: blanks) + item, in: taxonomy)
        #expect(moved == expected, "\(blanks) blanks before `\(item)`")
      }
    }
  }
}
