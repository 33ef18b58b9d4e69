import AisleCore
import HTTPTransport
import ModelServer
import Testing

struct `What a server writes` {
  private static let alphabets = [
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "abcdef0123456789",
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", (0x21..<0x7F).map { String(UnicodeScalar($0)) }.joined(),
  ]

  /// A word that no key has.
  private static let neutral = "Ζ…"

  @Test func `never shows most of the key, in whatever form it has it`() {
    var seed: UInt64 = 0
    for alphabet in Self.alphabets {
      for length in [8, 12, 16, 17, 20, 40, 51, 108] {
        seed += 1
        var generator = SeededGenerator(seed: seed)
        let key = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
        let secret = Secret(key)
        // Half of a key is the most that may be left of a short one; in an encoding, 8 digits are less than that.
        let most = max(4, min(8, (length + 1) / 2))
        for form in KeyForm.allCases {
          let written = form(key)
          for text in [written, "\(Self.neutral) '\(written)', \(Self.neutral)"] {
            let shown = secret.hidden(in: text)
            #expect(shown.contains("(key)"), "seed \(seed), \(form): `\(key)`: \(shown)")
            let isShared = KeyForm.share(shown.replacing("(key)", with: " ").utf8, written, run: most)
            #expect(!isShared, "seed \(seed), \(form): `\(key)`: \(shown)")
          }
        }
      }
    }
  }

  @Test func `is shown as it is where it has nothing of the key`() {
    let secret = Secret("sk-ant-REDACTED-Qx7vZ2mK9pLw")
    for text in [
      "", "x", "Overloaded", "rate_limit_error: Number of request tokens has exceeded your per-minute rate limit",
      "This request would exceed your organization’s monthly spend limit", "100 % of 5 %zz %4", "req_011CSHoEeqs5C35K2UUqR7Fy",
      "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001",
    ] {
      #expect(secret.hidden(in: text) == text)
    }
  }

  @Test func `keeps all but the word that has the key`() {
    let secret = Secret("sentinel-key-8c1f4e77")
    for (text, shown) in [
      ("the key sentinel-key-8c1f4e77 is odd", "the key (key) is odd"), ("sentinel-key-8c1f4e77", "(key)"),
      ("a sentinel-key-8c1f4e, b", "a (key), b"), ("bad: xx-SENTINEL-KEY-8C1F4E77-yy!", "bad: (key)!"),
      ("sentinel\u{200B}-key\u{200B}-8c1f4e77", "(key)"),
      ("one sentinel-key-8c1f4e77 and one 77e4f1c8-yek-lenitnes", "one (key) and one (key)"),
    ] {
      #expect(secret.hidden(in: text) == shown)
    }
  }

  @Test(arguments: ["", "a", "ab", "-", "----------", "%41%42%43%44%45", "né"])
  func `is searched for any key`(key: String) {
    #expect(Secret(key).hidden(in: "1 2 3") == "1 2 3")
    if key.utf8.count > 3 { #expect(Secret(key).hidden(in: "1 \(key) 3") == "1 (key) 3") }
  }
}
