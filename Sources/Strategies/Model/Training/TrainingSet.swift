public import AisleCore

/// What a model is trained on: a store's keywords, named goods whose shelf is known, and goods put together from both.
public struct TrainingSet: Sendable {
  /// The shelves' names, and last that of no shelf.
  public let shelves: [String]
  /// Each shelf's section in the store; one of its own for no shelf.
  public let sections: [Int]
  /// The examples.
  public private(set) var examples: [ModelTrainer.Example] = []
  private let fallback: String
  /// How many examples are keywords.
  public let keywordCount: Int

  /// How much a keyword counts by its strength: descriptors say least about their shelf.
  private static let weights: [Keyword.Strength: Float] = [.descriptor: 0.3, .flavor: 0.6, .good: 1, .decisive: 1.2]
  /// How much goods that are put together count, and how many there are for each keyword.
  private static let (composedWeight, composedShare): (Float, Double) = (0.5, 3)
  /// How much a named good counts: people wrote it and its shelf is sure.
  private static let namedWeight: Float = 2

  /// Collects the keywords of a store's shelves; those that belong to a section alone are left out.
  public init(_ taxonomy: Taxonomy, seed: UInt64 = 1) {
    shelves = taxonomy.shelves.map(\.name) + [ShelfModel.nothing]
    sections = taxonomy.shelves.map { Int($0.section.rawValue) } + [taxonomy.sections.count]
    fallback = taxonomy[taxonomy.fallback].name
    var (goods, qualities): ([Int], [String]) = ([], [])
    for keyword in taxonomy.keywords {
      guard let shelf = keyword.shelf else { continue }
      if keyword.strength == .good { goods.append(examples.count) }
      examples.append(
        ModelTrainer.Example(keyword.text, shelf: Int(shelf.rawValue), weight: Self.weights[keyword.strength] ?? 1))
      if keyword.strength < .good { qualities.append(keyword.text) }
    }
    keywordCount = examples.count
    compose(goods, qualities, seed: seed)
  }

  /// Adds goods whose shelf is known, and, with the fallback section for a shelf, what is no good of any shelf; goods of shelves that the
  /// store does not have are left out.
  ///
  /// - Returns: how many were added.
  public mutating func add(_ named: some Sequence<(item: String, shelf: String)>) -> Int {
    let before = examples.count
    let places = Dictionary(shelves.enumerated().map { ($1, $0) }) { first, _ in first }
    for good in named {
      guard let shelf = places[good.shelf == fallback ? ShelfModel.nothing : good.shelf] else { continue }
      examples.append(ModelTrainer.Example(good.item, shelf: shelf, weight: Self.namedWeight))
    }
    return examples.count - before
  }

  /// What people write beside goods and what says nothing of their shelf: measures before, handling before and after.
  private static let measures = [
    "1 cup", "2 cups", "1/2 cup", "3 tbsp", "1 tsp", "2 tablespoons", "1 teaspoon", "1 lb", "2 lbs", "500 g", "1 kg", "12 oz",
    "a pinch of",
    "1 can", "2 cans", "1 (14 oz) can", "1 package", "1 pkg", "1 bag", "bag of", "a box of", "1 jar", "2 bottles", "1 bunch",
    "2 cloves",
    "3 slices", "1 pack of", "6 pack", "a dozen", "2 x", "some", "more", "about 2 cups", "1 large", "2 medium", "3 small",
  ]
  private static let handling = [
    "chopped", "finely chopped", "diced", "sliced", "thinly sliced", "minced", "grated", "shredded", "peeled", "drained",
    "rinsed",
    "divided", "softened", "melted", "at room temperature", "to taste", "for serving", "for garnish", "optional", "plus more",
    "crushed",
    "toasted", "beaten", "cubed", "halved", "trimmed", "on sale", "organic", "large", "small pack", "family size",
  ]

  /// Puts flavors and descriptors before and after goods, the way titles name them; measures and handling, as recipes do; and slips of
  /// the pen, as people do. The good decides.
  private mutating func compose(_ goods: [Int], _ qualities: [String], seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 2)
    for _ in 0..<Int(Double(examples.count) * Self.composedShare) {
      guard let origin = goods.randomElement(using: &generator), let quality = qualities.randomElement(using: &generator),
        let another = qualities.randomElement(using: &generator), let measure = Self.measures.randomElement(using: &generator),
        let handling = Self.handling.randomElement(using: &generator)
      else { return }
      let (good, shelf) = (examples[origin].item, examples[origin].shelf)
      let item =
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: "\(quality) \(good)"
        case 4: "\(good) with \(quality)"
        case 5: "\(good), \(quality)"
        case 6: "\(another) \(quality) \(good)"
        case 7: "\(measure) \(good)"
        case 8: "\(measure) \(handling) \(good)"
        case 9: "\(measure) \(good), \(handling)"
        default: Self.slip(good, using: &generator)
        }
      examples.append(ModelTrainer.Example(item, shelf: shelf, weight: Self.composedWeight, origin: origin))
    }
  }

  /// A word with a letter left out, doubled or changed for its neighbor.
  private static func slip(_ text: String, using generator: inout SeededGenerator) -> String {
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
