import AisleCore
import AisleEvaluation
import Testing

@Suite("How two stores differ")
struct StoreDifferenceTests {
  /// A store whose sections are given in walking order, each with its shelves; the last is the fallback.
  private static func store(
    _ id: String, _ sections: [(name: String, shelves: [String])], keywords: [(String, String)] = []
  ) -> Taxonomy {
    var builder = TaxonomyBuilder(store: id, name: id.capitalized)
    for section in sections {
      let place = builder.addSection(Section(name: section.name, color: .gray))
      builder.setFallback(place)
      for shelf in section.shelves {
        Array("\(shelf) word\n".utf8).withUnsafeBufferPointer {
          builder.addShelf(shelf, text: $0, path: "shelves/\(shelf).txt", section: place)
        }
      }
      for (keyword, name) in keywords where name == section.name {
        builder.addKeyword(keyword, section: place, at: SourceLocation(path: "\(id).yaml"))
      }
    }
    return builder.build()
  }

  private static func difference(
    _ first: [(name: String, shelves: [String])], _ second: [(name: String, shelves: [String])]
  ) -> StoreDifference {
    StoreDifference(from: store("a", first), to: store("b", second))
  }

  /// The pairs of sections by name, as `A=B`.
  private static func pairs(_ difference: StoreDifference) -> [String] {
    difference.pairs.map { pair in
      let from = pair.from.map { difference.first[$0].name } ?? "-"
      let to = pair.to.map { difference.second[$0].name } ?? "-"
      return "\(from)=\(to)\(pair.isMoved ? "*" : "")"
    }
  }

  @Test("A store does not differ from itself")
  func same() {
    let sections = [(name: "Fresh", shelves: ["fruit", "salad"]), (name: "Rest", shelves: ["socks"])]
    let difference = Self.difference(sections, sections)
    #expect(difference.isEmpty)
    #expect(Self.pairs(difference) == ["Fresh=Fresh", "Rest=Rest"])
    #expect(difference.pairs.map(\.common) == [2, 1] && difference.shelfCount == 3)
  }

  @Test(
    "Sections of other names are the same when half of the shelves of one stand in the other; shelves in both have not moved"
  )
  func renamed() {
    let difference = Self.difference(
      [("Produce", ["fruit", "salad", "roots", "herbs"]), ("Other", ["socks"])],
      [("Greens", ["fruit", "salad"]), ("Flavor", ["roots", "herbs", "salt", "spice", "oil"]), ("Other", ["socks"])])
    #expect(Self.pairs(difference) == ["Produce=Greens", "Other=Other", "-=Flavor"])
    #expect(difference.shelves.map(\.what) == ["roots", "herbs", "salt", "spice", "oil"])
    #expect(difference.shelves.map { $0.from != nil } == [true, true, false, false, false])
  }

  @Test("The same name comes before more shelves in common")
  func nameFirst() {
    let difference = Self.difference(
      [("Snacks", ["chips", "nuts", "candy"]), ("Other", [])],
      [("Sweets", ["nuts", "candy"]), ("Snacks", ["chips"]), ("Other", [])])
    #expect(Self.pairs(difference) == ["Snacks=Snacks", "Other=Other", "-=Sweets"])
    #expect(difference.shelves.map(\.what) == ["nuts", "candy"])
  }

  @Test("Fallbacks are the same whatever their names and shelves")
  func fallbacks() {
    let difference = Self.difference([("Food", ["fruit"]), ("Other", [])], [("Food", ["fruit"]), ("Back Room", ["socks"])])
    #expect(Self.pairs(difference) == ["Food=Food", "Other=Back Room"])
  }

  @Test("Less than half of both sections does not make them the same")
  func tooFew() {
    let difference = Self.difference(
      [("Pantry", ["oil", "salt", "rice"]), ("Other", [])], [("Asia", ["rice", "soy", "miso"]), ("Other", ["oil", "salt"])])
    #expect(Self.pairs(difference) == ["Pantry=-", "Other=Other", "-=Asia"])
  }

  @Test("Only the sections that leave the common walking order are marked")
  func order() {
    let shelves = ["one", "two", "three", "four"]
    func sections(_ order: [Int]) -> [(name: String, shelves: [String])] {
      order.map { (shelves[$0].capitalized, [shelves[$0]]) }
    }
    #expect(
      Self.pairs(Self.difference(sections([0, 1, 2, 3]), sections([3, 0, 1, 2]))) == [
        "One=One", "Two=Two", "Three=Three", "Four=Four*",
      ])
    #expect(Self.difference(sections([0, 1, 2, 3]), sections([0, 1, 2, 3])).pairs.allSatisfy { !$0.isMoved })
  }

  @Test("Own keywords differ by section and by sign, shelves' keywords do not count")
  func keywords() {
    let sections = [(name: "Fresh", shelves: ["fruit"]), (name: "Rest", shelves: [])]
    let difference = StoreDifference(
      from: Self.store(
        "a", sections, keywords: [("veg box", "Fresh"), ("~quince", "Fresh"), ("socks", "Rest"), ("kale", "Fresh")]),
      to: Self.store("b", sections, keywords: [("veg box", "Fresh"), ("!quince", "Fresh"), ("socks", "Fresh"), ("figs", "Rest")]))
    #expect(difference.keywords.map(\.what) == ["~quince", "kale", "socks", "!quince", "figs"])
    #expect(difference.keywords.map { $0.from?.rawValue } == [0, 0, 1, nil, nil])
    #expect(difference.keywords.map { $0.to?.rawValue } == [nil, nil, 0, 0, 1])
  }

  @Test("Own patterns of one name differ by their expression and confidence")
  func patterns() {
    func store(_ expression: String, _ confidence: Float) -> Taxonomy {
      var builder = TaxonomyBuilder(store: "a", name: "A")
      let section = builder.addSection(Section(name: "Food", color: .gray))
      let example = Pattern.Example("fig", at: SourceLocation(path: "a.yaml"))
      builder.addPattern(
        .section(section), name: "figs", expression: expression, confidence: confidence, matches: [example], rejects: [example],
        expressionAt: example.location, at: example.location)
      return builder.build()
    }
    #expect(StoreDifference(from: store("fig", 0.9), to: store("fig", 0.9)).isEmpty)
    for other in [store("figs?", 0.9), store("fig", 0.8)] {
      #expect(StoreDifference(from: store("fig", 0.9), to: other).patterns.map(\.what) == ["figs", "figs"])
    }
  }

  @Test("Items change only where their sections are not the same, whatever their names")
  func items() {
    let difference = Self.difference(
      [("Produce", ["fruit"]), ("Pantry", ["oil", "tofu"])], [("Fresh Food", ["fruit", "tofu"]), ("Pantry", ["oil"])])
    let (produce, pantry) = (SectionID(rawValue: 0), SectionID(rawValue: 1))
    let changes = difference.changes(of: [
      (item: "oil", from: pantry, to: pantry), (item: "tofu", from: pantry, to: produce),
      (item: "fig", from: produce, to: produce),
    ])
    #expect(changes.map(\.what) == ["tofu"])
  }
}
