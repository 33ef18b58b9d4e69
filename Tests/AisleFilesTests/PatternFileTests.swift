import AisleCore
import AisleFiles
import Foundation
import Testing

/// Patterns in a store and in `patterns/`: how they are written, and what is refused.
@Suite struct PatternFileTests {
  private static let shared = """
    patterns:
      - name: pips
        shelf: fruit
        expression: 'pips?\\d'
        confidence: 0.7
        matches: ["pip1", "PIPS2"]
        rejects: ["pip"]

    """
  private static let own =
    StoreFolder.soundStore + """
          patterns:
            - name: size
              expression: ^\\d+$
              matches: ["12"]
              rejects: ["12 x"]

      """

  @Test func `a section's own patterns come first, then the shared ones by file`() throws {
    let files = ["patterns/b.yaml": Self.shared, "patterns/a.yaml": Self.shared.with("name: seeds", for: "name: pips")]
    let folder = try StoreFolder(Self.own, files.merging(["patterns/notes.txt": "no pattern", "patterns/.b.yaml": "["]) { $1 })
    let (taxonomy, found) = try folder.load()
    #expect(found == [])
    #expect(taxonomy.patterns.map(\.name) == ["size", "seeds", "pips"])
    let (size, pips) = (taxonomy.patterns[0], taxonomy.patterns[2])
    #expect(size.expression == "^\\d+$" && size.confidence == 0.9 && size.shelf == nil)
    #expect(taxonomy[size.section].name == "Other" && folder.shown("\(size.location)") == "small.yaml:13:21")
    #expect(pips.expression == "pips?\\d" && pips.confidence == 0.7)
    #expect(pips.shelf.map { taxonomy[$0].name } == "fruit" && taxonomy[pips.section].name == "Produce")
    #expect(folder.shown("\(pips.location)") == "patterns/b.yaml:4:18", "the place of its first byte, after the quotation mark")
    #expect(pips.matches.map(\.item) == ["pip1", "PIPS2"] && pips.rejects.map(\.item) == ["pip"])
    #expect(pips.matches.map { folder.shown("\($0.location)") } == ["patterns/b.yaml:6:15", "patterns/b.yaml:6:23"])
  }

  @Test(
    arguments: [
      ("- name: Pips", "- name: pips", ["2:11: pattern name `Pips` must have 1 to 64 characters: a-z, 0-9, and hyphens"]),
      ("- nam: pips", "- name: pips", ["2:5: unknown field `nam`; did you mean `name`?"]),
      ("shelf: fruits", "shelf: fruit", ["3:12: no shelf `fruits` in this store; did you mean `fruit`?"]),
      ("# none", "shelf: fruit", ["2:5: missing field `shelf`"]),
      ("expression: ''", "expression: 'pips?\\d'", ["4:18: the expression of pattern `pips` is empty"]),
      ("expression: [a]", "expression: 'pips?\\d'", ["4:17: expected a single value here, not a list or fields"]),
      (
        "expression: '(*UTF)a'", "expression: 'pips?\\d'",
        ["4:18: an expression must not begin with `(*`, which sets options; remove it"]
      ),
      (
        "expression: \"a\\bc\"", "expression: 'pips?\\d'",
        ["4:18: a control character in the expression; write it as \\x{8}"]
      ),
      (
        "expression: '\(String(repeating: "a", count: 1025))'", "expression: 'pips?\\d'",
        ["4:18: the expression has 1025 bytes; at most 1024 are allowed (put words on shelves, not in patterns)"]
      ),
      ("confidence: 1.5", "confidence: 0.7", ["5:17: `confidence` must be a number, more than 0 and at most 1"]),
      ("confidence: high", "confidence: 0.7", ["5:17: `confidence` must be a number, more than 0 and at most 1"]),
      ("confidence: nan", "confidence: 0.7", ["5:17: `confidence` must be a number, more than 0 and at most 1"]),
      ("matches: []", "matches: [\"pip1\", \"PIPS2\"]", ["2:11: pattern `pips` has no `matches`; list items that it must match"]),
      ("", "    rejects: [\"pip\"]\n", ["2:11: pattern `pips` has no `rejects`; list items that it must not match"]),
      (
        "rejects: pip", "rejects: [\"pip\"]",
        ["7:14: expected a list; write one `- entry` per line"]
      ),
      ("matches: pip1", "matches: [\"pip1\", \"PIPS2\"]", ["6:14: expected a list; write one `- entry` per line"]),
      (
        "matches: [[pip1]]", "matches: [\"pip1\", \"PIPS2\"]", ["6:15: expected a single value here, not a list or fields"]
      ),
      ("match: [pip1]", "matches: [\"pip1\", \"PIPS2\"]", ["6:5: unknown field `match`; did you mean `matches`?"]),
      ("rejects: [\"a\\nb\"]", "rejects: [\"pip\"]", ["7:15: a control character in an example; an item is one line"]),
      ("pattern:", "patterns:", ["1:1: unknown field `pattern`; did you mean `patterns`?"]),
      ("shelf: *x", "shelf: fruit", nil), ("shelf: &x fruit", "shelf: fruit", nil),
      ("expression: 'pips", "expression: 'pips?\\d'", nil),
    ] as [(String, String, [String]?)])
  func `a mistake in a shared file is an error at its place`(written: String, correct: String, messages: [String]?) throws {
    let text = Self.shared.replacingOccurrences(of: correct, with: written)
    try #require(text != Self.shared)
    let found = try findings(StoreFolder.soundStore, ["patterns/pips.yaml": text])
    if let messages {
      #expect(Set(found) == Set(messages.map { "patterns/pips.yaml:\($0)" }), "found \(found)")
    } else {
      #expect(found.first?.hasPrefix("patterns/pips.yaml:") == true, "found \(found)")
    }
  }

