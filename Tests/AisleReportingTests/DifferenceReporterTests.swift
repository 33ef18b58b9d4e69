import AisleCore
import AisleEvaluation
import Foundation
import Testing

@testable import AisleReporting

@Suite("The difference of two stores")
struct DifferenceReporterTests {
  /// Two stores with every kind of difference; names and items with what a table or terminal must not see raw.
  private static let difference = StoreDifference(from: store("corner", first), to: store("market", second))
  private static let items = difference.changes(of: [
    (item: "hummus\twith \"oil\"", from: SectionID(rawValue: 1), to: SectionID(rawValue: 2)),
    (item: "to\u{1B}fu", from: SectionID(rawValue: 0), to: SectionID(rawValue: 2)),
    (item: "kale", from: SectionID(rawValue: 0), to: SectionID(rawValue: 3)),
  ])

  private static let first: [(String, [String], [String])] = [
    ("Produce", ["fruit", "salad", "tofu"], ["veg box"]), ("Dairy & Eggs", ["milk", "cheese", "dips"], []),
    ("Bakery", ["bread", "cakes"], ["~seeded"]), ("Other", ["socks"], []),
  ]
  private static let second: [(String, [String], [String])] = [
    ("Bread", ["bread", "cakes"], ["!seeded"]), ("Dairy & Eggs", ["milk", "cheese"], []),
    ("Deli", ["dips", "tofu"], ["veg box"]),
    ("Fruit \"&\" Veg", ["fruit", "salad"], []), ("Else", ["socks"], []),
  ]

  private static func store(_ id: String, _ sections: [(name: String, shelves: [String], keywords: [String])]) -> Taxonomy {
    var builder = TaxonomyBuilder(store: id, name: id.capitalized)
    for section in sections {
      let place = builder.addSection(Section(name: section.name, color: .gray))
      builder.setFallback(place)
      for shelf in section.shelves {
        Array("\(shelf)\n".utf8).withUnsafeBufferPointer {
          builder.addShelf(shelf, text: $0, path: "shelves/\(shelf).txt", section: place)
        }
      }
      for keyword in section.keywords { builder.addKeyword(keyword, section: place, at: SourceLocation(path: "\(id).yaml")) }
    }
    return builder.build()
  }

  @Test("As text: sections side by side, then what stands elsewhere")
  func text() {
    let text = DifferenceReporter().text(Self.difference, items: Self.items)
    expectGolden(Array(text.utf8), "difference.txt")
    #expect(!text.contains("\u{1B}"))
    #expect(text.split(separator: "\n").allSatisfy { $0.last != " " })
  }

  @Test("As tsv: four columns, whatever stands in them")
  func tsv() {
    let text = DifferenceReporter().tsv(Self.difference, items: Self.items)
    expectGolden(Array(text.utf8), "difference.tsv")
    #expect(text.split(separator: "\n").allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 4 })
  }

  @Test("As json: one object that a reader of JSON takes")
  func json() throws {
    let bytes = DifferenceReporter().json(Self.difference, items: Self.items)
    expectGolden(bytes, "difference.json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect((object["shelves"] as? [Any])?.count == Self.difference.shelves.count)
    #expect((object["items"] as? [Any])?.count == 2)
  }

  @Test("A store and itself: nothing stands elsewhere, in any format")
  func same() {
    let same = StoreDifference(from: Self.difference.first, to: Self.difference.first)
    let text = DifferenceReporter().text(same, items: [])
    #expect(text.contains("0 of 9 shelves are in different sections\n\nno differences\n"))
    #expect(text.contains("no items in different sections"))
    #expect(DifferenceReporter().tsv(same).split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("section\t") })
  }
}
