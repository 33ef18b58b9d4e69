public import AisleCore

/// What a model is trained on: a store's keywords, named goods whose shelf is known, and goods put together from both.
public struct TrainingSet: Sendable {
  /// The shelves' names.
  public let shelves: [String]
  /// Each shelf's section in the store.
  public let sections: [Int]
  /// The examples.
  public private(set) var examples: [ModelTrainer.Example] = []
  /// How many examples are keywords.
  public let keywordCount: Int

  /// How much a keyword counts by its strength: descriptors say least about their shelf.
  private static let weights: [Keyword.Strength: Float] = [.descriptor: 0.3, .flavor: 0.6, .good: 1, .decisive: 1.2]
  /// How much goods that are put together count, and how many there are for each keyword.
  private static let (composedWeight, composedShare): (Float, Double) = (0.5, 2.25)
  /// How much a named good counts: people wrote it and its shelf is sure.
  private static let namedWeight: Float = 2

  /// Collects the keywords of a store's shelves; those that belong to a section alone are left out.
  public init(_ taxonomy: Taxonomy, seed: UInt64 = 1) {
    shelves = taxonomy.shelves.map(\.name)
    sections = taxonomy.shelves.map { Int($0.section.rawValue) }
    var (goods, qualities): ([ModelTrainer.Example], [String]) = ([], [])
    for keyword in taxonomy.keywords {
      guard let shelf = keyword.shelf else { continue }
      let example = ModelTrainer.Example(
        keyword.text, shelf: Int(shelf.rawValue), weight: Self.weights[keyword.strength] ?? 1)
      examples.append(example)
      if keyword.strength == .good { goods.append(example) }
      if keyword.strength < .good { qualities.append(keyword.text) }
    }
    keywordCount = examples.count
    compose(goods, qualities, seed: seed)
  }

  /// Adds goods whose shelf is known; those of shelves that the store does not have are left out.
  ///
  /// - Returns: how many were added.
  public mutating func add(_ named: some Sequence<(item: String, shelf: String)>) -> Int {
    let before = examples.count
    let places = Dictionary(shelves.enumerated().map { ($1, $0) }) { first, _ in first }
    for good in named {
      guard let shelf = places[good.shelf] else { continue }
      examples.append(ModelTrainer.Example(good.item, shelf: shelf, weight: Self.namedWeight))
    }
    return examples.count - before
  }

  /// Puts flavors and descriptors before and after goods, the way titles name them: the good decides.
  private mutating func compose(_ goods: [ModelTrainer.Example], _ qualities: [String], seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 2)
    for _ in 0..<Int(Double(examples.count) * Self.composedShare) {
      guard let good = goods.randomElement(using: &generator), let quality = qualities.randomElement(using: &generator),
        let another = qualities.randomElement(using: &generator)
      else { return }
      let item =
        switch Int.random(in: 0..<6, using: &generator) {
        case 0...2: "\(quality) \(good.item)"
        case 3: "\(good.item) with \(quality)"
        case 4: "\(good.item), \(quality)"
        default: "\(another) \(quality) \(good.item)"
        }
      examples.append(ModelTrainer.Example(item, shelf: good.shelf, weight: Self.composedWeight))
    }
  }
}
