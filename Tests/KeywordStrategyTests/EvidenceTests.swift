import AisleCore
import AisleTesting
import Foundation
import KeywordStrategy
import Testing

/// A decision says which keyword won, where it stands, by which rule, and what came second: a person tunes keywords by it.
@Suite struct EvidenceTests {
  private static let store = SmallStore.make(
    [
      "Produce": ["~apple", "~lemon", "~cherry", "~basil", "~strawberry", "peppers", "jalapeño"],
      "Dairy": ["yogurt", "~cheddar", "crème fraîche", "?sharp"],
      "Beverages": ["juice", "orange juice", "?dark roast"],
      "Pantry": ["~pepper", "granola", "~dill weed"],
      "Condiments": ["~chocolate", "chocolate syrup", "syrup"],
      "Frozen": ["!gelato"],
      "Household": ["soap", "half-and-half wipes"],
    ],
    moves: "dried: Produce -> Pantry", spellings: "yoghurt = yogurt\noj = orange juice")
  private static let strategy = KeywordStrategy(store)

  struct Expectation: CustomTestStringConvertible, Sendable {
    let item: String
    let keyword: String
    let span: String
    let rule: String
    var runnerUp: String?
    var testDescription: String { item }

    init(_ item: String, _ keyword: String, at span: String, by rule: String, before runnerUp: String? = nil) {
      (self.item, self.keyword, self.span, self.rule, self.runnerUp) = (item, keyword, span, rule, runnerUp)
    }
  }

  @Test(arguments: [
    Expectation("juice", "juice", at: "juice", by: "only"),
    Expectation("2 lbs Lemons", "lemon", at: "Lemons", by: "only"),
    Expectation("Apple JUICE", "juice", at: "JUICE", by: "head", before: "apple"),
    Expectation("orange juice", "orange juice", at: "orange juice", by: "only"),
    Expectation("yogurt with granola", "yogurt", at: "yogurt", by: "head", before: "granola"),
    Expectation("chocolate gelato", "gelato", at: "gelato", by: "decisive", before: "chocolate"),
    Expectation("gelato, chocolate syrup", "gelato", at: "gelato", by: "decisive", before: "chocolate syrup"),
    Expectation("lemon cheddar", "cheddar", at: "cheddar", by: "flavor", before: "lemon"),
    Expectation("lemon apple", "apple", at: "apple", by: "flavor"),
    Expectation("lemon, soap", "soap", at: "soap", by: "after-head", before: "lemon"),
    Expectation("dark roast", "dark roast", at: "dark roast", by: "only"),
    Expectation("dark roast, sharp", "dark roast", at: "dark roast", by: "descriptor"),
    Expectation("dried basil", "basil", at: "basil", by: "move"),
    Expectation("basil, dried", "basil", at: "basil", by: "move"),
    Expectation("peppers", "peppers", at: "peppers", by: "only"),
    Expectation("pepper", "pepper", at: "pepper", by: "only"),
    Expectation("STRAWBERRIES", "strawberry", at: "STRAWBERRIES", by: "only"),
    Expectation("yoghurt", "yogurt", at: "yoghurt", by: "only"),
    Expectation("oj", "orange juice", at: "oj", by: "only"),
    Expectation("creme fraiche", "crème fraîche", at: "creme fraiche", by: "only"),
    Expectation("CRE\u{300}ME FRAI\u{302}CHE", "crème fraîche", at: "CRE\u{300}ME FRAI\u{302}CHE", by: "only"),
    Expectation("2 jalapen\u{303}os!", "jalapeño", at: "jalapen\u{303}os", by: "only"),
    Expectation("ｊｕｉｃｅ", "juice", at: "ｊｕｉｃｅ", by: "only"),
    Expectation("half & half wipes", "half-and-half wipes", at: "half & half wipes", by: "only"),
    Expectation("dill-weed", "dill weed", at: "dill-weed", by: "only"),
    Expectation("strawbery", "strawberry", at: "strawbery", by: "typo"),
    Expectation("2 yogrts", "yogurt", at: "yogrts", by: "typo"),
  ])
  func `it names keyword, span, rule and runner-up`(expected: Expectation) throws {
    let decision = try #require(Self.strategy.decision(expected.item, in: Self.store))
    let bytes = Array(expected.item.utf8)
    #expect(decision.evidence.keyword.map { Self.store.keywords[$0].text } == expected.keyword)
    let span = Array(decision.evidence.span.map { bytes[$0] } ?? [])
    #expect(span == Array(expected.span.utf8), "span `\(String(decoding: span, as: UTF8.self))`")
    #expect(Self.strategy.ruleName(decision) == expected.rule)
    #expect(decision.evidence.runnerUp.map { Self.store.keywords[$0].text } == expected.runnerUp)
  }

  @Test func `a move is named and goes where it says`() throws {
    let decision = try #require(Self.strategy.decision("dried basil", in: Self.store))
    let move = try #require(decision.evidence.move.map { Self.store.moves[Int($0)] })
    #expect(move.word == "dried")
    #expect(decision.section == Self.store[move.to].section)
    #expect(Self.strategy.decision("basil", in: Self.store)?.evidence.move == nil)
  }

