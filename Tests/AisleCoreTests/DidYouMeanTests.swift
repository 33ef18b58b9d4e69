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

  @Test func `names with commas stand in backticks, all of them`() {
    #expect(DidYouMean.list(["Obst & Gemüse", "Brot"]) == "Obst & Gemüse, Brot")
    #expect(DidYouMean.list(["Öle, Soßen & Gewürze", "Brot"]) == "`Öle, Soßen & Gewürze`, `Brot`")
  }

  @Test func `there is no name to mean where there are none`() { #expect(DidYouMean.nearest(to: "kroger", among: []) == nil) }

  @Test func `no name is looked up that is too long to be a slip`() {
    let name = String(repeating: "a", count: DidYouMean.longestName - 1)
    #expect(DidYouMean.nearest(to: name + "b", among: [name + "c"]) == name + "c")
    #expect(DidYouMean.nearest(to: name + "é", among: [name + "e"]) == nil)
    #expect(DidYouMean.nearest(to: name, among: [name + name]) == name + name, "but a known one may be long")
  }

  /// Compared letter by letter these would take minutes.
  @Test func `a very long name, and very many names, are like no other`() {
    let known = (0..<300).map { "shelf-number-\($0)" }
    #expect(DidYouMean.hint(String(repeating: "a", count: 1_000_000), among: known) == "")
    let candidates = DidYouMean.Candidates(known)
    #expect(!(0..<2_000).contains { candidates.nearest(to: "missing \($0)") != nil })
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `it finds what comparing with every name letter by letter finds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func word() -> String {
      String((0..<Int.random(in: 1...9, using: &random)).map { _ in "abcä".randomElement(using: &random)! })
    }
    for _ in 0..<500 {
      let (name, known) = (word(), (0..<8).map { _ in word() })
      #expect(DidYouMean.nearest(to: name, among: known) == Self.slowly(name, known), "seed \(seed): \(name) among \(known)")
    }
  }

  private static func slowly(_ name: String, _ known: [String]) -> String? {
    func distance(_ left: some Collection<Character>, _ right: some Collection<Character>) -> Int {
      let (left, right) = (Array(left), Array(right))
      var table = Array(repeating: Array(0...right.count), count: left.count + 1)
      for row in left.indices.map({ $0 + 1 }) {
        table[row][0] = row
        for column in right.indices.map({ $0 + 1 }) {
          let step = left[row - 1] == right[column - 1] ? 0 : 1
          table[row][column] = min(table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + step)
          if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
            table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
          }
        }
      }
      return table[left.count][right.count]
    }
    var best: (distance: Int, name: String)?
    for other in known {
      let far = name.count >= 3 && other.hasPrefix(name) ? 1 : distance(name, other)
      if far <= max(1, min(name.count, other.count) / 3), far < best?.distance ?? .max { best = (far, other) }
    }
    return best?.name
  }

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
