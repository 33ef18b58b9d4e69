import Foundation
import Testing

/// Mistakes in the files and names of languages: each is told with its file, its line, and what to do.
struct `A language with mistakes` {
  private let folder: ScratchFolder

  init() throws { folder = try LanguageFolder.make() }

  private func check(_ arguments: String...) throws -> Finished {
    try RunningAisle(arguments.isEmpty ? ["languages", "check", "de"] : arguments, in: folder).finish()
  }

  private func findings() throws -> [String] {
    let finished = try check()
    #expect(finished.ending == .exited(1), "\(finished.diagnostics)")
    return finished.text.split(separator: "\n").map { $0.replacingOccurrences(of: "taxonomies/languages/de/", with: "") }
  }

  @Test func `is none in the folder of these tests`() throws {
    let finished = try check()
    #expect(finished.text == "" && finished.ending == .exited(0))
    #expect(finished.diagnostics == "de: no errors\n")
  }

  @Test(arguments: [
    (LanguageFolder.grammar + "jions: und\n", "grammar.txt:11:1: unknown role `jions`; did you mean `joins`?"),
    (LanguageFolder.grammar + "head: first\n", "grammar.txt:11:1: `head` is set twice; keep one"),
    (LanguageFolder.grammar + "mit\n", "grammar.txt:11:1: expected `role: word, word`"),
    (
      LanguageFolder.grammar.replacingOccurrences(of: "head: last", with: "head: lest"),
      "grammar.txt:3:1: `head` must be first or last, not `lest`"
    ),
    (
      LanguageFolder.grammar.replacingOccurrences(of: "ä = ae", with: "ä"),
      "grammar.txt:4:1: expected `letter = letters`, not `ä`"
    ),
  ])
  func `names the line of its grammar`(grammar: String, finding: String) throws {
    try folder.write(grammar, to: "taxonomies/languages/de/grammar.txt")
    #expect(try findings() == [finding])
  }

  @Test func `may be English, whose grammar is read from the folder`() throws {
    func sections(_ grammar: String, _ language: String = "en") throws -> String {
      try folder.write("name: English\nhead: last\n" + grammar, to: "taxonomies/languages/en/grammar.txt")
      return try aisle("categorize", "--language", language, "--chain", "keyword", input: "whole milk sans kale\n", in: folder)
        .text
    }
    #expect(try sections("excludes: without\n") == "whole milk sans kale\tProduce\n")
    #expect(try sections("excludes: without sans\n") == "whole milk sans kale\tDairy & Eggs\n")
    #expect(try sections("excludes: without sans\n", "de") == "whole milk sans kale\tDairy & Eggs\n")
    #expect(try sections("excldes: without\n").isEmpty)
    let checked = try check("languages", "check")
    #expect(checked.text == "taxonomies/languages/en/grammar.txt:3:1: unknown role `excldes`; did you mean `excludes`?\n")
    #expect(checked.diagnostics == "2 languages: 1 error\n")
  }

