import AisleCore
import AisleFiles
import AisleTesting
import Foundation
@testable import RegexStrategy
import Testing

/// The pass over an item that spares most patterns: it must never spare one that matches.
@Suite struct PatternFilterTests {
  private static let letters = [
    "a", "k", "s", "K", "S", "1", "2", "9", "/", "%", " ", "-", "é", "É", "×", "🍎", "🍏", "ß", "i", "_", "#",
  ]
  private static let itemLetters = letters + ["\u{17F}", "\u{212A}", "İ", "ẞ", "\t", "x", "0", "\u{FB05}", "~"]

  /// A random expression of the kind that people write, and of kinds that only the reader of texts must not stumble over.
  private static func expression(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    let count = Int.random(in: 1...4, using: &random)
    return (0..<count).map { _ in part(&random, depth) + quantifier(&random) }.joined()
      + (Int.random(in: 0..<4, using: &random) == 0 ? "|" + part(&random, depth) : "")
  }

  private static func part(_ random: inout SeededGenerator, _ depth: Int) -> String {
    func letter() -> String { letters.randomElement(using: &random) ?? "a" }
    switch Int.random(in: 0..<(depth > 2 ? 8 : 12), using: &random) {
    case 0:
      return [#"\d"#, #"\w"#, #"\s"#, ".", #"\D"#, #"\x{e9}"#, #"\p{L}"#, #"\/"#, #"\."#, #"\K"#].randomElement(using: &random)
        ?? ""
    case 1: return [#"\b"#, "^", "$", #"\B"#].randomElement(using: &random) ?? ""
    case 2:
      let inside = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        ["a-k", "0-3", #"\d"#, "é", "A-S", "🍎-🍏", "r-t", letters.filter { $0 != "-" }.randomElement(using: &random) ?? ""]
          .randomElement(using: &random) ?? ""
      }
      return "[\(Int.random(in: 0..<5, using: &random) == 0 ? "^" : "")\(inside.joined())]"
    case 3...7: return (0..<Int.random(in: 1...3, using: &random)).map { _ in letter() }.joined()
    default:
      let opening =
        ["(", "(?:", "(?:", "(?=", "(?!", "(?<!", "(?>", "(?i)(", "(?|", "(?<n>", "(?#a)("].randomElement(using: &random) ?? "("
      let inside = opening == "(?<!" ? letter() : expression(&random, depth: depth + 1)
      return "\(opening)\(inside)\(opening != "(?<!" && Bool.random(using: &random) ? "|\(letter())" : ""))"
    }
  }

  private static func quantifier(_ random: inout SeededGenerator) -> String {
    let all = ["?", "*", "+", "{2}", "{0,1}", "{1,}", "{0}", "??", "*?", "++", "{1,2}+", "{,2}", "{x}"]
    return Int.random(in: 0..<3, using: &random) == 0 ? all.randomElement(using: &random) ?? "" : ""
  }

  private static func item(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      if Int.random(in: 0..<40, using: &random) == 0 { bytes.append(UInt8.random(in: 0x80...0xFF, using: &random)) }
      bytes += Array((itemLetters.randomElement(using: &random) ?? "a").utf8)
    }
    return bytes
  }

  /// A comment is what the reader does not read, so that behind one PCRE2 is asked about every item.
  @Test(arguments: 1...8) func `an item is decided as it would be if every pattern were tried`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (known, matched) = (0, 0)
    for _ in 0..<60 {
      let written = Self.expression(&random)
      let (store, unread) = (PatternStore(written), PatternStore("(?#)" + written))
      if TextReader.texts(in: written) != nil { known += 1 }
      #expect(TextReader.texts(in: "(?#)" + written) == nil)
      let items = (0..<30).map { _ in Self.item(&random) }
      let found = store.strategy().decisions(items, in: store.taxonomy)
      let wanted = unread.strategy().decisions(items, in: unread.taxonomy)
      for (item, (found, wanted)) in zip(items, zip(found, wanted)) {
        #expect(
          found?.evidence.span == wanted?.evidence.span,
          "seed \(seed): \(written) on `\(String(decoding: item, as: UTF8.self))`")
        matched += wanted == nil ? 0 : 1
      }
    }
    #expect(known > 12 && matched > 60, "seed \(seed): \(known) expressions were read, \(matched) items matched")
  }