  @Test func `a file whose patterns are no list is an error`() throws {
    try expect(
      ["patterns/pips.yaml:1:11: `patterns` must be a list; begin each pattern with `- name:`"],
      in: StoreFolder.soundStore, ["patterns/pips.yaml": "patterns: pips\n"])
    try expect([], in: StoreFolder.soundStore, ["patterns/pips.yaml": "patterns: []\n"])
  }

  @Test func `so it is in a store, where a pattern has no shelf`() throws {
    try expect(
      ["small.yaml:13:9: unknown field `shelf`; known: name, expression, confidence, matches, rejects"],
      in: Self.own.with("shelf: fruit\n        expression", for: "expression"))
    try expect(
      ["small.yaml:12:15: pattern `size` has no `matches`; list items that it must match"],
      in: Self.own.with("", for: "        matches: [\"12\"]\n"))
  }

  @Test func `a name stands once in a store, wherever the patterns are`() throws {
    let files = ["patterns/a.yaml": Self.shared.with("name: size", for: "name: pips"), "patterns/b.yaml": Self.shared]
    let found = try findings(Self.own, files.merging(["patterns/c.yaml": Self.shared]) { $1 })
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("patterns/a.yaml:2:11: pattern `size` already exists at ") == true, "found \(found)")
    #expect(found.last?.hasPrefix("patterns/c.yaml:2:11: pattern `pips` already exists at ") == true, "found \(found)")
  }

  @Test func `a file that is misnamed, empty, too large or a link out of the folder is an error`() throws {
    let folder = try StoreFolder(StoreFolder.soundStore, [:])
    let secret = folder.outside.appending(path: "secret.yaml")
    try Data(Self.shared.utf8).write(to: secret)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/patterns/link.yaml", withDestinationPath: secret.path)
    try folder.write("patterns/Drinks.yaml", Self.shared)
    try folder.write("patterns/drinks.yml", Self.shared)
    try folder.write("patterns/empty.yaml", "")
    try folder.write("patterns/large.yaml", [UInt8](repeating: 0x20, count: 4 << 20 + 1))
    let (taxonomy, found) = try folder.load()
    #expect(taxonomy.patterns.isEmpty)
    let renamed = "not read as patterns because of its name; rename it: a-z, 0-9, and hyphens, then .yaml"
    #expect(found.contains("patterns/Drinks.yaml: \(renamed)") && found.contains("patterns/drinks.yml: \(renamed)"))
    for name in ["link", "empty", "large"] {
      #expect(found.contains { $0.hasPrefix("patterns/\(name).yaml") }, "\(name): \(found)")
    }
    #expect(found.count == 5, "found \(found)")
  }

  @Test func `a store has at most 4,096 patterns`() throws {
    var text = "patterns:\n"
    for number in 0..<4097 {
      text += "  - {name: p\(number), shelf: fruit, expression: a\(number), matches: [a\(number)], rejects: [x]}\n"
    }
    let (taxonomy, found) = try StoreFolder(StoreFolder.soundStore, ["patterns/many.yaml": text]).load()
    #expect(taxonomy.patterns.count == 4096)
    #expect(found == ["patterns/many.yaml:4098:12: more than 4096 patterns; remove some"])
  }

  @Test func `a store in the cache is not used once a pattern changed, came or went`() throws {
    let folder = try StoreFolder(StoreFolder.soundStore, ["patterns/a.yaml": Self.shared])
    func fingerprint() throws -> String {
      "\(try #require(StoreCache.key(store: "small", in: TaxonomyFolder(path: folder.path))))"
    }
    let first = try fingerprint()
    #expect(try fingerprint() == first)
    try folder.write("patterns/a.yaml", Self.shared.with("0.8", for: "0.7"))
    let second = try fingerprint()
    try folder.write("patterns/b.yaml", Self.shared.with("name: seeds", for: "name: pips"))
    let third = try fingerprint()
    try FileManager.default.removeItem(atPath: folder.path + "/patterns/b.yaml")
    #expect(Set([first, second, third]).count == 3)
  }
}
