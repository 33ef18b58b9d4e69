import AisleCore
import AisleFiles
import Foundation
import Testing

/// The stores of the project itself.
@Suite("The project's stores")
struct ProjectStoresTests {
  private static let folder = TaxonomyFolder(
    path: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "taxonomies").path)

  @Test("There are twenty-eight, and no file that looks like one is passed over")
  func all() {
    #expect(
      Self.folder.stores == [
        "albert-heijn", "aldi", "aldi-sued", "biedronka", "carrefour-fr", "continente", "costco", "edeka", "esselunga", "heb",
        "ica",
        "kroger", "leclerc", "lidl-de", "mercadona", "migros", "pao-de-acucar", "publix", "recipesage", "rewe", "safeway",
        "sainsburys",
        "target", "tesco", "trader-joes", "walmart", "wegmans", "whole-foods",
      ])
    #expect(Self.folder.misnamedFiles.isEmpty)
  }

  @Test(
    "Each has no errors, places every shelf once, and has errands and what nothing decides in the same section",
    arguments: folder.stores)
  func sound(store: String) throws {
    let (taxonomy, findings) = try Self.folder.load(store)
    #expect(findings.map(\.description) == [])
    #expect(taxonomy.shelves.map(\.name).sorted() == Self.folder.shelves)
    let fallbacks: Set = ["Other", "Uncategorized"]
    let isForeign = !taxonomy.languages.isEmpty
    #expect(
      (isForeign || fallbacks.contains(taxonomy[taxonomy.fallback].name))
        && taxonomy.fallback.rawValue == UInt16(taxonomy.sections.count - 1))
    let errands = try #require(taxonomy.shelf(named: "errands-and-services"))
    #expect(taxonomy[errands].section == taxonomy.fallback)
    let held = Set(taxonomy.shelves.map(\.section)).union(
      taxonomy.keywords.entries.map { SectionID(rawValue: UInt16($0.section)) })
    #expect(held.count == taxonomy.sections.count, "a section holds nothing")
  }

  @Test("The ids of RecipeSage's sections are the categories that its shopping lists know")
  func recipeSage() throws {
    let categories: Set = [
      "produce", "dairy", "meat", "bakery", "grocery", "liquor", "seafood", "nonfood", "frozen", "canned", "beverages", "baking",
      "spices", "condiments", "uncategorized",
    ]
    let taxonomy = try Self.folder.load("recipesage").taxonomy
    #expect(Set(taxonomy.stableSectionIDs) == categories && taxonomy.sections.count == categories.count)
  }

  @Test("Each is a store of its own: no two group the shelves alike")
  func different() {
    var groupings: [Set<Set<String>>: String] = [:]
    for store in Self.folder.stores {
      let groups = Set(Self.folder.sections(of: store).map { Set($0.shelves) })
      let other = groupings.updateValue(store, forKey: groups)
      #expect(groups.count > 5, "\(store) has \(groups.count) sections with shelves")
      #expect(other == nil, "\(store) is as \(other ?? "")")
    }
  }

  @Test("Sections and the names of their shelves are read without the shelves")
  func sections() throws {
    let taxonomy = try Self.folder.load("tesco").taxonomy
    let sections = Self.folder.sections(of: "tesco")
    #expect(sections.map(\.name) == taxonomy.sections.map(\.name))
    #expect(sections.flatMap(\.shelves) == taxonomy.shelves.map(\.name))
    #expect(Self.folder.sections(of: "nope").isEmpty)
  }
}