  @Test func `on Kroger, evidence always fits its item`() throws {
    let taxonomy = try KrogerFolder.taxonomy
    let strategy = try KrogerFolder.phrase
    var random = SeededGenerator(seed: 7)
    let words = taxonomy.keywords.map(\.text)
    let glue = [" ", " with ", ", ", " (", " for ", " and ", " flavored ", " free ", ", frozen ", " of ", " & ", "/"]
    var items = strategy.metadata.examples.map(\.item) + OrdinaryItems.all
    for _ in 0..<5000 {
      let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }
      items.append(parts.joined(separator: glue[Int.random(in: 0..<glue.count, using: &random)]))
    }
    let check = EvidenceCheck(strategy, taxonomy)
    for (item, decision) in zip(items, strategy.decisions(items, in: taxonomy)) {
      if let fault = check.fault(decision, Array(item.utf8)) {
        Issue.record("seed 7, `\(item)` → \(strategy.explain(decision, in: taxonomy)): \(fault)")
        return
      }
    }
  }
}

/// What must be true of any decision's evidence.
struct EvidenceCheck {
  private let strategy: KeywordStrategy
  private let taxonomy: Taxonomy
  private let spellings: [[UInt64]: Set<[UInt64]>]

  init(_ strategy: KeywordStrategy, _ taxonomy: Taxonomy) {
    self.strategy = strategy
    self.taxonomy = taxonomy
    spellings = taxonomy.spellings.reduce(into: [:]) { $0[Self.words($1.variant), default: []].insert(Self.words($1.standard)) }
  }

  /// What is wrong with a decision about an item; `nil` when nothing is.
  func fault(_ decision: Decision?, _ item: [UInt8]) -> String? {
    guard let decision else { return nil }
    guard decision.confidence >= 0, decision.confidence <= 1 else { return "confidence \(decision.confidence)" }
    guard let rule = strategy.ruleName(decision) else { return "no rule" }
    guard let id = decision.evidence.keyword, let span = decision.evidence.span else { return "no keyword or no span" }
    let keyword = taxonomy.keywords[id]
    guard span.upperBound <= item.count else { return "span \(span) beyond the item" }
    if let place = decision.evidence.move {
      let move = taxonomy.moves[Int(place)]
      if rule != "move", rule != "typo" { return "move `\(move.word)` by another rule" }
      if decision.section != taxonomy[move.to].section { return "move `\(move.word)` leads elsewhere" }
      if !move.from.isEmpty, !move.from.contains(where: { $0 == keyword.shelf }) {
        return "move `\(move.word)` not of this shelf"
      }
      let itemWords = Self.words(String(decoding: item, as: UTF8.self))
      if rule == "move", !itemWords.contains(Self.words(move.word)[0]) { return "move `\(move.word)` stands nowhere" }
    } else if rule == "move" || decision.section != keyword.section {
      return "the keyword's section is \(taxonomy[keyword.section].name)"
    }
    let spanned = String(decoding: item[span], as: UTF8.self)
    let plural = /([a-z]{3}[iu])s\b/.ignoresCase()  // "kiwis"
    let isKeyword =
      isSame(spanned, keyword.text)
      || isSame(spanned.replacing(plural) { $0.output.1 }, keyword.text.replacing(plural) { $0.output.1 })
    if rule != "typo", !isKeyword { return "span `\(spanned)` is not `\(keyword.text)`" }
    if rule == "typo", Self.words(String(decoding: item, as: UTF8.self)).contains(Self.words(keyword.text)) {
      return "`\(spanned)` is no typo"
    }
    if let runnerUp = decision.evidence.runnerUp, taxonomy.keywords[runnerUp].section == keyword.section {
      return "runner-up `\(taxonomy.keywords[runnerUp].text)` has the same section"
    }
    return nil
  }

  /// Whether two texts have the same words, up to plural and spelling.
  ///
  /// Where a comma, parenthesis or dash stands inside, the words may be rotated ("tomatoes, diced"), and so may up to four words.
  private func isSame(_ text: String, _ keyword: String) -> Bool {
    let keyword = standards(Self.words(keyword))
    let isRotatable =
      text.contains(where: ",;:()[|".contains) || text.contains(" - ") || text.contains(" – ") || Self.words(text).count <= 4
    let rotations = isRotatable ? Set(keyword.map { $0.sorted() }) : []
    return standards(Self.words(text)).contains { keyword.contains($0) || rotations.contains($0.sorted()) }
  }

  /// The words as written, with every word's spelling replaced, and the whole one's.
  private func standards(_ words: [UInt64]) -> Set<[UInt64]> {
    let replaced = words.flatMap { word in spellings[[word]].flatMap { $0.count == 1 ? $0.first : nil } ?? [word] }
    return (spellings[words] ?? []).union(spellings[replaced] ?? []).union([words, replaced])
  }

  /// The keys of a text's words, those of the singulars.
  private static func words(_ text: String) -> [UInt64] {
    let scanner = Words()
    let bytes = Array(text.utf8)
    return (bytes + [UInt8](repeating: 0, count: Batch.padding)).withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return [] }
      scanner.scan(base, count: bytes.count)
      return (0..<scanner.count).map { scanner.keys[$0] }
    }
  }
}
