import Testing

@testable import AisleReporting

/// What is shown for characters that a terminal would obey or hide.
@Suite struct VisibleTextTests {
  @Test(
    "An emoji keeps what holds it together, and nothing else does",
    arguments: [
      ("👩‍🍳 pie", "👩‍🍳 pie"), ("❤️ hearts 7️⃣", "❤️ hearts 7️⃣"), ("🏳️‍🌈", "🏳️‍🌈"), ("👍🏽", "👍🏽"), ("a\u{200D}b", "a\u{FFFD}b"),
      ("🍎\u{200D}", "🍎\u{FFFD}"),
      ("🍎\u{200D}\u{200D}🍎", "🍎\u{FFFD}\u{FFFD}🍎"), ("🍎\u{FE0F}\u{FE0F}", "🍎\u{FE0F}\u{FFFD}"), ("a\u{FE0F}", "a\u{FFFD}"),
      ("🏴\u{E0067}", "🏴\u{FFFD}"), ("café ñ 豆腐 क्ष", "café ñ 豆腐 क्ष"), ("a\tb\0", "a␉b␀"),
    ])
  func emoji(text: String, shown: String) { #expect(VisibleText.line(text).unicodeScalars.elementsEqual(shown.unicodeScalars)) }
}
