import AisleCore
import AisleFiles
@testable import AisleKit
import Foundation
import Testing

/// The store that is compiled in, against the files it is made from.
@Suite struct EmbeddedStoreTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let remedy = "Sources/AisleKit/KrogerStore.swift is not what taxonomies/ says; run `tools/embed`"

  @Test func `the compiled-in store is the folder's`() throws {
    let folder = Self.root.appending(path: "taxonomies").path
    let (taxonomy, findings) = try TaxonomyFolder(path: folder).load("kroger")
    #expect(findings == [], "the folder has errors; see `aisle stores check kroger`")
    let written = try EmbeddedText.write(taxonomy, folder: folder)
    let compiled = try #require(Taxonomy.builtInText("kroger")).withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    // The literal that holds the text ends before its last line break.
    let isSame = written.utf8.elementsEqual(compiled.utf8) || written.utf8.elementsEqual((compiled + "\n").utf8)
    #expect(isSame, "\(Self.remedy)\n\(firstDifference(written, compiled))")

    let builtIn = try #require(Taxonomy.builtIn("kroger"))
    let difference = firstDifference(
      describe(taxonomy).replacingOccurrences(of: Self.root.path + "/", with: ""), describe(builtIn))
    #expect(difference.isEmpty, "\(Self.remedy)\n\(difference)")
  }

  // MARK: Round trips

  private static let store = """
    # The store.
    store: small
    name: Small Store
    fallback: Other
    match_order: [Other, Fruit & Vegetables]
    sections:
      - name: Fruit & Vegetables
        color: emerald
        shelves: [fruit, herbs]
        keywords:
          - seitan
          - ~crème
      - name: Other
        color: sky
        keywords: ['!gift card', "?new"]
        patterns:
          - name: size
            expression: '^\\d+ é$'
            confidence: 0.75
            matches: ["12 é", "1 É"]
            rejects: [x 1, "@pattern a:1:2 3"]

    """

  private static let files = [
    "shelves/fruit.txt": "# Fruit\n\napple # red\n  ~lemon\n!durian\t# smells\n@home\nc#\n\n#\npear",
    "shelves/herbs.txt": "basil\n",
    "patterns/pips.yaml":
      "patterns:\n  - {name: pips, shelf: fruit, expression: 'pips?\\d', matches: ['pip1'], rejects: ['pip', '+1:1 pip']}\n",
    "moves.txt": "# Moves\ndried: herbs -> fruit # so\n",
    "spellings.txt": "aple, appel = apple\n\n",
    "weights.txt": "# Weights\nodds rival = 0.25 # so\nfitted on = lists\n",
  ]

  private func roundTrip(_ files: [String: String], store: String = store) throws -> (original: String, copy: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "aisle-kit-tests-\(UUID().uuidString)/taxonomies")
    for name in ["shelves", "patterns"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    for (path, text) in files { try Data(text.utf8).write(to: folder.appending(path: path)) }
    try Data(store.utf8).write(to: folder.appending(path: "small.yaml"))
    let (taxonomy, findings) = try TaxonomyFolder(path: folder.path).load("small")
    #expect(findings == [])
    var text = try EmbeddedText.write(taxonomy, folder: folder.path)
    let copy = text.withUTF8 { EmbeddedStore.read($0) }
    let original = describe(taxonomy).replacingOccurrences(of: folder.deletingLastPathComponent().path + "/", with: "")
    return (original, describe(copy))
  }

  /// A taxonomy as text, a line a fact. Columns are left out: a store that is compiled in has no blanks before its keywords.
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

  @Test func `a store that is written as one text reads back the same`() throws {
    let (original, copy) = try roundTrip(Self.files)
    #expect(firstDifference(original, copy).isEmpty, "\(firstDifference(original, copy))")
    #expect(original.contains("taxonomies/shelves/fruit.txt:6 good @home, fruit, 0"))
    #expect(original.contains("taxonomies/small.yaml:15 decisive gift card, no shelf, 1"))
    #expect(original.contains("taxonomies/small.yaml:18:22 size ^\\d+ é$ 0.75 -, 1, 2 of "))
    #expect(original.contains("odds rival = 0.25\n") && original.contains("fitted on = lists"))
    #expect(original.contains("pips pips?\\d 0.9 fruit, 0, 1 of "))
  }

  @Test func `so does one whose files were saved on Windows`() throws {
    let windows = Self.files.mapValues { "\u{FEFF}" + $0.replacingOccurrences(of: "\n", with: "\r\n") }
    let (original, copy) = try roundTrip(windows)
    #expect(firstDifference(original, copy).isEmpty, "\(firstDifference(original, copy))")
    #expect(original.contains("taxonomies/shelves/fruit.txt:6 good @home, fruit, 0"))
  }

  @Test(arguments: [
    "", "@", "@store", "@store x 99999\nx", "@shelf fruit 4\nab", "no header", "@keyword x 1\na\n",
    "@fallback - 3\nabc\n",
    "@section purpel 1\nA\n@section gray 1\nA\n", "@keyword a:b:c 4\nmilk\n",
  ]) func `a broken text reads as far as it makes sense, and never further`(text: String) {
    var text = text
    let taxonomy = text.withUTF8 { EmbeddedStore.read($0) }
    #expect(!taxonomy.sections.isEmpty)
    #expect(taxonomy.keywords.isEmpty)
  }
}
