import AisleCore
import Testing

@Suite struct DidYouMeanTests {
  @Test(arguments: [
    ("krogr", "kroger"), ("kroegr", "kroger"), ("Kroger", "kroger"), ("walmrat", "walmart"), ("trader", "trader-joes"),
    ("nut-butter", "nut-butters"), ("nutbutters", "nut-butters"), ("tra", "trader-joes"),
  ]) func `a slip leads to the name that was meant`(written: String, meant: String) {
    #expect(DidYouMean.nearest(to: written, among: ["walmart", "kroger", "trader-joes", "nut-butters"]) == meant)
    #expect(DidYouMean.hint(written, among: [meant]) == "; did you mean `\(meant)`?")
  }

  @Test(arguments: ["", "x", "safeway", "kg", "krooooger", "🥛", "ore"])
  func `what is like no name leads nowhere`(written: String) {
    #expect(DidYouMean.nearest(to: written, among: ["walmart", "kroger", "trader-joes"]) == nil)
    #expect(DidYouMean.hint(written, among: ["walmart", "kroger", "trader-joes"]) == "")
  }

  @Test func `the nearest name wins, the first of two that are as near`() {
    #expect(DidYouMean.nearest(to: "shelfs", among: ["shelf", "shells", "shelves"]) == "shelf")
    #expect(DidYouMean.nearest(to: "sections", among: ["sectionz", "section"]) == "sectionz")
  }

  @Test func `there is no name to mean where there are none`() { #expect(DidYouMean.nearest(to: "kroger", among: []) == nil) }

  @Test func `letters beyond ASCII count as one`() { #expect(DidYouMean.nearest(to: "Crème", among: ["Creme"]) == "Creme") }
}

@Suite struct SectionColorTests {
  @Test(arguments: [
    ("Pet Supplies", SectionColor.rose), ("Pharmacy", .indigo), ("Floral", .rose), ("Bulk", .sky), ("Garden", .violet),
    ("Crème", .lime),
    ("Cre\u{301}me", .fuchsia), ("Kids", .indigo), ("", .rose),
  ]) func `an unknown section has the same color on every machine and in every run`(name: String, color: SectionColor) {
    #expect(SectionColor.forUnknownSection(named: name) == color)
  }

  @Test func `unknown sections get the colors that known ones do not use`() {
    let colors = Set((0..<500).map { SectionColor.forUnknownSection(named: "Section \($0)") })
    #expect(colors == [.violet, .rose, .indigo, .lime, .fuchsia, .sky])
  }

  @Test func `section numbers order by walking order`() {
    #expect([3, 1, 2].map { SectionID(rawValue: $0) }.sorted().map(\.rawValue) == [1, 2, 3])
  }
}
