import Foundation
import Testing

/// `aisle corpus agreement`.
@Suite struct AgreementCommandTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "# Anna\nkale\tgreens\noat milk\tmilk\tx\nbutter\tDairy & Eggs\nfudge\tcandy|milk\ncress\tgreens\n", to: "anna.tsv")
    try folder.write("fudge\tmilk\nKale\tProduce\noat milk\tmilk\nbutter\tmilk\nsoap\tOther\nrope\tOther\n", to: "ben.tsv")
  }

  @Test("It says how many agree, with intervals, and who says what on which line")
  func text() throws {
    let finished = try aisle("corpus", "agreement", "anna.tsv", "ben.tsv", in: folder)
    #expect(finished.ending == .exited(0))
    // Of Produce, Dairy & Eggs, and Snacks, Anna has 1, 2, and 1, and Ben 1, 3, and 0: pₑ = (1·1 + 2·3) / 16, κ = (3/4 − 7/16) / (9/16) = 5/9.
    #expect(
      finished.text == """
          agreement      75.0%  30.1–95.4%       3 of 4 items have the same section
          Cohen's kappa  0.556  −0.077 to 1.000  agreement beyond chance
          1 item only in anna.tsv, 2 only in ben.tsv

        1 disagreement
        fudge\tSnacks\tDairy & Eggs\tanna.tsv:5\tben.tsv:1

        """)
  }

  @Test("By shelf, the labels themselves are compared")
  func shelf() throws {
    let finished = try aisle("corpus", "agreement", "anna.tsv", "ben.tsv", "--by", "shelf", in: folder)
    #expect(finished.text.contains("1 of 4 items have the same shelf"))
    #expect(finished.text.contains("kale\tgreens\tProduce\tanna.tsv:2\tben.tsv:2\n"))
    #expect(finished.text.contains("butter\tDairy & Eggs\tmilk\tanna.tsv:4\tben.tsv:4\n"))
  }

  @Test("Another store has other sections: labels that it does not have are left out, and one section leaves no kappa")
  func store() throws {
    let finished = try aisle("corpus", "agreement", "anna.tsv", "ben.tsv", "--store", "corner", in: folder)
    #expect(finished.ending == .exited(0))
    #expect(finished.text.contains("Cohen's kappa  "))
    #expect(finished.text.contains("n/a"))
    #expect(finished.text.contains("all labels are of one section"))
    #expect(finished.text.hasSuffix("\nno disagreements\n"))
  }

  @Test("Programs get the same as JSON")
  func json() throws {
    let finished = try aisle("corpus", "agreement", "anna.tsv", "ben.tsv", "--reporter", "json", in: folder)
    let object = try #require(try JSONSerialization.jsonObject(with: finished.output) as? [String: Any])
    #expect(object["format"] as? String == "aisle-agreement")
    #expect(object["only_first"] as? Int == 1)
    #expect(object["only_second"] as? Int == 2)
    #expect((object["agreement"] as? [String: Any])?["value"] as? Double == 0.75)
    let kappa = try #require(object["kappa"] as? [String: Any])
    #expect(kappa["value"] as? Double == 0.555556)
    #expect(kappa["standard_error"] is Double)
    let rows = try #require(object["disagreements"] as? [[String: Any]])
    #expect(rows.map { $0["item"] as? String } == ["fudge"])
    #expect(rows[0]["second_location"] as? String == "ben.tsv:1")
  }

  @Test(
    "Files that cannot be compared say why",
    arguments: [
      (["anna.tsv", "other.tsv"], "anna.tsv, other.tsv: no items in common"),
      (["anna.tsv", "gone.tsv"], "gone.tsv: cannot open"),
      (["anna.tsv", "bad.tsv"], "bad.tsv:1:6: no shelf or section `greenz`; did you mean `greens`?"),
      (["anna.tsv", "ben.tsv", "--store", "nope"], "nope"),
    ])
  func mistakes(arguments: [String], message: String) throws {
    try folder.write("rye\tgreens\n", to: "other.tsv")
    try folder.write("kale\tgreenz\n", to: "bad.tsv")
    let finished = try RunningAisle(["corpus", "agreement"] + arguments, in: folder).finish()
    #expect(finished.ending == .exited(2))
    #expect(finished.text == "")
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
  }
}
