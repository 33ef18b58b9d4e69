import Foundation
import Testing

/// `aisle correct -`: many corrections from a pipe.
@Suite struct PipedCorrectionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ arguments: [String], _ input: String) throws -> Finished {
    let process = try RunningAisle(arguments, in: folder)
    process.send(input)
    return try process.finish()
  }

  @Test("What categorize writes can be edited and taught, with and without its explanations")
  func edited() throws {
    for options in [[], ["--explain"]] {
      let output = try run(["categorize"] + options + ["--format", "tsv"], "oat milk\nkale chips\n").text
      let edited = output.replacingOccurrences(of: "kale chips\tProduce", with: "kale chips\tSnacks")
      let finished = try run(["correct", "-"], edited)
      #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
      #expect(finished.text == "oat milk\tDairy & Eggs\nkale chips\tSnacks\n")
      #expect(try run(["categorize"], "Kale Chips\n").text == "Kale Chips\tSnacks\n")
      let undone = try aisle("corrections", "undo", in: folder)
      #expect(undone.ending == .exited(0))
      #expect((undone.text + undone.diagnostics).contains("correct 2 items"), "\(undone.text)\(undone.diagnostics)")
      #expect(try run(["categorize"], "Kale Chips\n").text == "Kale Chips\tProduce\n")
    }
  }

  @Test("JSON objects are taught by item and section; a shelf teaches its section")
  func objects() throws {
    let finished = try run(
      ["correct", "-", "--by", "joe"],
      #"{"id": 7, "item": "chai", "section": "snacks", "tags": ["x", {}], "ok": true}"# + "\r\n\n"
        + #"{"item":"soy drink","section":"milk"}"#)
    #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    #expect(finished.text == "chai\tSnacks\nsoy drink\tDairy & Eggs\n")
    #expect(finished.diagnostics == "corrections: 2 new, 0 changed, 0 unchanged\n", "\(finished.diagnostics)")
    #expect(try aisle("corrections", "export", in: folder).text.contains(#""shelf":"milk""#))
  }

  @Test("A byte order mark is no part of the first item")
  func byteOrderMark() throws {
    #expect(try run(["correct", "-"], "\u{FEFF}chai\tSnacks\n").text == "chai\tSnacks\n")
  }

  private static let wrong = "chai\tSnacks\nno section\nsoup\tSnaks\n...\tSnacks\n{\"item\":\"tea\"}\n\tSnacks\ntea\tSnacks\n"

  @Test("Lines that are wrong are named, and the others taught; by request nothing is taught then")
  func wrongLines() throws {
    let nothing = try run(["correct", "--all-or-nothing", "-"], Self.wrong)
    #expect(nothing.ending == .exited(2) && nothing.output.isEmpty)
    #expect(nothing.diagnostics.hasSuffix("aisle: nothing was saved; fix these lines\n"))
    #expect(try aisle("corrections", "list", in: folder).text == "")
    let finished = try run(["correct", "-"], Self.wrong)
    #expect(finished.ending == .exited(2))
    #expect(finished.text == "chai\tSnacks\ntea\tSnacks\n")
    #expect(
      finished.diagnostics == """
        aisle: standard input:2: write item, tab, section; or a JSON object
        aisle: standard input:3: no section `Snaks` in kroger; did you mean `Snacks`?
        aisle: standard input:4: item `...` has no letter or digit; an item needs at least one
        aisle: standard input:5: field `section` is missing
        aisle: standard input:6: write item, tab, section; or a JSON object
        corrections: 2 new, 0 changed, 0 unchanged

        """, "\(finished.diagnostics)")
    let mended = try run(["correct", "--all-or-nothing", "-"], "chai\tProduce\n")
    #expect(mended.ending == .exited(0))
    #expect(mended.diagnostics == "corrections: 0 new, 1 changed, 0 unchanged\n")
  }

  @Test("The command line says what is missing")
  func usage() throws {
    for (arguments, message) in [
      (["correct", "oat milk"], "Name a section or shelf: aisle correct 'oat milk' SECTION."),
      (["correct", "--all-or-nothing", "x", "Snacks"], "--all-or-nothing is for items from standard input"),
    ] {
      let finished = try run(arguments, "")
      #expect(finished.ending == .exited(64))
      #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
    }
  }
}