  @Test func `may have an empty grammar, which says what is missing`() throws {
    try folder.write("", to: "taxonomies/languages/de/grammar.txt")
    #expect(
      try findings() == [
        "grammar.txt: no line `head:`; write `head: last` where `apple juice` is a juice, else `head: first`",
        "grammar.txt: no line `name:`; say what the language calls itself",
      ])
  }

  @Test(arguments: [("rote grütze", "roten grütze"), ("käse", "kaese"), ("weiße bohne", "weissen bohnen")])
  func `has endings or letters that make one of two shelves' keywords`(first: String, second: String) throws {
    try folder.write("milch\n\(first)\n", to: "taxonomies/languages/de/shelves/milk.txt")
    try folder.write("\(second)\n", to: "taxonomies/languages/de/shelves/candy.txt")
    #expect(
      try findings() == [
        "shelves/candy.txt:1:1: keyword `\(second)` is a form of `\(first)` on shelf milk (shelves/milk.txt:2:1) "
          + "by the endings, letters, or spellings; keep one, or take the ending or spelling away that makes them one"
      ])
    let store = try check("stores", "check", "kroger", "--language", "de")
    #expect(store.ending == .exited(1) && store.text.contains("is a form of"), "\(store.text)")
  }

  @Test func `has a keyword on two shelves`() throws {
    try folder.write("schokolade\nmilch\n", to: "taxonomies/languages/de/shelves/candy.txt")
    let found = try findings()
    #expect(found.count == 1)
    #expect(
      (found.first ?? "").contains("keyword `milch` already exists in Dairy & Eggs at ")
        && (found.first ?? "").hasSuffix("; keep one"), "\(found)")
    let run = try aisle("categorize", "--language", "de", input: "milch\n", in: folder)
    #expect(run.ending == .exited(2) && run.diagnostics.contains("keyword `milch` already exists"), "\(run.diagnostics)")
  }

  @Test func `has a shelf that no store has`() throws {
    try folder.write("bonbon\n", to: "taxonomies/languages/de/shelves/candi.txt")
    #expect(try findings() == ["shelves/candi.txt: no shelf `candi`; did you mean `candy`?"])
  }

  @Test func `has text that is no UTF-8`() throws {
    try folder.write(Data([0x6D, 0x69, 0x6C, 0x0A, 0xE4, 0x70, 0x0A]), to: "taxonomies/languages/de/shelves/milk.txt")
    let found = try findings()
    #expect(
      found.count == 1 && (found.first ?? "").hasPrefix("shelves/milk.txt:2:1: ") && (found.first ?? "").contains("UTF-8"),
      "\(found)")
  }

  @Test(arguments: [
    ("dee", "aisle: --language: no language `dee`; did you mean `de`? `aisle languages new` begins another\n"),
    ("de-AT", "aisle: --language: no language `de-at`; did you mean `de`?\n"),
    ("xx", "aisle: --language: no language `xx`; there are de, en, and `aisle languages new` begins another\n"),
    ("de,de", "aisle: --language: language `de` is named twice; name it once\n"),
    (",", "aisle: --language: no language is named; name one, such as de\n"),
    (String(repeating: "de,", count: 50), "aisle: --language: 50 languages are named; name at most 16\n"),
    ("../de", "aisle: --language: no language `../de`; there are de, en, and `aisle languages new` begins another\n"),
  ])
  func `is refused where --language names it`(written: String, message: String) throws {
    let finished = try aisle("categorize", "--language", written, input: "milch\n", in: folder)
    #expect(finished.ending == .exited(2) && finished.text == "" && finished.diagnostics == message)
    let variable = try aisle("categorize", input: "milch\n", in: folder, environment: ["AISLE_LANGUAGE": written])
    #expect(variable.diagnostics == message.replacingOccurrences(of: "--language", with: "AISLE_LANGUAGE"))
  }

  @Test func `is refused where a store names it, with the line`() throws {
    try folder.write("store: eck\nextends: kroger\nlanguage: [de, dd]\n", to: "taxonomies/eck.yaml")
    let finished = try aisle("stores", "check", "eck", in: folder)
    #expect(finished.ending == .exited(1))
    #expect(
      finished.text == "taxonomies/eck.yaml:3:16: no language `dd`; did you mean `de`? `aisle languages new` begins another\n")
    let run = try aisle("categorize", "--store", "eck", input: "milch\n", in: folder)
    #expect(run.ending == .exited(2))
    #expect(
      run.diagnostics
        == "aisle: taxonomies/eck.yaml:3:16: no language `dd`; did you mean `de`? `aisle languages new` begins another\n")
  }

  @Test func `is begun once, under an id that is one`() throws {
    let made = try check("languages", "new", "da", "--name", "Danish")
    #expect(made.ending == .exited(0), "\(made.diagnostics)")
    #expect(try check("languages", "check", "da").ending == .exited(0))
    let again = try check("languages", "new", "da")
    #expect(again.ending == .exited(2))
    #expect(again.diagnostics == "aisle: taxonomies/languages/da: already exists; edit its files\n")
    #expect(try check("languages", "new", "en").diagnostics == "aisle: English already exists; edit the files in taxonomies\n")
    for id in ["Da", "d", "dansk", "d1", "../x", "auto"] {
      let bad = try check("languages", "new", id)
      #expect(bad.ending == .exited(64), "\(id)")
      #expect(bad.diagnostics.contains("The id must be two or three lowercase letters, such as da."), "\(bad.diagnostics)")
    }
  }
}
