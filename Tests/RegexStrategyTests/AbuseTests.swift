import AisleCore
import AisleTesting
@testable import RegexStrategy
import Testing

/// Patterns that run away, and what is refused because of them.
@Suite struct AbuseTests {
  /// Expressions that take exponential or high polynomial time, each with a text to repeat and how an item ends.
  private static let runaways = [
    ("(a+)+$", "a", "!"), ("^(a|a)*$", "a", "!"), ("(.*a){12}b", "a", "b!"), ("a*a*[bc]", "a", "!"), (#"(\w+\s?)*$"#, "a", "!"),
    // As above, with the letter that the filter waits for at the item's start.
    ("(.*a){12}b", "a", ""), ("a*a*[bc]$", "a", "b!"),
  ]

  private static let cases = runaways.flatMap { runaway in
    [41, 256, 1 << 20].flatMap { length in [true, false].map { (runaway, length, $0) } }
  }

  /// 10 ms of this thread's own time, at the best of several tries: other programs are not counted.
  private static let mostSeconds = 0.01

  /// Expressions are tried as they are and behind a comment, which the filter does not read: then no item is spared.
  @Test(arguments: cases)
  func `no item takes more than 10 ms`(runaway: (String, String, String), length: Int, isJustInTime: Bool) {
    let (expression, text, end) = runaway
    let item = Array(String(repeating: text, count: length - end.utf8.count).utf8) + Array(end.utf8)
    var limits = RegexLimits()
    limits.isJustInTime = isJustInTime
    for written in [expression, "(?#)" + expression] {
      let store = PatternStore(written)
      let strategy = store.strategy(limits)
      var batch = Batch(taxonomy: store.taxonomy)
      batch.append(item)
      var best = Double.infinity
      for _ in 0..<5 where best > Self.mostSeconds {
        let start = threadSeconds
        strategy.decide(&batch)
        best = min(best, threadSeconds - start)
      }
      #expect(best <= Self.mostSeconds, "\(written) took \(best) s")
    }
  }

  @Test(arguments: [true, false]) func `a limit that is hit is an abstention, with one warning a pattern`(isJustInTime: Bool) {
    let store = PatternStore([
      .init(name: "first", expression: "(a+)+$"), .init(name: "second", expression: "(?#)^(a|a)*$", confidence: 0.8),
      .init(name: "sound", expression: "a!", confidence: 0.7),
    ])
    var limits = RegexLimits()
    limits.isJustInTime = isJustInTime
    let strategy = store.strategy(limits)
    let item = String(repeating: "a", count: 40) + "!"
    for _ in 0..<100 { #expect(strategy.pattern(item, in: store.taxonomy) == "sound") }
    #expect(
      store.warnings.lines == [
        "small.yaml:1:5: pattern `first` was abandoned on an item: match limit exceeded; rewrite it so that fewer parts can match in several ways",
        "small.yaml:2:5: pattern `second` was abandoned on an item: match limit exceeded; rewrite it so that fewer parts can match in several ways",
      ])
    #expect(strategy.pattern("AAA", in: store.taxonomy) == "first", "a pattern that was given up once is still tried")
  }

  @Test func `so it is when eight threads hit it at once`() async {
    let store = PatternStore("(a+)+$")
    let strategy = store.strategy()
    let item = Array((String(repeating: "a", count: 40) + "!").utf8)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            #expect(strategy.decisions([item, Array("aa".utf8)], in: store.taxonomy).map { $0 == nil } == [true, false])
          }
        }
      }
    }
    #expect(store.warnings.lines.count == 1)
  }

  @Test(arguments: [(true, "JIT stack"), (false, "heap limit exceeded")])
  func `matching uses no more than 1 MiB of memory`(isJustInTime: Bool, message: String) {
    // Each group is remembered at each of its turns, and every turn has a hundred of them.
    let store = PatternStore("(?#)^(?:" + String(repeating: "()", count: 100) + "a)*[bc]")
    var limits = RegexLimits()
    limits.isJustInTime = isJustInTime
    #expect(store.strategy(limits).pattern(String(repeating: "a", count: 256), in: store.taxonomy) == nil)
    #expect(store.warnings.lines.count == 1)
    #expect(store.warnings.lines.first?.contains(message) == true, "\(store.warnings.lines)")
  }

  @Test(arguments: [
    (#"a\Cb"#, 3, #"using \C is disabled by the application"#),
    ("a(b", 3, "missing closing parenthesis"), ("a[b", 3, "missing terminating ] for character class"),
    ("ab)", 2, "unmatched closing parenthesis"), (#"é\"#, 3, #"\ at end of pattern"#),
    ("*a", 0, "quantifier does not follow a repeatable item"),
    (#"\k<x>a"#, 3, "reference to non-existent subpattern"), ("(?<n>a)(?<n>b)", 12, "two named subpatterns have the same name"),
    (#"\p{Grocery}"#, 11, "unknown property"), ("(?<=a+)b", 0, "lookbehind assertion is not fixed length"),
  ]) func `an expression that PCRE2 must not see or cannot read abstains, and says where`(
    expression: String, offset: Int, message: String
  ) {
    let store = PatternStore(expression)
    let strategy = store.strategy()
    for item in ["abc", "é", expression] { #expect(strategy.pattern(item, in: store.taxonomy) == nil) }
    #expect(store.warnings.lines.count == 1)
    let start = "small.yaml:1:\(5 + offset): pattern `found` is not a valid regular expression: \(message)"
    #expect(store.warnings.lines.first?.hasPrefix(start) == true, "\(store.warnings.lines)")
  }

  @Test(arguments: ["(*UTF)a", "(*LIMIT_MATCH=1000000)a", "(*NO_JIT)a", "(*ANYCRLF)a"])
  func `options at an expression's start, which could lift the limits, are refused`(expression: String) {
    let store = PatternStore(expression)
    #expect(
      store.findings.map(\.description) == [
        "small.yaml:1:5: an expression must not begin with `(*`, which sets options; remove it"
      ])
    #expect(store.taxonomy.patterns.isEmpty)
    // A store that reaches the strategy without its builder, from a cache.
    let error = #expect(throws: CompiledPattern.Fault.self) {
      try CompiledPattern(expression, maximumBytes: 1024, isJustInTime: true)
    }
    #expect(error?.offset == 0)
  }

  @Test(arguments: [(1024, true), (1025, false)])
  func `an expression has at most 1,024 bytes`(count: Int, isTaken: Bool) {
    let expression = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "x")
    let store = PatternStore(expression)
    #expect(store.taxonomy.patterns.count == (isTaken ? 1 : 0))
    #expect(
      store.findings.map(\.description)
        == (isTaken
          ? []
          : ["small.yaml:1:5: the expression has 1025 bytes; at most 1024 are allowed (put words on shelves, not in patterns)"]))
    let compiled = try? CompiledPattern(expression, maximumBytes: 1024, isJustInTime: true)
    #expect((compiled != nil) == isTaken)
  }

  @Test(arguments: 1...20) func `random bytes as an expression are read or refused, and nothing worse`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", ".", #"\"#, "a", "k", "é", "🍎", "(?", "(?<", "(?=", "(?!", "[^",
      "[:", #"\d"#,
      #"\b"#, #"\K"#, "{2,", "3}", "-", "(?i)", "(?R)", #"\1"#, "(*", #"\Q"#, #"\E"#, #"\p{L}"#, "1", "/", " ",
    ]
    var read = 0
    for _ in 0..<500 {
      let expression = (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let store = PatternStore(expression)
      let strategy = store.strategy()
      for item in ["aak é", "🍎 1/1", expression] { _ = strategy.pattern(item, in: store.taxonomy) }
      #expect(store.warnings.lines.count <= 1, "\(expression)")
      read += store.warnings.lines.isEmpty ? 1 : 0
    }
    #expect(read > 20, "seed \(seed)")
  }
}
