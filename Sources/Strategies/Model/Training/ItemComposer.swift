import AisleCore

/// Puts items together from a store's keywords: flavors and brands before goods, as titles have them; measures and handling around
/// them, as recipes do; several goods in a row; and slips of the pen, as people make them.
struct ItemComposer {
  private let goods: [String]
  private let brands: [String]
  private let qualities: [String]
  private var generator: SeededGenerator

  /// `nil` for a store without goods, or with nothing to say of them.
  init?(_ taxonomy: Taxonomy, seed: UInt64) {
    func texts(_ strengths: Set<Keyword.Strength>) -> [String] {
      taxonomy.keywords.filter { $0.shelf != nil && strengths.contains($0.strength) }.map(\.text)
    }
    (goods, qualities) = (texts([.good]), texts([.descriptor, .flavor]))
    // Most keywords that decide wherever they stand are brands and lines of goods.
    brands = texts([.decisive])
    generator = SeededGenerator(seed: seed &+ 2)
    if goods.isEmpty || qualities.isEmpty { return nil }
  }

  private static let measures = [
    "1 cup", "2 cups", "1/2 cup", "3 tbsp", "1 tsp", "2 tablespoons", "1 teaspoon", "1 lb", "2 lbs", "500 g", "1 kg", "12 oz",
    "1 can",
    "a pinch of", "2 cans", "1 (14 oz) can", "1 package", "1 pkg", "1 bag", "bag of", "a box of", "1 jar", "2 bottles", "1 bunch",
    "2 cloves", "3 slices", "1 pack of", "6 pack", "a dozen", "2 x", "some", "more", "about 2 cups", "1 large", "2 medium",
    "3 small",
  ]
  private static let handling = [
    "chopped", "finely chopped", "diced", "sliced", "thinly sliced", "minced", "grated", "shredded", "peeled", "drained",
    "rinsed",
    "divided", "softened", "melted", "at room temperature", "to taste", "for serving", "for garnish", "optional", "plus more",
    "crushed", "toasted", "beaten", "cubed", "halved", "trimmed", "on sale", "organic", "large", "small pack", "family size",
    "for lunch", "for the kids",
  ]
  private static let sizes = [
    "12 oz", "16 oz", "6 ct", "12 ct", "32 fl oz", "1 gal", "half gallon", "5 lb", "2 pk", "8 pack", "10 count", "24 oz", "1.5 l",
    "750 ml", "100 count", "value pack", "each",
  ]

  /// Another item.
  mutating func next() -> String {
    let good = one(of: goods)
    return switch Int.random(in: 0..<20, using: &generator) {
    case 0...3: "\(one(of: qualities)) \(good)"
    case 4: "\(good) with \(one(of: qualities))"
    case 5: "\(good), \(one(of: qualities))"
    case 6: "\(one(of: qualities)) \(one(of: qualities)) \(good)"
    case 7: "\(one(of: Self.measures)) \(good)"
    case 8: "\(one(of: Self.measures)) \(one(of: Self.handling)) \(good)"
    case 9: "\(one(of: Self.measures)) \(good), \(one(of: Self.handling))"
    case 10: slip(good)
    case 11: "\(brand()) \(good)"
    case 12: "\(brand()) \(one(of: qualities)) \(good), \(one(of: Self.sizes))"
    case 13: "\(one(of: qualities)) \(good), \(one(of: Self.sizes))"
    case 14: "\(brand()) \(one(of: Self.sizes))"
    case 15: "\(brand()) \(one(of: qualities))"
    case 16, 17: "\(one(of: goods)) \(good)"
    case 18: "\(good) (\(one(of: Self.handling)))"
    default: "\(good) and \(one(of: goods))"
    }
  }

  private mutating func one(of texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &generator)] }

  private mutating func brand() -> String { one(of: brands.isEmpty ? goods : brands) }

  /// A text with a letter left out, doubled or changed for its neighbor.
  private mutating func slip(_ text: String) -> String {
    var letters = Array(text)
    guard letters.count > 4 else { return text }
    let place = Int.random(in: 1..<letters.count - 1, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: letters.remove(at: place)
    case 1: letters.insert(letters[place], at: place)
    default: letters.swapAt(place, place + 1)
    }
    return String(letters)
  }
}
