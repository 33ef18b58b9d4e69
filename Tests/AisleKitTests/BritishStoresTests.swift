import AisleKit
import Testing

/// Words that mean one thing in American stores and another in British ones.
@Suite struct BritishStoresTests {
  private static let words: [(item: String, kroger: String, tesco: String, sainsburys: String)] = [
    ("2 packs biscuits", "Dairy & Eggs", "Biscuits & Crackers", "Biscuits & Crackers"),
    ("buttermilk biscuits", "Dairy & Eggs", "Milk, Butter & Cheese", "Dairy"),
    ("bourbons", "Beverages", "Biscuits & Crackers", "Biscuits & Crackers"),
    ("bourbon", "Beverages", "Beers, Wines & Spirits", "Beer, Wine & Spirits"),
    ("cider", "Beverages", "Beers, Wines & Spirits", "Beer, Wine & Spirits"),
    ("coriander", "Pantry & Canned Goods", "Fresh Vegetables & Salad", "Fruit & Vegetables"),
    ("chips", "Snacks", "Frozen Food", "Frozen"),
    ("grape jelly", "Condiments & Sauces", "Breakfast Cereals & Spreads", "Breakfast & Spreads"),
    ("jelly", "Condiments & Sauces", "Home Baking & Eggs", "Home Baking"),
    ("corned beef", "Meat & Seafood", "Tins, Cans & Packets", "Canned, Tinned & Packaged"),
    ("quiche", "Frozen Foods", "Chilled Food", "Ready Meals & Pizza"),
    ("marmite", "International", "Breakfast Cereals & Spreads", "Breakfast & Spreads"),
    ("branston pickle", "International", "Table Sauces, Oils & Herbs", "Table Sauces & Dressings"),
    ("mushy peas", "International", "Tins, Cans & Packets", "Canned, Tinned & Packaged"),
    ("oxo cubes", "International", "Tins, Cans & Packets", "Cooking Ingredients"),
    ("christmas pudding", "International", "Yogurts & Desserts", "Dairy"),
    ("atora suet", "International", "Home Baking & Eggs", "Home Baking"),
  ]

  @Test func `are read as each store's customers mean them`() throws {
    let (kroger, tesco, sainsburys) = (try Aisle(store: "kroger"), try Aisle(store: "tesco"), try Aisle(store: "sainsburys"))
    for word in Self.words {
      let sections = [kroger, tesco, sainsburys].map { $0.categorize(word.item).section }
      #expect(sections == [word.kroger, word.tesco, word.sainsburys], "\(word.item)")
    }
  }

  @Test(arguments: ["dinner", "dinner tonight", "something for dinner??", "ideas for dinner"])
  func `a dinner that names no dish is a note`(item: String) throws {
    #expect(try Aisle(store: "tesco").categorize(item).section == "Other")
  }

  @Test(arguments: ["tv dinner", "frozen dinner", "2 chicken dinners"])
  func `a dinner in the freezer is food`(item: String) throws {
    #expect(try Aisle(store: "tesco").categorize(item).section == "Frozen Food")
  }
}