  @Test(arguments: 1...3) func `many patterns together decide as the best of each alone`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let entries = (0..<120).map { number in
      PatternStore.Entry(
        name: "p\(number)", expression: Self.expression(&random), confidence: Float(Int.random(in: 1...9, using: &random)) / 10,
        section: "s\(number % 7)")
    }
    let store = PatternStore(entries)
    let items = (0..<100).map { _ in Self.item(&random) }
    let together = store.strategy().decisions(items, in: store.taxonomy).map { $0?.evidence.pattern?.rawValue }
    var best = [(confidence: Float, number: UInt16)?](repeating: nil, count: items.count)
    for (number, entry) in entries.enumerated() {
      let alone = PatternStore([entry])
      for (place, decision) in alone.strategy().decisions(items, in: alone.taxonomy).enumerated() where decision != nil {
        if best[place].map({ $0.confidence < entry.confidence }) ?? true { best[place] = (entry.confidence, UInt16(number)) }
      }
    }
    #expect(together == best.map { $0?.number }, "seed \(seed)")
  }

  /// Texts as every match of an expression holds one of.
  @Test(arguments: [
    ("93/7", ["93/7"]), ("aa|bb", ["aa", "bb"]), ("a(?:b|cd)e", ["abe", "acde"]), ("colou?r", ["color", "colour"]),
    (#"\baa-batt(?:ery|eries)?\b"#, ["aa-batt", "aa-battery", "aa-batteries"]), (#".*\bq+x"#, ["qx"]), ("(12)pk", ["12pk"]),
    ("qu{2}", ["qu"]), ("A", ["a"]), ("(?=milk)k", ["k"]), (#"[ab]{3}-[12]?"#, ["a-", "b-", "a-1", "a-2", "b-1", "b-2"]),
    ("[12]+ ?%zq", ["1%zq", "1 %zq", "2%zq", "2 %zq"]), (#"kz(?:[12]+oz)+"#, ["1oz", "2oz"]), ("a(?:[12]+zq)b", ["1zq", "2zq"]),
    ("🍎|[🍏🍐]x", ["🍎", "🍏x", "🍐x"]),
  ]) func `every match holds one of these texts`(expression: String, texts: [String]) {
    #expect(TextReader.texts(in: expression).map(Set.init) == Set(texts.map { TextReader.Text($0.utf8) }))
  }

  @Test(arguments: [
    "", "a*", ".", "a?", "(?i)a", #"\Qa\E"#, #"(a)\1"#, "(?R)", "(?<n>a)", "(?(1)a|b)", "a|", "[^a]", "(*F)", "[[:alpha:]]",
    #"\pL"#,
    "a|.",
    #"\x61"#, #"\141"#, "(a", "a{2", #"\K"#, "\u{17F}",
  ]) func `nothing is certain about`(expression: String) {
    #expect(TextReader.texts(in: expression) == nil)
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func kroger() throws -> Taxonomy {
    try TaxonomyFolder(path: root.appending(path: "taxonomies").path).load("kroger").taxonomy
  }

  /// Pieces of items such as patterns look for, put together at random.
  private static func madeUp(_ random: inout SeededGenerator, _ words: [String]) -> [UInt8] {
    let signs = ["%", "/", "-", "x", "#", "?", ".", ",", "×", "½", "@", "  ", " ", " ", " ", ""]
    let units = ["oz", "lb", "LBS", "pk", "ct", "ml", "fl oz", "pack", "dozen", "grade a", "aa", "w", "watt", "mg", "spf"]
    return Array(
      (0..<Int.random(in: 1...5, using: &random)).map { _ in
        let part: String =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: "\(Int.random(in: 0...999, using: &random))"
          case 1: units.randomElement(using: &random) ?? ""
          default: words.randomElement(using: &random) ?? ""
          }
        return part + (signs.randomElement(using: &random) ?? "")
      }.joined().utf8)
  }

  @Test func `Kroger's patterns decide the corpus and made-up items as if each were tried on every item`() throws {
    let taxonomy = try Self.kroger()
    let corpus = Self.root.appending(path: "corpus")
    var items: [[UInt8]] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: corpus.path) where file.hasSuffix(".tsv") {
      let text = try String(contentsOf: corpus.appending(path: file), encoding: .utf8)
      items += text.split(separator: "\n").map { Array($0.prefix { $0 != "\t" }.utf8) }
    }
    #expect(items.count > 4_000)
    items += taxonomy.patterns.flatMap { ($0.matches + $0.rejects).map { Array($0.item.utf8) } }
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    let words = taxonomy.keywords.map(\.text)
    items += (0..<20_000).map { _ in Self.madeUp(&random, words) }
    let found = RegexStrategy(taxonomy).decisions(items, in: taxonomy)
    let wanted = RegexStrategy(taxonomy, limits: RegexLimits(), isFiltering: false).decisions(items, in: taxonomy)
    for (item, (found, wanted)) in zip(items, zip(found, wanted)) where found != wanted {
      Issue.record("seed \(seed): `\(String(decoding: item, as: UTF8.self))` is \(found as Any), should be \(wanted as Any)")
    }
    let matched = wanted.count { $0 != nil }
    #expect(matched > 1_000, "seed \(seed): \(matched) items matched")
  }

  @Test func `of Kroger's patterns hardly any is tried on an item that it does not match`() throws {
    let taxonomy = try Self.kroger()
    let index = PatternIndex(taxonomy.patterns)
    let items = taxonomy.keywords.map(\.text)
    let marked = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: (taxonomy.patterns.count + 63) / 64)
    marked.initialize(repeating: 0)
    defer { marked.deallocate() }
    var tried = 0
    for item in items {
      let bytes = Array(item.utf8) + [UInt8](repeating: 0, count: Batch.padding)
      bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress, index.filter.mark(start, count: bytes.count - Batch.padding, in: marked) else {
          return
        }
        tried += marked.reduce(0) { $0 + $1.nonzeroBitCount }
        marked.update(repeating: 0)
      }
    }
    #expect(index.places.count > 80 && items.count > 10_000)
    #expect(tried < items.count / 5, "\(tried) trials of \(taxonomy.patterns.count) patterns on \(items.count) items")
  }
}
