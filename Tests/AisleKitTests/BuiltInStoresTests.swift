import AisleCore
import AisleFiles
@testable import AisleKit
import Foundation
@testable import KeywordStrategy
import Testing

/// The stores that are compiled in, against the files they are made from.
@Suite struct BuiltInStoresTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = TaxonomyFolder(path: root.appending(path: "taxonomies").path)
  /// The stores of the folder whose lists are in English.
  private static let stores = folder.stores.filter { folder.languages(of: $0).isEmpty }

  @Test func `every store of the folder is compiled in, those in other languages excepted`() {
    #expect(Taxonomy.builtInStores == Self.stores)
    #expect(Taxonomy.builtInStores.count == 14)
    #expect(BuiltInStores.elsewhere == Self.folder.stores.filter { !Self.stores.contains($0) })
    #expect(BuiltInStores.elsewhere.count == 14)
  }

  @Test(arguments: Self.stores) func `a compiled-in store is the folder's, keyword by keyword`(store: String) throws {
    let (taxonomy, findings) = try Self.folder.load(store)
    #expect(findings == [], "the folder has errors; see `aisle stores check \(store)`")
    let builtIn = try #require(Taxonomy.builtIn(store))
    let difference = firstDifference(
      describe(taxonomy).replacingOccurrences(of: Self.root.path + "/", with: ""), describe(builtIn))
    #expect(difference.isEmpty, "\(difference)")
  }

  /// Kroger stands for the stores without keywords of their own; the others have some.
  @Test(arguments: ["kroger", "aldi", "costco", "heb", "whole-foods"])
  func `a compiled-in store decides as one that is indexed from its files, down to the keyword`(store: String) throws {
    let (taxonomy, _) = try Self.folder.load(store)
    let (ours, theirs) = (try #require(BuiltInStores.all.open(store)), KeywordStrategy(taxonomy))
    let items = try items() + otherStoresKeywords()
    #expect(items.count > 3000)
    var (left, right) = (Batch(items, taxonomy: ours.taxonomy), Batch(items, taxonomy: taxonomy))
    ours.keywords.decide(&left)
    theirs.decide(&right)
    let different = items.indices.filter { left.decisions[$0] != right.decisions[$0] }
    #expect(different.map { "\(items[$0]): \(keyword(left, $0)), not \(keyword(right, $0))" } == [])
  }

  private func keyword(_ batch: Batch, _ item: Int) -> String {
    batch.decisions[item]?.evidence.keyword.map { batch.taxonomy.keywords[$0].text } ?? "none"
  }

  /// The corpus's items, and each of some with a slip of the pen.
  private func items() throws -> [String] {
    let corpus = Self.root.appending(path: "corpus")
    let lines = try ["everyday", "lists", "titles", "recipes", "messy"].flatMap { name in
      try String(contentsOf: corpus.appending(path: "\(name).tsv"), encoding: .utf8).split(separator: "\n")
    }
    let items = lines.compactMap { $0.split(separator: "\t").first.map(String.init) }.filter { !$0.hasPrefix("#") }
    var generator = SeededGenerator(seed: 7)
    return items
      + items.prefix(1500).map { item in
        var letters = Array(item)
        if letters.count > 5 { letters.swapAt(Int(generator.next() % UInt64(letters.count - 1)), letters.count - 1) }
        return String(letters)
      }
  }

  /// What only some stores have: others must not know it, nor mistake anything for it.
  private func otherStoresKeywords() -> [String] {
    Taxonomy.builtInStores.compactMap { Taxonomy.builtIn($0) }.flatMap { store in
      store.keywords.filter { $0.shelf == nil }.flatMap {
        [$0.text, "2 \($0.text)s", String($0.text.dropLast()), "milk \($0.text)"]
      }
    }
  }

  /// A taxonomy as text, a line a fact.
  private func describe(_ taxonomy: Taxonomy) -> String {
    var lines = ["\(taxonomy.store) \(taxonomy.name), else \(taxonomy[taxonomy.fallback].name)"]
    lines += taxonomy.sections.map { "section \($0.name) \($0.color)" }
    lines += taxonomy.matchOrder.map { "order \(taxonomy[$0].name)" }
    lines += taxonomy.shelves.map { "shelf \($0.name) in \(taxonomy[$0.section].name)" }
    lines += taxonomy.keywords.map { keyword in
      let shelf = keyword.shelf.map { taxonomy[$0].name } ?? "no shelf"
      return
        "\(keyword.location.path):\(keyword.location.line) \(keyword.strength) \(keyword.text), \(shelf), \(keyword.section.rawValue)"
    }
    lines += taxonomy.moves.map { move in
      "\(move.location.path):\(move.location.line) \(move.word) \(move.from.map { taxonomy[$0].name }) \(taxonomy[move.to].name)"
    }
    lines += taxonomy.patterns.map { pattern in
      let examples = (pattern.matches + pattern.rejects).map { "\($0.location) \($0.item)" }
      return
        "\(pattern.location) \(pattern.name) \(pattern.expression) \(pattern.confidence) \(pattern.shelf.map { taxonomy[$0].name } ?? "-"), "
        + "\(pattern.section.rawValue), \(pattern.matches.count) of \(examples)"
    }
    lines += taxonomy.spellings.map { "\($0.location.path):\($0.location.line) \($0.variant) \($0.standard)" }
    lines += PhraseWeights.Setting.allCases.map { "\($0.name) = \(taxonomy.weights.text(of: $0))" }
    return lines.joined(separator: "\n")
  }

  /// The first line in which two texts differ; empty when they do not.
  private func firstDifference(_ left: String, _ right: String) -> String {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left != right else { return "" }
    let same = zip(left, right).prefix { $0 == $1 }.count
    func line(_ text: [UInt8]) -> String {
      let start = text.prefix(same).lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      return String(decoding: text[start...].prefix { $0 != 0x0A }, as: UTF8.self)
    }
    return "in the folder: \(line(left))\ncompiled in:   \(line(right))"
  }
}
