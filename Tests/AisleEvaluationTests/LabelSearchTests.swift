import AisleCore
import AisleEvaluation
import Testing

@Suite("A label is found by a few letters, or by a product")
struct LabelSearchTests {
  private static let search: LabelSearch = {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let shelves: [(section: String, shelves: [(name: String, keywords: String)])] = [
      ("Dairy & Eggs", [("plant-milk", "oat milk\nalmond milk\n?barista\n"), ("milk", "milk\nwhole milk\n"), ("eggs", "egg\n")]),
      ("Pantry & Canned Goods", [("oats", "rolled oats\noat bran\n"), ("canned-vegetables", "canned corn\n")]),
      ("Snacks", [("candy", "milk chocolate\n~jalapeño\n")]), ("Leftovers", []),
    ]
    for (section, list) in shelves {
      let id = builder.addSection(Section(name: section, color: .gray))
      if section == "Leftovers" { builder.setFallback(id) }
      for (shelf, keywords) in list {
        Array(keywords.utf8).withUnsafeBufferPointer {
          builder.addShelf(shelf, text: $0, path: "shelves/\(shelf).txt", section: id)
        }
      }
    }
    return LabelSearch(builder.build())
  }()

  private func labels(_ text: String) -> [String] { Self.search.matches(text, limit: 9).map(\.label) }

  @Test(
    "The best match comes first",
    arguments: [
      // Names: in full, by words, by their beginnings, and by letters in their order.
      ("plant-milk", "plant-milk"), ("milk", "milk"), ("MILKS", "milk"), ("plant", "plant-milk"), ("pla mi", "plant-milk"),
      ("canned", "canned-vegetables"), ("veget", "canned-vegetables"), ("pltmlk", "plant-milk"), ("cnveg", "canned-vegetables"),
      ("dairy", "Dairy & Eggs"), ("dairy and eggs", "Dairy & Eggs"), ("Egg", "eggs"), ("oat", "oats"), ("snack", "Snacks"),
      ("pantry goods", "Pantry & Canned Goods"),
      // Products: the keyword decides, also where its words are parts of another shelf's name.
      ("oat milk", "plant-milk"), ("Oat Milks", "plant-milk"), ("whole milk", "milk"), ("oat mi", "plant-milk"),
      ("jalapeno", "candy"), ("rolled oat", "oats"), ("corn", "canned-vegetables"), ("chocolate", "candy"),
      // The fallback section has one label everywhere, and its own name finds it.
      ("other", "Other"), ("leftover", "Other"),
    ])
  func best(text: String, label: String) throws {
    let matches = Self.search.matches(text, limit: 9)
    #expect(matches.first?.label == label, "\(matches)")
  }

  @Test("A match says which keyword found it, and which section it stands for")
  func reasons() throws {
    let oat = try #require(Self.search.matches("oat milk", limit: 1).first)
    #expect((oat.section, oat.keyword) == ("Dairy & Eggs", "oat milk"))
    #expect(oat.candidate.text == "plant-milk (Dairy & Eggs)")
    let milk = try #require(Self.search.matches("milk", limit: 1).first)
    #expect(milk.keyword == nil)
    let section = try #require(Self.search.matches("snacks", limit: 1).first)
    #expect(section.candidate.text == "Snacks")
  }

  @Test("Other labels follow, each once; nothing is found for nothing")
  func others() {
    #expect(labels("milk").prefix(2) == ["milk", "plant-milk"])
    #expect(Set(labels("milk")).count == labels("milk").count)
    #expect(Self.search.matches("milk", limit: 1).count == 1)
    for text in ["", "  ", "!?", "zzz", "xq"] { #expect(labels(text) == [], "\(text)") }
    #expect(Self.search.matches("milk", limit: 0).isEmpty)
  }

  @Test("Any text is searched for without a crash, however long or odd")
  func anything() {
    for text in ["\u{0}\u{1B}[2J", String(repeating: "a ", count: 5000), "é́́", "🥕", "milk\tmilk\n"] {
      _ = Self.search.matches(text, limit: 9)
    }
  }
}
