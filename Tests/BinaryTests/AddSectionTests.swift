import Foundation
import Testing

/// `aisle stores add-section`.
@Suite struct AddSectionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func add(_ arguments: String..., environment: [String: String] = [:]) throws -> Finished {
    try RunningAisle(["stores", "add-section"] + arguments, in: folder, environment: environment).finish()
  }

  /// The sections of a store, in walking order.
  private func sections(_ store: String = "kroger", _ arguments: [String] = []) throws -> [String] {
    try RunningAisle(["stores", "show", store, "--color", "never"] + arguments, in: folder).finish().text.split(separator: "\n")
      .filter { !$0.hasPrefix(" ") }.map { $0.components(separatedBy: "  ")[0] }
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }

  @Test("A section goes after the one that is named, and the rest of the file stays as it was")
  func after() throws {
    let before = try text("taxonomies/kroger.yaml")
    let run = try add("Hardware", "--after", "produce")
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(try sections() == ["Produce", "Hardware", "Dairy & Eggs", "Other", "Snacks"])
    let line = try #require(run.text.wholeMatch(of: /Hardware\tafter Produce\t.*taxonomies\/kroger.yaml:(\d+)\n/), "\(run.text)")
    let lines = try text("taxonomies/kroger.yaml").split(separator: "\n", omittingEmptySubsequences: false)
    let place = try #require(Int(line.output.1))
    #expect(lines[place - 1] == "  - name: Hardware")
    var rest = lines
    rest.remove(at: place - 1)
    #expect(rest.joined(separator: "\n") == before)
  }

  @Test("Without --after it goes before the fallback section at the end, else to the end")
  func standard() throws {
    #expect(try add("Pet Supplies", "--store", "Corner").ending == .exited(0), "an id in capitals is the same store")
    #expect(try sections("corner") == ["Front", "Pet Supplies", "Back Room"])
    #expect(try add("Pet Supplies").ending == .exited(0))
    #expect(try sections() == ["Produce", "Dairy & Eggs", "Other", "Snacks", "Pet Supplies"])
  }

  @Test(
    "A store that extends another lists what it needs, in walking order",
    arguments: [
      ("", "Dairy & Eggs", ["Produce", "Dairy & Eggs", "Hardware", "Other", "Snacks"]),
      (
        "sections:\n  - name: Snacks\n    keywords: [fudge]\n", "Produce",
        ["Produce", "Hardware", "Dairy & Eggs", "Other", "Snacks"]
      ),
      ("sections:\n- name: Dairy\n  from: Dairy & Eggs\n", "Dairy", ["Produce", "Dairy", "Hardware", "Other", "Snacks"]),
      (
        "sections:\n  - name: Produce\n  - name: Snacks\n# The end.\n", "Other",
        ["Produce", "Dairy & Eggs", "Other", "Hardware", "Snacks"]
      ),
      (
        "sections:\n  - name: Produce\n    keywords: [moon carrot,\n      sun beet\n    ]\n  - name: Snacks\n", "Produce",
        ["Produce", "Hardware", "Dairy & Eggs", "Other", "Snacks"]
      ),
    ])
  func overlay(sections listed: String, after: String, expected: [String]) throws {
    try folder.write("store: mine\nname: Mine\nextends: kroger\n" + listed, to: "taxonomies/mine.yaml")
    let run = try add("Hardware", "--store", "mine", "--after", after)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    let written = try text("taxonomies/mine.yaml")
    #expect(try sections("mine") == expected, "\(written)")
    #expect(try aisle("stores", "check", "mine", in: folder).ending == .exited(0))
  }

  @Test(
    "A store with an order of matches gets the section there too",
    arguments: [
      "match_order: [Snacks, Produce]\n", "match_order:\n  - Snacks\n  - Produce\n",
    ])
  func matchOrder(order: String) throws {
    let store =
      "store: two\nname: Two\nfallback: Snacks\n" + order
      + "sections:\n  - name: Produce\n    shelves: [greens, milk]\n  - name: Snacks\n    shelves: [candy]\n"
    try folder.write(store, to: "taxonomies/two.yaml")
    #expect(try add("Rope: Yarn", "--store", "two").ending == .exited(0))
    #expect(try sections("two") == ["Produce", "Rope: Yarn", "Snacks"])
    #expect(try aisle("stores", "check", "two", in: folder).ending == .exited(0))
  }

  @Test("A compiled-in store gets a file that extends it")
  func builtIn() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/taxonomies")
    let none = ["AISLE_TAXONOMIES": ""]
    let run = try add("Hardware", "--after", "Household & Cleaning", environment: none)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    let made = try text("taxonomies/kroger.yaml")
    #expect(made.contains("extends: kroger\nsections:\n  - name: Household & Cleaning\n  - name: Hardware\n"), "\(made)")
    #expect(try sections().suffix(3) == ["Household & Cleaning", "Hardware", "Other"])
    #expect(try add("Garden", "--after", "Hardware").ending == .exited(0))
    #expect(try sections().suffix(4) == ["Household & Cleaning", "Hardware", "Garden", "Other"])
    #expect(try aisle("correct", "rope", "Hardware", in: folder).ending == .exited(0))
    #expect(try aisle("categorize", input: "rope\n", in: folder).text == "rope\tHardware\n")
  }

  @Test("What cannot be added is said, and the file stays as it was")
  func errors() throws {
    let before = try text("taxonomies/kroger.yaml")
    let there = try add("snacks")
    #expect(
      there.ending == .exited(2) && there.diagnostics.contains("kroger has a section `Snacks` already"), "\(there.diagnostics)")
    let lost = try add("Hardware", "--after", "Prodce")
    #expect(lost.ending == .exited(2) && lost.diagnostics.contains("no section `Prodce` in kroger; did you mean `Produce`?"))
    #expect(try add("  ").ending == .exited(64))
    #expect(try text("taxonomies/kroger.yaml") == before)
    try folder.write("store: flow\nname: F\nextends: kroger\nsections: [{name: Snacks}]\n", to: "taxonomies/flow.yaml")
    let flow = try add("Hardware", "--store", "flow")
    #expect(
      flow.ending == .exited(2) && flow.diagnostics.contains("flow.yaml: `sections` is written in brackets"),
      "\(flow.diagnostics)")
  }
}
